// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "swift-multipart-form",
    platforms: [.macOS(.v10_15), .macCatalyst(.v13), .iOS(.v13), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
    products: [
        .library(name: "MultipartForm", targets: ["MultipartForm"]),
        .executable(name: "formdata", targets: ["formdata"]),
    ],
    targets: [
        .target(name: "MultipartForm", swiftSettings: settings + [.strictMemorySafety()]),
        .executableTarget(name: "formdata", dependencies: ["MultipartForm"], swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["MultipartForm"],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        .testTarget(
            name: "MultipartFormTests",
            dependencies: ["MultipartForm", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FormDataToolTests",
            dependencies: ["formdata", "MultipartForm", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
