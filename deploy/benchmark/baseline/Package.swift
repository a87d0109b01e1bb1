// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, because nothing but the benchmark needs Hummingbird.
let package = Package(
    name: "BaselineServer", platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "BaselineServer",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ], path: ".", sources: ["BaselineServer.swift"])
    ])
