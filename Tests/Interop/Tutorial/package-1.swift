// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "photos",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(path: "../swift-multipart-form"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird",
            from: "2.28.1"
        ),
    ],
    targets: [
        .executableTarget(
            name: "server",
            dependencies: [
                .product(
                    name: "MultipartFormCodec",
                    package: "swift-multipart-form"
                ),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]
        )
    ]
)
