// swift-tools-version: 6.2
import PackageDescription

// Vapor 4 brings MultipartKit 4. Users copy the code to programs without NonisolatedNonsendingByDefault.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "from-multipart-kit",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "swift-multipart-form", path: "../../../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/vapor/multipart-kit", exact: "4.7.1"),
        .package(url: "https://github.com/vapor/vapor", exact: "4.122.0"),
    ],
    targets: [
        .testTarget(
            name: "VaporFormTests",
            dependencies: [
                .product(name: "MultipartFormCodec", package: "swift-multipart-form"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "Vapor", package: "vapor"),
                .product(name: "VaporTesting", package: "vapor"),
            ],
            path: "Tests",
            swiftSettings: settings
        ),
        // Here a use of what Vapor adds to MultipartKit does not compile.
        .testTarget(
            name: "MultipartKitFormTests",
            dependencies: [
                .product(name: "MultipartFormCodec", package: "swift-multipart-form"),
                .product(name: "MultipartKit", package: "multipart-kit"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "TestsWithoutVapor",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
