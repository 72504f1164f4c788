// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The library and the tests' support are symbolic links: only targets of one package see `package` declarations.
let package = Package(
    name: "hostile",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "MultipartForm", swiftSettings: settings + [.strictMemorySafety()]),
        .target(name: "TestSupport", dependencies: ["MultipartForm"], swiftSettings: settings),
        .target(name: "SystemCalls"),
        .executableTarget(
            name: "hostile",
            dependencies: ["MultipartForm", "SystemCalls", "TestSupport"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "exhaustive",
            dependencies: ["MultipartForm", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
