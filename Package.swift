// swift-tools-version: 6.2

import PackageDescription

/// Every target: the newest checks of Swift 6. Warnings are errors in CI (`.ci/run`), not here, so that a newer compiler
/// does not lock users out.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

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
        .target(
            name: "Postgres",
            dependencies: ["CLibpq", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .target(
            name: "EmbeddedPostgres",
            dependencies: ["Postgres", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "Events", "Postgres",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict,
            plugins: ["EmbedSQL"]
        ),
        .plugin(name: "EmbedSQL", capability: .buildTool(), dependencies: ["EmbedSQLTool"]),
        .executableTarget(name: "EmbedSQLTool", path: "Plugins/EmbedSQLTool", swiftSettings: strict),

        // Answering.
        .target(
            name: "Ingest",
            dependencies: [
                "Events",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
            ],
            swiftSettings: strict
        ),
        .target(name: "Reporting", dependencies: ["Storage"], swiftSettings: strict),

        // The two programs.
        .executableTarget(
            name: "tributaryd",
            dependencies: [
                "EmbeddedPostgres", "Ingest", "Reporting", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tributary",
            dependencies: [
                "EmbeddedPostgres", "Reporting", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
