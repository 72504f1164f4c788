// swift-tools-version: 6.2
import PackageDescription

// A program in a package that depends on this one, as `Tests/Programs/Consumers/run` says in the environment: by URL or by
// path, with the default traits or none, alone or beside another package's module `MultipartForm`.
let environment = Context.environment
let traits: Set<Package.Dependency.Trait> = environment["CONSUMER_TRAITS"] == "none" ? [] : [.defaults]
let library: Package.Dependency =
    if let url = environment["CONSUMER_URL"] {
        .package(url: url, from: "1.0.0", traits: traits)
    } else {
        .package(path: environment["CONSUMER_PATH"] ?? "../../..", traits: traits)
    }
let hasOther = environment["CONSUMER_OTHER"] != nil

let package = Package(
    name: "consumers",
    platforms: [.macOS(.v10_15)],
    dependencies: [library] + (hasOther ? [.package(path: "OtherForm")] : []),
    targets: [
        .executableTarget(
            name: "consumer",
            dependencies: [.product(name: "MultipartFormCodec", package: "swift-multipart-form")]
                + (hasOther ? [.product(name: "MultipartForm", package: "OtherForm")] : [])
        )
    ],
    swiftLanguageModes: [.v6]
)
