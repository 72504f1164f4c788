// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A server's program without the rest of Foundation. `Tests/Programs/Linkage/run` builds it, looks at what it links, and compares it with
// the same program that has the library with its default trait.
let hasTrait = ProcessInfo.processInfo.environment["LINKAGE_TRAIT"] == "1"

let package = Package(
    name: "linkage",
    platforms: [.macOS(.v10_15)],
    dependencies: [.package(name: "swift-multipart-form", path: "../../..", traits: hasTrait ? [.defaults] : [])],
    targets: [
        .executableTarget(
            name: "server",
            dependencies: [.product(name: "MultipartFormCodec", package: "swift-multipart-form")]
        )
    ],
    swiftLanguageModes: [.v6]
)
