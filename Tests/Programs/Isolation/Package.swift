// swift-tools-version: 6.2
import PackageDescription

// Programs of apps: a module that is main-actor by default, one with approachable concurrency, and both at once.
// `Tests/Programs/Isolation/run` builds and runs them.
let approachable: [SwiftSetting] = [
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "isolation",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "swift-multipart-form", path: "../../..")],
    targets: [
        program("main-actor", [.defaultIsolation(MainActor.self)]),
        program("approachable", approachable),
        program("conformance", approachable + [.defaultIsolation(MainActor.self)]),
    ],
    swiftLanguageModes: [.v6]
)

func program(_ name: String, _ settings: [SwiftSetting]) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "MultipartFormCodec", package: "swift-multipart-form")],
        swiftSettings: [.treatAllWarnings(as: .error)] + settings
    )
}
