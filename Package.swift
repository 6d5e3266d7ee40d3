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

/// Targets that compute: optimized in debug builds too, because the tests run them over many random streams.
let computing = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The products of other packages that targets use, by the name of the module.
func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }
let argumentParser = product("ArgumentParser", "swift-argument-parser")
let asyncHTTPClient = product("AsyncHTTPClient", "async-http-client")
let configuration = product("Configuration", "swift-configuration")
let coreMetrics = product("CoreMetrics", "swift-metrics")
let httpTypes = product("HTTPTypes", "swift-http-types")
let hummingbird = product("Hummingbird", "hummingbird")
let hummingbirdCore = product("HummingbirdCore", "hummingbird")
let hummingbirdTesting = product("HummingbirdTesting", "hummingbird")
let logging = product("Logging", "swift-log")
let mustache = product("Mustache", "swift-mustache")
let metrics = product("Metrics", "swift-metrics")
let nioCore = product("NIOCore", "swift-nio")
let nioEmbedded = product("NIOEmbedded", "swift-nio")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioHTTPTypes = product("NIOHTTPTypes", "swift-nio-extras")
let nioHTTPTypesHTTP1 = product("NIOHTTPTypesHTTP1", "swift-nio-extras")
let nioPosix = product("NIOPosix", "swift-nio")
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let serviceLifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = product("UnixSignals", "swift-service-lifecycle")
let systemPackage = product("SystemPackage", "swift-system")
let yams = product("Yams", "Yams")

/// Packages that only the packages below use. They are named so that each commit is built with the same versions
/// everywhere. No target of ours links them: the condition keeps SwiftPM from building more of them than others need.
let pins = [
    ("swift-algorithms", "1.2.1", "Algorithms"), ("swift-asn1", "1.7.4", "SwiftASN1"),
    ("swift-async-algorithms", "1.1.4", "AsyncAlgorithms"), ("swift-atomics", "1.3.0", "Atomics"),
    ("swift-certificates", "1.21.1", "X509"), ("swift-collections", "1.6.0", "Collections"),
    ("swift-crypto", "4.5.2", "Crypto"), ("swift-distributed-tracing", "1.7.3", "Tracing"),
    ("swift-http-structured-headers", "1.7.0", "StructuredFieldValues"), ("swift-nio-http2", "1.46.0", "NIOHTTP2"),
    ("swift-nio-transport-services", "1.28.0", "NIOTransportServices"),
    ("swift-numerics", "1.1.1", "RealModule"), ("swift-service-context", "1.5.1", "ServiceContextModule"),
]
let pinned = pins.map { package, _, module in
    Target.Dependency.product(name: module, package: package, condition: .when(platforms: [.wasi]))
}

