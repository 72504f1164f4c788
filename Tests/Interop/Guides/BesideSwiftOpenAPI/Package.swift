// swift-tools-version: 6.2
import PackageDescription

// Users copy the code to programs without NonisolatedNonsendingByDefault.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "beside-swift-openapi",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "swift-multipart-form", path: "../../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-openapi-runtime", exact: "1.11.0"),
    ],
    targets: [
        .testTarget(
            name: "OpenAPIFormTests",
            dependencies: [
                .product(name: "MultipartFormCodec", package: "swift-multipart-form"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "OpenAPIRuntime", package: "swift-openapi-runtime"),
            ],
            path: "Tests",
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
