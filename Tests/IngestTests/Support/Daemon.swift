import Hummingbird
import HummingbirdTesting
import Time
import Logging
import Redirects
import Testing

@testable import Ingest

/// The HTTP layer with everything behind it in memory.
struct Daemon {
    var limits = IngestLimits()
    var sink = RecordingSink()
    var keys = KnownKeys()
    var readiness = FixedReadiness()
    var reports = CannedReports()
    var answers = CannedAnswers()
    var links = MemoryLinks()
    var costs = MemoryCosts()
    var rates = MemoryRates()
    var directory = LinkDirectory(loaded: LinkTable())
    var clicks = RecordingClicks()
    /// Whether the database is known to be away.
    var isAway = false
    var proxies = TrustedProxies.loopback
    var countryHeader: String?
    /// Those of further databases.
    var otherApps: [ServedApps] = []
    let metrics = PrometheusMetrics()
    /// 2026-11-21T12:00:00Z.
    var now = Timestamp(microseconds: 1_795_262_400_000_000)
    /// Why the clock cannot be trusted.
    var clockFault: ClockFault?

    var apps: ServedApps {
        ServedApps(
            sink: sink,
            reports: reports,
            answers: answers,
            links: links,
            costs: costs,
            rates: rates,
            directory: directory,
            clicks: clicks,
            isAway: { [isAway] in isAway }
        )
    }

    var application: Application<IngestResponder> {
        get throws { try makeApplication() }
    }

    func makeApplication(
        onListening: @escaping @Sendable (_ host: String, _ port: Int) async -> Void = { _, _ in }
    ) throws -> Application<IngestResponder> {
        var configuration = IngestConfiguration()
        configuration.port = 0
        configuration.version = "1.2.3"
        configuration.limits = limits
        configuration.trustedProxies = proxies
        configuration.countryHeader = countryHeader
        let (now, clockFault) = (now, clockFault)
        return try makeIngestApplication(
            configuration: configuration,
            authenticator: keys,
            readiness: readiness,
            apps: [apps] + otherApps,
            metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            clock: { now },
            now: { () throws(ClockFault) in
                if let clockFault { throw clockFault }
                return now
            },
            onListening: onListening
        )
    }

    @discardableResult
    func test<Value: Sendable>(_ body: @Sendable (any TestClientProtocol) async throws -> Value) async throws -> Value {
        try await application.test(.live, body)
    }

    /// Runs a server for tests that send bytes. The system chooses the port.
    @discardableResult
    func testLive<Value: Sendable>(_ body: @Sendable (_ port: Int) async throws -> Value) async throws -> Value {
        try await application.test(.live) { client in
            try await body(try #require(client.port))
        }
    }
}