let package = Package(
    name: "tributary",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "tributary", targets: ["tributary"]),
        .executable(name: "tributaryd", targets: ["tributaryd"]),
        .library(name: "TributaryClient", targets: ["TributaryClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ] + pins.map { .package(url: "https://github.com/apple/\($0.0)", exact: Version(stringLiteral: $0.1)) },
    targets: [
        // Reading: pure, text in, values out.
        .systemLibrary(
            name: "CSimdjsonLibrary",
            pkgConfig: "simdjson",
            providers: [.apt(["libsimdjson-dev"]), .brew(["simdjson"])]
        ),
        .target(name: "CSimdjson", dependencies: ["CSimdjsonLibrary"]),
        .target(name: "JSONReading", dependencies: ["CSimdjson"], swiftSettings: computing),
        .target(name: "Text", swiftSettings: computing),
        .target(name: "Time", dependencies: ["Text"], swiftSettings: computing),
        .target(name: "InboundLinks", dependencies: ["JSONReading", "Text", "Time", yams], swiftSettings: computing),
        .target(
            name: "Events",
            dependencies: ["Cryptography", "InboundLinks", "JSONReading", "Text", "Time"],
            swiftSettings: computing
        ),

        .target(name: "Addresses", dependencies: [nioCore], swiftSettings: strict),

        // Hashes. libpq needs OpenSSL too, so every machine has it. A package with a copy of it takes minutes to build.
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: strict),

        // Keeping: PostgreSQL.
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "Postgres", dependencies: ["CLibpq", "Text", logging], swiftSettings: strict),
        .target(name: "EmbeddedPostgres", dependencies: ["Postgres", logging, systemPackage], swiftSettings: strict),
        .target(
            name: "Storage",
            dependencies: [
                "CZlib", "Cryptography", "Events", "InboundLinks", "JSONReading", "Postgres", "Redirects", "Text",
                "Time", coreMetrics, logging,
            ],
            swiftSettings: strict,
            plugins: ["EmbedFiles"]
        ),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["EmbedFilesTool"]),
        .executableTarget(name: "EmbedFilesTool", path: "Plugins/EmbedFilesTool", swiftSettings: strict),

        // Writing HTML.
        .target(name: "Markup", dependencies: ["Text", mustache], swiftSettings: strict),

        // Answering.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Gzip", dependencies: ["CZlib"], swiftSettings: strict),
        .target(
            name: "Ingest",
            dependencies: [
                "Addresses", "Events", "Gzip", "InboundLinks", "JSONReading", "QRCodes", "Redirects", "Text", "Time",
                coreMetrics, httpTypes, hummingbird, hummingbirdCore, logging, metrics, nioCore, nioHTTP1, nioHTTPTypes,
                nioHTTPTypesHTTP1,
            ],
            exclude: ["Endpoints/openapi.yaml"],
            swiftSettings: strict,
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "Timelines",
            dependencies: ["Cryptography", "Events", "InboundLinks", "Postgres", "Storage", "Time"],
            swiftSettings: computing,
            plugins: ["EmbedFiles"]
        ),
        .target(
            name: "Reporting",
            dependencies: [
                "Events", "InboundLinks", "JSONReading", "Markup", "Postgres", "Storage", "Text", "Time", "Timelines",
            ],
            swiftSettings: computing,
            plugins: ["EmbedFiles"]
        ),

        .target(
            name: "Answering",
            dependencies: ["InboundLinks", "Ingest", "Postgres", "Reporting", "Storage", "Time", logging],
            swiftSettings: strict
        ),

        .target(
            name: "Assistants",
            dependencies: ["InboundLinks", "JSONReading", "Postgres", "Reporting", "Storage", "Text", "Time"],
            swiftSettings: strict
        ),

        .target(
            name: "Dashboard",
            dependencies: [
                "Addresses", "Answering", "Cryptography", "Gzip", "Importing", "InboundLinks", "Ingest", "Markup",
                "Postgres", "QRCodes", "Redirects", "Reporting", "Storage", "Text", "Time", httpTypes, hummingbirdCore,
                nioCore,
            ],
            exclude: ["Pages", "Assets"],
            swiftSettings: strict,
            plugins: ["EmbedFiles"]
        ),

        // Short links: where a visitor goes. Pure.
        .target(
            name: "Redirects",
            dependencies: ["Events", "InboundLinks", "JSONReading", "Markup", "Text", "Time", yams],
            exclude: [
                "Pages/Assets", "Visitors/bot_words.txt", "Visitors/crawlers.txt", "Visitors/previewers.txt",
            ],
            swiftSettings: strict,
            plugins: ["EmbedFiles"]
        ),

        .target(name: "QRCodes", swiftSettings: strict),

        // Sending outward, to URLs that users name.
        .target(
            name: "Delivery",
            dependencies: ["Addresses", "Text", asyncHTTPClient, nioCore, nioHTTP1, nioPosix, nioSSL],
            swiftSettings: strict
        ),

        // Mails, by a program or to a server.
        .target(
            name: "Mail",
            dependencies: ["Delivery", "EmbeddedPostgres", "Time", nioCore, nioPosix, nioSSL],
            swiftSettings: strict
        ),

        .target(
            name: "Webhooks",
            dependencies: [
                "Cryptography", "Delivery", "Events", "InboundLinks", "JSONReading", "Postgres", "Reporting", "Storage",
                "Time", "Timelines",
            ],
            swiftSettings: strict,
            plugins: ["EmbedFiles"]
        ),

        // Bringing in.
        .target(
            name: "Importing",
            dependencies: [
                "Cryptography", "Events", "Gzip", "InboundLinks", "JSONReading", "Redirects", "Storage", "Text", "Time",
                yams,
            ],
            swiftSettings: strict
        ),

        // The two programs.
        .systemLibrary(name: "CAllocator"),
        .target(
            name: "Settings",
            dependencies: [
                "CAllocator", "EmbeddedPostgres", "JSONReading", "Mail", "Postgres", "Text", "Time", configuration,
                logging, nioCore, systemPackage, yams,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tributaryd",
            dependencies: [
                "Addresses", "Answering", "Cryptography", "Dashboard", "Delivery", "EmbeddedPostgres", "Events",
                "Importing", "InboundLinks", "Ingest", "Mail", "Postgres", "Redirects", "Reporting", "Settings",
                "Storage", "Time", "Timelines", "Webhooks", argumentParser, coreMetrics, hummingbird, logging, nioCore,
                nioPosix, serviceLifecycle, unixSignals,
            ] + pinned,
            swiftSettings: strict
        ),
        .executableTarget(
            name: "tributary",
            dependencies: [
                "Addresses", "Assistants", "Cryptography", "Dashboard", "Delivery", "EmbeddedPostgres", "Events",
                "Gzip", "Importing", "InboundLinks", "Ingest", "JSONReading", "Mail", "Postgres", "QRCodes",
                "Redirects", "Reporting", "Settings", "Storage", "Text", "Time", "Timelines", "Webhooks",
                argumentParser, asyncHTTPClient, logging, nioCore, nioHTTP1, nioPosix, unixSignals,
            ],
            swiftSettings: strict
        ),

        // For the backends that send events: the only target with a public interface.
        .target(
            name: "TributaryClient",
            dependencies: [asyncHTTPClient, logging, nioCore, nioHTTP1, serviceLifecycle],
            swiftSettings: strict
        ),

        // `make bench`: the HTTP limit.
        .executableTarget(
            name: "body-reader",
            dependencies: [hummingbird],
            path: "Benchmarks/BodyReader",
            swiftSettings: strict
        ),

        // Tests.
        .target(name: "RandomTesting", path: "Tests/RandomTesting", swiftSettings: computing),
        .target(name: "EventTesting", dependencies: ["Events"], path: "Tests/EventTesting", swiftSettings: strict),
        .target(
            name: "PostgresTesting",
            dependencies: ["EmbeddedPostgres", "Postgres", "Reporting", "Storage", logging],
            path: "Tests/PostgresTesting",
            swiftSettings: strict
        ),
        .target(
            name: "DeliveryTesting",
            dependencies: [nioCore, nioHTTP1, nioPosix, nioSSL],
            path: "Tests/DeliveryTesting",
            swiftSettings: strict
        ),
        .testTarget(name: "JSONReadingTests", dependencies: ["JSONReading", "RandomTesting"], swiftSettings: strict),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "RandomTesting"],
            swiftSettings: strict
        ),
        .testTarget(name: "TimeTests", dependencies: ["RandomTesting", "Time"], swiftSettings: strict),
        .testTarget(
            name: "InboundLinksTests",
            dependencies: ["InboundLinks", "JSONReading", "RandomTesting", "Time"],
            resources: [.copy("Vectors")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EventsTests",
            dependencies: ["EventTesting", "Events", "InboundLinks", "JSONReading", "RandomTesting", "Time"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PostgresTests",
            dependencies: ["Postgres", "PostgresTesting", "RandomTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EmbeddedPostgresTests",
            dependencies: ["EmbeddedPostgres", "Postgres", "PostgresTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "EventTesting", "Events", "InboundLinks", "JSONReading", "Postgres", "PostgresTesting", "RandomTesting",
                "Redirects", "Storage", "Time", coreMetrics, logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IngestTests",
            dependencies: [
                "Addresses", "Events", "Gzip", "InboundLinks", "Ingest", "JSONReading", "RandomTesting", "Redirects",
                "Time", coreMetrics, httpTypes, hummingbird, hummingbirdCore, hummingbirdTesting, logging, nioCore,
                nioEmbedded, nioHTTP1, nioPosix, serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ReportingTests",
            dependencies: [
                "Delivery", "EventTesting", "Events", "InboundLinks", "JSONReading", "Postgres", "PostgresTesting",
                "RandomTesting", "Redirects", "Reporting", "Storage", "Text", "Time", "Timelines", "Webhooks",
            ],
            swiftSettings: computing
        ),
        .testTarget(
            name: "AssistantsTests",
            dependencies: [
                "Assistants", "JSONReading", "Postgres", "PostgresTesting", "Reporting", "Storage",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Addresses", "Answering", "Dashboard", "Ingest", "Markup", "Postgres", "PostgresTesting", "QRCodes",
                "RandomTesting", "Redirects", "Reporting", "Storage", "Time", httpTypes, hummingbirdCore, logging,
                nioCore,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "QRCodesTests",
            dependencies: ["JSONReading", "QRCodes"],
            resources: [.copy("Vectors")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RedirectsTests",
            dependencies: ["Events", "InboundLinks", "JSONReading", "Markup", "RandomTesting", "Redirects", "Time"],
            resources: [.copy("Vectors")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DeliveryTests",
            dependencies: ["Addresses", "Delivery", "DeliveryTesting", nioSSL],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MailTests",
            dependencies: ["Mail", "Time", nioCore, nioPosix, nioSSL],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "Cryptography", "Delivery", "DeliveryTesting", "Events", "InboundLinks", "JSONReading", "Postgres",
                "PostgresTesting", "RandomTesting", "Reporting", "Storage", "Time", "Timelines", "Webhooks",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TributaryClientTests",
            dependencies: [
                "Events", "RandomTesting", "TributaryClient", asyncHTTPClient, logging, nioCore, nioHTTP1,
                serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ImportingTests",
            dependencies: [
                "Events", "Gzip", "Importing", "InboundLinks", "JSONReading", "Postgres", "PostgresTesting",
                "RandomTesting", "Redirects", "Storage", "Time", logging,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SettingsTests",
            dependencies: ["JSONReading", "Mail", "Settings", "Time", logging],
            swiftSettings: strict
        ),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Answering", "Cryptography", "Dashboard", "Delivery", "DeliveryTesting", "Events", "InboundLinks",
                "Ingest", "Mail", "Postgres", "PostgresTesting", "RandomTesting", "Redirects", "Reporting", "Settings",
                "Storage", "Time", "Webhooks", "tributaryd", logging, nioCore, serviceLifecycle,
            ],
            swiftSettings: strict
        ),
        // `make check-citus`.
        .testTarget(
            name: "CitusTests",
            dependencies: [
                "Answering", "Dashboard", "Delivery", "EmbeddedPostgres", "Events", "InboundLinks", "Ingest",
                "Postgres", "PostgresTesting", "Reporting", "Settings", "Storage", "Time", "Timelines", "tributary",
                "tributaryd", "Webhooks", logging,
            ],
            swiftSettings: strict
        ),
        // `make torture`.
        .executableTarget(
            name: "torture",
            dependencies: [
                "EmbeddedPostgres", "Events", "Gzip", "InboundLinks", "JSONReading", "Postgres", "RandomTesting",
                "Storage", "Time", "tributary", "tributaryd", argumentParser, asyncHTTPClient, logging, nioCore,
                nioHTTP1,
            ],
            path: "Tests/Torture",
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Cryptography", "DeliveryTesting", "EmbeddedPostgres", "EventTesting", "Events", "JSONReading",
                "Postgres", "PostgresTesting", "RandomTesting", "Redirects", "Time", "TributaryClient", "torture",
                "tributary", "tributaryd", argumentParser, asyncHTTPClient, logging, nioCore, nioHTTP1, nioPosix,
            ],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)
