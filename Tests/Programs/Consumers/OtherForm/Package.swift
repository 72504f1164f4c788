// swift-tools-version: 6.2
import PackageDescription

// A public package has a product and a module of these names.
let package = Package(
    name: "OtherForm",
    products: [.library(name: "MultipartForm", targets: ["MultipartForm"])],
    targets: [.target(name: "MultipartForm")]
)
