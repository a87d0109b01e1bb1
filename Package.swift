// swift-tools-version: 6.2
import PackageDescription

/// Every target is compiled alike: the Swift 6 language mode, the upcoming features the house relies on, warnings as
/// errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Tests/Fuzz/run sets it to the path of libFuzzer without its own `main`, which would take the place of ours in debug
/// builds. The modules then count what an input reaches.
let libFuzzer = Context.environment["CAUSEBOARD_FUZZ"]
let house = strict + (libFuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// A module of the house: its folder is its name, and what it may import is what stands here.
func module(_ name: String, imports: [Target.Dependency] = [], path: String? = nil, plugins: [Target.PluginUsage] = [])
    -> Target
{ .target(name: name, dependencies: imports, path: path, swiftSettings: house, plugins: plugins) }

/// The tests of a module, in the folder that mirrors it.
func tests(of name: String, imports: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.byName(name: name)] + imports, swiftSettings: house)
}

let package = Package(
    name: "causeboard", platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "causeboard", targets: ["causeboard"]),
        .library(name: "CauseboardClient", targets: ["CauseboardClient", "Contract"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // C libraries.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CGD", providers: [.apt(["libgd-dev", "libpng-dev"])]),
        .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
        .systemLibrary(name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
        .systemLibrary(name: "CFriBidi", pkgConfig: "fribidi", providers: [.apt(["libfribidi-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Files as string literals: the statements, the contract, the pages, and the versions of packages.
        .executableTarget(name: "EmbedTool", path: "Sources/Embed/Tool", swiftSettings: strict),
        .plugin(name: "EmbedSQL", capability: .buildTool(), dependencies: ["EmbedTool"], path: "Sources/Embed/SQL"),
        .plugin(
            name: "EmbedQueries", capability: .buildTool(), dependencies: ["EmbedTool"], path: "Sources/Embed/Queries"),
        .plugin(
            name: "EmbedContract", capability: .buildTool(), dependencies: ["EmbedTool"], path: "Sources/Embed/Contract"
        ),
        .plugin(name: "EmbedPages", capability: .buildTool(), dependencies: ["EmbedTool"], path: "Sources/Embed/Pages"),
        .plugin(
            name: "EmbedPackages", capability: .buildTool(), dependencies: ["EmbedTool"], path: "Sources/Embed/Packages"
        ), module("Statements", path: "SQL", plugins: ["EmbedSQL"]),

        // What server and client agree on.
        module("Contract"),

        // The house, from the ground up.
        module("Concurrency"), module("Domain"), module("Credentials", imports: ["Domain", crypto]),
        module("Telemetry", imports: [coreMetrics, logging, nioCore, nioHTTP1, nioPosix, nioSSL, tracing]),
        module("Postgres", imports: ["CLinux", "CPQ", "Concurrency", logging, serviceLifecycle, tracing]),
        module("EmbeddedPostgres", imports: [logging, serviceLifecycle]), module("Gzip", imports: ["CZlib"]),
        module("Backup", imports: ["Domain", "Gzip", crypto]), module("Avatars", imports: ["CGD"]),
        module("Feeds", imports: ["Domain"]),
        module("Drawings", imports: ["CFontconfig", "CFreeType", "CFriBidi", "CGD", "Domain", "Feeds", crypto]),
        module("Pages", imports: ["Domain", "Drawings", crypto, mustache], plugins: ["EmbedPages"]),
        module(
            "Storage",
            imports: ["Concurrency", "Credentials", "Domain", "Postgres", "Statements", crypto, logging, tracing],
            plugins: ["EmbedQueries"]), module("Demo", imports: ["Avatars", "CGD", "Domain", "Storage"]),
        module("OrderStatistics"),
        module(
            "Leaderboard",
            imports: [
                "Concurrency", "Domain", "OrderStatistics", "Storage", coreMetrics, logging, serviceLifecycle, tracing,
            ]),
        module(
            "HTTPServer",
            imports: ["Domain", httpTypes, logging, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioSSL, nioTLS]),
        module("Outgoing", imports: ["Domain", "HTTPServer", nioCore, nioHTTP1, nioPosix, nioSSL]),
        module(
            "SignIn",
            imports: [
                "Credentials", "Domain", "Outgoing", coreMetrics, crypto, cryptoExtras, logging, serviceLifecycle,
            ]),
        module(
            "HTTP",
            imports: [
                "Avatars", "Concurrency", "Contract", "Credentials", "Domain", "Drawings", "Feeds", "Gzip",
                "HTTPServer", "Leaderboard", "Outgoing", "Pages", "SignIn", "Storage", "Telemetry", coreMetrics, crypto,
                httpTypes, logging, nioCore, nioPosix, tracing,
            ], plugins: ["EmbedContract"]),
        .executableTarget(
            name: "causeboard",
            dependencies: [
                "Backup", "CLinux", "Credentials", "Demo", "Domain", "EmbeddedPostgres", "Feeds", "HTTP", "HTTPServer",
                "Leaderboard", "Outgoing", "Pages", "Postgres", "SignIn", "Storage", "Telemetry", argumentParser,
                configuration, logging, nioCore, nioPosix, serviceLifecycle, tracing, unixSignals,
            ], swiftSettings: house, plugins: ["EmbedPackages"]),

        // What a game adds; Apple's systems have CryptoKit.
        module(
            "CauseboardClient",
            imports: [
                "Contract", .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux])),
            ]),

        // A game in a terminal, which the library's documentation explains.
        .executableTarget(name: "TerminalGame", dependencies: ["CauseboardClient", "Contract"], swiftSettings: house),

        // A baseline of deploy/bench.
        .executableTarget(
            name: "OrderStatisticsBenchmark", dependencies: ["OrderStatistics", "TestDice"],
            path: "deploy/benchmark/standings", swiftSettings: house),

        // A game that the end-to-end tests play.
        .executableTarget(
            name: "ExampleGame", dependencies: ["CauseboardClient", "Contract"], path: "Tests/EndToEnd/clients/game",
            swiftSettings: house),

        // Tests mirror the sources; whole processes are tested by Tests/EndToEnd.
        .target(name: "TestDice", path: "Tests/TestDice", swiftSettings: house),
        .target(name: "TestXML", path: "Tests/TestXML", swiftSettings: house), tests(of: "Contract", imports: ["HTTP"]),
        tests(of: "CauseboardClient", imports: ["Contract", "TestDice"]),
        tests(of: "TerminalGame", imports: ["Contract", "TestDice"]), tests(of: "Domain", imports: ["TestDice"]),
        tests(of: "Concurrency", imports: ["TestDice"]), tests(of: "Credentials", imports: ["Domain"]),
        tests(of: "Telemetry", imports: [coreMetrics, logging, nioCore, nioHTTP1, nioPosix, tracing]),
        tests(of: "Postgres", imports: ["CPQ", "TestDatabases", "TestDice", logging, serviceLifecycle]),
        tests(of: "EmbeddedPostgres", imports: ["TestDatabases", logging, serviceLifecycle]),
        tests(of: "Gzip", imports: ["CZlib"]), tests(of: "Backup", imports: ["Domain", "Gzip", "TestDice"]),
        tests(of: "Avatars", imports: ["CGD", "TestDice"]),
        tests(of: "Feeds", imports: ["Domain", "TestDice", "TestXML"]),
        tests(of: "Pages", imports: ["Domain", "Drawings"]),
        tests(of: "Drawings", imports: ["CGD", "Domain", "TestDice", "TestXML"]),
        .target(
            name: "TestDatabases",
            dependencies: ["Credentials", "Domain", "EmbeddedPostgres", "Postgres", "Storage", logging],
            path: "Tests/TestDatabases", swiftSettings: house),
        tests(
            of: "Storage",
            imports: [
                "Concurrency", "Credentials", "Domain", "Postgres", "Statements", "TestDatabases", "TestDice", crypto,
                logging,
            ]), tests(of: "OrderStatistics", imports: ["TestDice"]),
        tests(
            of: "Leaderboard",
            imports: [
                "Concurrency", "Credentials", "Domain", "Postgres", "OrderStatistics", "Storage", "Telemetry",
                "TestDatabases", "TestDice",
            ]), tests(of: "Demo", imports: ["Domain", "Postgres", "Storage", "TestDatabases"]),
        tests(
            of: "causeboard",
            imports: [
                "Credentials", "Domain", "HTTP", "HTTPServer", "Storage", argumentParser, logging, nioCore, nioPosix,
                serviceLifecycle,
            ]),
        tests(
            of: "HTTPServer",
            imports: [
                "Domain", "TestDatabases", "TestDice", httpTypes, nioCore, nioEmbedded, nioHPACK, nioHTTP1, nioHTTP2,
            ]), tests(of: "Outgoing", imports: ["Domain", "HTTPServer", nioCore, nioPosix, nioSSL]),
        tests(of: "SignIn", imports: ["Credentials", "Domain", "Outgoing", "TestDice", crypto, cryptoExtras, logging]),
        tests(
            of: "HTTP",
            imports: [
                "Concurrency", "Contract", "Credentials", "Domain", "Feeds", "HTTPServer", "Leaderboard", "Outgoing",
                "Pages", "Postgres", "SignIn", "Storage", "Telemetry", "TestDatabases", "TestDice", crypto, httpTypes,
                logging, nioCore, nioEmbedded, nioHPACK, nioHTTP1, nioHTTP2, nioPosix, nioSSL,
            ]),
    ])

/// What the checks of the fuzzed parsers import.
let fuzzed: [Target.Dependency] = [
    "Avatars", "Credentials", "Domain", "Feeds", "HTTP", "HTTPServer", "Leaderboard", "Postgres", "SignIn", "Storage",
    httpTypes, logging, nioCore, nioEmbedded, nioHTTP1,
]

if let libFuzzer {
    package.targets += [
        .target(name: "LibFuzzer", path: "Tests/Fuzz/LibFuzzer"),
        .executableTarget(
            name: "Fuzz", dependencies: ["LibFuzzer"] + fuzzed, path: "Tests/Fuzz/Sources", swiftSettings: house,
            linkerSettings: [.unsafeFlags([libFuzzer, "-lstdc++", "-use-ld=lld"])]),
    ]
} else {
    // The same checks with the inputs of the corpora.
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
            exclude: ["run", "Corpus", "LibFuzzer", "Sources/Fuzz.swift"], sources: ["Sources", "Replay"],
            swiftSettings: house))
}
