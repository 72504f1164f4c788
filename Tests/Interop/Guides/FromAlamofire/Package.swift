// swift-tools-version: 6.2
import PackageDescription

// Users copy the code to programs without NonisolatedNonsendingByDefault.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "from-alamofire",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "swift-multipart-form", path: "../../../.."),
        .package(url: "https://github.com/Alamofire/Alamofire", exact: "5.12.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
    ],
    targets: [
        .testTarget(
            name: "AlamofireUploadTests",
            dependencies: [
                .product(name: "MultipartFormCodec", package: "swift-multipart-form"),
                .product(name: "Alamofire", package: "Alamofire"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests",
            swiftSettings: settings
        )
    ],
    swiftLanguageModes: [.v6]
)
