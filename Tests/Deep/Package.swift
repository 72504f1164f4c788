// swift-tools-version: 6.2
import PackageDescription

let plainSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .define("FullFoundation"),
]
let settings = plainSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

// The library and the tests' support are symbolic links: only targets of one package see `package` declarations.
let package = Package(
    name: "deep",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "MultipartFormCodec", swiftSettings: settings + [.strictMemorySafety()]),
        .target(name: "TestSupport", dependencies: ["MultipartFormCodec"], swiftSettings: settings),
        .target(name: "Callers", dependencies: ["MultipartFormCodec", "TestSupport"], swiftSettings: settings),
        .target(
            name: "PlainCallers",
            dependencies: ["MultipartFormCodec", "TestSupport"],
            swiftSettings: plainSettings
        ),
        .target(name: "SystemCalls"),
        .target(name: "AllocationCounter"),
        .executableTarget(
            name: "hostile",
            dependencies: ["MultipartFormCodec", "SystemCalls", "TestSupport", "Callers", "PlainCallers"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "exhaustive",
            dependencies: ["MultipartFormCodec", "TestSupport"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: ["AllocationCounter", "MultipartFormCodec"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
