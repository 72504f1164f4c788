// swift-tools-version: 6.2
import PackageDescription

// Programs with more and more of the library, from none of it on; `run` compares them.
let multipartForm = Target.Dependency.product(name: "MultipartFormCodec", package: "swift-multipart-form")

let package = Package(
    name: "costs",
    platforms: [.macOS(.v10_15)],
    dependencies: [.package(name: "swift-multipart-form", path: "../../..")],
    targets: [
        .executableTarget(name: "without"),
        .executableTarget(name: "parser", dependencies: [multipartForm]),
        .executableTarget(name: "everything", dependencies: [multipartForm]),
        .executableTarget(name: "parsers", dependencies: [multipartForm]),
    ],
    swiftLanguageModes: [.v6]
)
