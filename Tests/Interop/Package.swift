// swift-tools-version: 6.2
import PackageDescription

// Users copy the examples to programs without NonisolatedNonsendingByDefault.
let exampleSettings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]
let settings = exampleSettings + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let multipartForm = Target.Dependency.product(name: "MultipartFormCodec", package: "swift-multipart-form")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nio = ["NIOCore", "NIOFoundationCompat", "NIOHTTP1", "NIOPosix"].map {
    Target.Dependency.product(name: $0, package: "swift-nio")
}

// Each state of the tutorial's programs.
let tutorial =
    (1...5).map { ("server-\($0)", [multipartForm, hummingbird]) } + (1...3).map { ("send-\($0)", [multipartForm]) }
let tutorialTargets = tutorial.map { state, dependencies in
    Target.executableTarget(
        name: "tutorial-\(state)",
        dependencies: dependencies,
        path: "Sources/Tutorial/\(state)",
        swiftSettings: [.treatAllWarnings(as: .error)]
    )
}

let package = Package(
    name: "interop",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "swift-multipart-form", path: "../.."),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "UploadExamples",
            dependencies: [
                multipartForm, hummingbird, hummingbirdTesting, flyingFox, asyncHTTPClient, crypto, httpTypes, metrics,
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Logging", package: "swift-log"),
            ] + nio,
            swiftSettings: exampleSettings
        ),
        .target(
            name: "Loopback",
            dependencies: [
                "UploadExamples", multipartForm, hummingbird, flyingFox, asyncHTTPClient, crypto,
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ] + nio,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "upload-server",
            dependencies: ["Loopback", "UploadExamples"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "upload-client",
            dependencies: ["Loopback", "UploadExamples", multipartForm],
            swiftSettings: settings
        ),
        .executableTarget(name: "nested-forms", dependencies: [multipartForm], swiftSettings: settings),
        .testTarget(
            name: "UploadTests",
            dependencies: [
                "Loopback", "UploadExamples", "upload-server", multipartForm, hummingbird, hummingbirdTesting,
                asyncHTTPClient, crypto, metrics,
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ] + nio,
            swiftSettings: settings
        ),
    ] + tutorialTargets,
    swiftLanguageModes: [.v6]
)
