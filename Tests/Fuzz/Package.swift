// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .define("FullFoundation"),
    .define("TestHooks"),
    .unsafeFlags(["-enforce-exclusivity=checked"]),
]

// The library, the tests' support and the tool's argument parser are symbolic links: built as targets of this package
// they get its sanitizers, and it sees their `package` declarations.
let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v26)],
    targets: [
        .target(name: "MultipartFormCodec", swiftSettings: settings + [.strictMemorySafety()]),
        .target(name: "TestSupport", dependencies: ["MultipartFormCodec"], swiftSettings: settings),
        .systemLibrary(name: "LibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["LibFuzzer", "MultipartFormCodec", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
