// swift-tools-version: 6.2

import PackageDescription

/// CI sets this (`.ci/run`); elsewhere a newer compiler's warnings should not lock users out.
let treatsWarningsAsErrors = Context.environment["TRIBUTARY_WARNINGS_AS_ERRORS"] != nil

/// Every target: the newest checks of Swift 6.
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (treatsWarningsAsErrors ? [.treatAllWarnings(as: .error)] : [])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let asyncHTTPClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTPCompression = Target.Dependency.product(name: "NIOHTTPCompression", package: "swift-nio-extras")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "tributary",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tributary", targets: ["tributary"]),
        .executable(name: "tributaryd", targets: ["tributaryd"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // Reading: pure, text in, values out.
        .systemLibrary(
            name: "CSimdjsonLibrary",
            pkgConfig: "simdjson",
            providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]
        ),
        .target(name: "CSimdjson", dependencies: ["CSimdjsonLibrary"]),
        .target(name: "JSONReading", dependencies: ["CSimdjson"], swiftSettings: strict),
        .target(name: "InboundLinks", dependencies: ["JSONReading"], swiftSettings: strict),
        .target(name: "Events", dependencies: ["InboundLinks", "JSONReading"], swiftSettings: strict),

        // Keeping: PostgreSQL.
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "Postgres", dependencies: ["CLibpq", logging], swiftSettings: strict),
        .target(name: "EmbeddedPostgres", dependencies: ["Postgres", logging], swiftSettings: strict),
        .target(
            name: "Storage",
            dependencies: ["Events", "InboundLinks", "JSONReading", "Postgres", crypto, logging],
            swiftSettings: strict,
            plugins: ["EmbedSQL"]
        ),
        .plugin(name: "EmbedSQL", capability: .buildTool(), dependencies: ["EmbedSQLTool"]),
        .executableTarget(name: "EmbedSQLTool", path: "Plugins/EmbedSQLTool", swiftSettings: strict),

        // Answering.
        .target(
            name: "Ingest",
            dependencies: [
                "Events", "InboundLinks", "JSONReading", hummingbird, logging, metrics, nioCore, nioHTTPCompression,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Reporting",
            dependencies: ["Events", "InboundLinks", "Postgres", "Storage"],
            swiftSettings: strict
        ),

        // The two programs.
        .target(
            name: "Settings",
            dependencies: ["EmbeddedPostgres", "Postgres", configuration, logging, systemPackage],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tributaryd",
            dependencies: [
                "EmbeddedPostgres", "Events", "InboundLinks", "Ingest", "Postgres", "Reporting", "Settings", "Storage",
                argumentParser, hummingbird, logging, serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tributary",
            dependencies: [
                "EmbeddedPostgres", "Events", "InboundLinks", "Postgres", "Reporting", "Settings", "Storage",
                argumentParser, asyncHTTPClient, logging, nioCore,
            ],
            swiftSettings: strict
        ),

        // Tests.
        .target(
            name: "PostgresTesting",
            dependencies: ["EmbeddedPostgres", "Postgres", logging],
            path: "Tests/PostgresTesting",
            swiftSettings: strict
        ),
        .testTarget(name: "JSONReadingTests", dependencies: ["JSONReading"], swiftSettings: strict),
        .testTarget(
            name: "InboundLinksTests",
            dependencies: ["InboundLinks", "JSONReading"],
            resources: [.copy("Vectors")],
            swiftSettings: strict
        ),
        .testTarget(name: "EventsTests", dependencies: ["Events", "InboundLinks", "JSONReading"], swiftSettings: strict),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "PostgresTesting"], swiftSettings: strict),
        .testTarget(
            name: "EmbeddedPostgresTests",
            dependencies: ["EmbeddedPostgres", "Postgres"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: ["Events", "InboundLinks", "Postgres", "PostgresTesting", "Storage"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IngestTests",
            dependencies: ["Events", "InboundLinks", "Ingest", hummingbird, hummingbirdTesting],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: ["Events", "InboundLinks", "Postgres", "PostgresTesting", "Reporting", "Storage"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["JSONReading", "Postgres", "PostgresTesting", "tributary", "tributaryd", asyncHTTPClient],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
