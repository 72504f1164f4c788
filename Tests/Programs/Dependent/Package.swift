// swift-tools-version: 5.9
import PackageDescription

// A program in Swift 5 that supports the oldest systems. `Tests/Programs/Dependent/run` builds it with the library as a versioned
// dependency, and `.ci/apple/check` compiles it for its oldest macOS.
let package = Package(
    name: "dependent",
    platforms: [.macOS(.v10_15), .iOS(.v13), .tvOS(.v13), .watchOS(.v6)],
    dependencies: [.package(path: "../../..")],
    targets: [
        .target(name: "OtherForms"),
        .executableTarget(
            name: "dependent",
            dependencies: ["OtherForms", .product(name: "MultipartFormCodec", package: "swift-multipart-form")]
        ),
    ],
    swiftLanguageVersions: [.v5]
)
