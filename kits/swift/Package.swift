// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "TributaryApp",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Tributary", targets: ["Tributary"])],
    targets: [
        .target(name: "Tributary"),
        .testTarget(name: "TributaryTests", dependencies: ["Tributary"]),
    ]
)
