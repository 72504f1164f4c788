// swift-tools-version: 6.2
import PackageDescription

let plainSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // What tests change in the library: results of system calls, and default limits.
    .define("TestHooks", .when(configuration: .debug)),
]
let settings = plainSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let subjects = ["Bytes", "Syntax", "System", "Form", "Encoding", "Parsing", "Coding", "Documentation"]
let subjectTests: [Target] = subjects.map { subject in
    .testTarget(name: "\(subject)Tests", dependencies: ["MultipartFormCodec", "TestSupport"], swiftSettings: settings)
}

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

let package = Package(
    name: "swift-multipart-form",
    platforms: [.macOS(.v10_15), .macCatalyst(.v13), .iOS(.v13), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)],
    products: [
        .library(name: "MultipartFormCodec", targets: ["MultipartFormCodec"]),
        .executable(name: "formdata", targets: ["formdata"]),
    ],
    traits: [
        .default(enabledTraits: ["FullFoundation"]),
        .trait(
            name: "FullFoundation",
            description: "InputStream, Progress and DateFormatter; without it, FoundationEssentials is enough on Linux."
        ),
    ],
    targets: [
        .target(
            name: "MultipartFormCodec",
            dependencies: [.target(name: "MultipartFormCodecPrivacy", condition: .when(platforms: applePlatforms))],
            swiftSettings: settings + [.strictMemorySafety()]
        ),
        .target(name: "MultipartFormCodecPrivacy", resources: [.copy("PrivacyInfo.xcprivacy")]),
        .executableTarget(name: "formdata", dependencies: ["MultipartFormCodec"], swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: ["MultipartFormCodec"],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        // The same code, with the upcoming feature and without it.
        .target(
            name: "Callers",
            dependencies: ["MultipartFormCodec", "TestSupport"],
            path: "Tests/Callers",
            swiftSettings: settings
        ),
        .target(
            name: "PlainCallers",
            dependencies: ["MultipartFormCodec", "TestSupport"],
            path: "Tests/PlainCallers",
            swiftSettings: plainSettings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["MultipartFormCodec", "TestSupport", "Callers", "PlainCallers"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "FormDataToolTests",
            dependencies: ["formdata", "MultipartFormCodec", "TestSupport"],
            swiftSettings: settings
        ),
    ] + subjectTests,
    swiftLanguageModes: [.v6]
)
