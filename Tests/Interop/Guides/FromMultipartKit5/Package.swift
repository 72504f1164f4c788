// swift-tools-version: 6.2
import PackageDescription

// Users copy the code to programs without NonisolatedNonsendingByDefault.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "from-multipart-kit-5",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "swift-multipart-form", path: "../../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/vapor/multipart-kit", exact: "5.0.0-beta.1"),
    ],
    targets: [
        .testTarget(
            name: "MultipartKitFormTests",
            dependencies: [
                .product(name: "MultipartFormCodec", package: "swift-multipart-form"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "MultipartKit", package: "multipart-kit"),
            ],
            path: "Tests",
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
