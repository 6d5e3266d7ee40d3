package import Hummingbird
import HummingbirdCore
package import Time
package import Logging
import NIOCore
import Redirects

/// Makes the HTTP side of the daemon: a service for a `ServiceGroup`. On graceful shutdown it stops accepting, finishes
/// the requests in flight, and returns from `run()`. Services that the sink needs must shut down after it.
///
/// - Parameters:
///   - apps: those of each database. ``Principal/database`` is a position in this list, which is not empty.
///   - pages: answers the paths that the API does not have.
///   - metrics: the metrics that `/metrics` exposes. The same object may be the backend of the whole process.
///   - clock: the wall clock, for `/healthz`.
///   - now: the wall clock, for the time of receipt. While it throws, requests that write are answered with 503.
///   - onListening: called once, with the address and the port that were bound.
/// - Throws: if a template of a page cannot be read.
package func makeIngestApplication(
    configuration: IngestConfiguration,
    authenticator: any KeyAuthenticator,
    readiness: any ReadinessProbe,
    apps: [ServedApps],
    pages: (any PageResponder)? = nil,
    metrics: PrometheusMetrics,
    logger: Logger,
    clock: @escaping @Sendable () -> Timestamp = { .now },
    now: @escaping @Sendable () throws(ClockFault) -> Timestamp = { .now },
    onListening: @escaping @Sendable (_ host: String, _ port: Int) async -> Void = { _, _ in }
) throws -> Application<IngestResponder> {
    let limits = configuration.limits
    let counts = IngestMetrics(metrics)
    let connections = OpenConnections(
        limit: limits.affordableConnections(logger: logger),
        onEviction: counts.evictedConnection
    )
    let keys = KeyGuard(
        authenticator: authenticator,
        limiter: limits.rateLimit.map(RateLimiter.init)
    )
    let write = WriteEndpoint(
        keys: keys,
        gate: AdmissionGate(
            Admission(
                requestLimit: limits.requestsInFlight,
                byteLimit: limits.bytesInFlight,
                isShared: true
            ),
            retryAfter: limits.retryAfter,
            onChange: counts.inFlight,
            onRefusal: counts.refused
        ),
        appKeyLimits: AppKeyLimits(limits),
        apps: apps,
        deadline: Deadline(limits.storeDeadline),
        retention: configuration.retention,
        limits: limits,
        metrics: counts,
        now: now
    )
    let redirects = RedirectEndpoint(
        apps: apps,
        proxies: configuration.trustedProxies,
        countryHeader: configuration.countryHeader,
        limiter: limits.visitorRateLimit.map(RateLimiter.init),
        metrics: RedirectMetrics(metrics),
        ids: ClickIDs(),
        now: now
    )
    let isAway: @Sendable (Principal) -> Bool = { apps[$0.database].isAway() }
    let room = AnswerAdmission(
        gate: AdmissionGate(
            Admission(
                requestLimit: limits.answersInFlight,
                byteLimit: limits.bytesInFlight,
                isShared: true
            ),
            retryAfter: limits.retryAfter,
            onRefusal: counts.refused
        ),
        deadline: Deadline(limits.storeDeadline),
        isAway: isAway
    )
    let reportRoom = AnswerAdmission(
        gate: AdmissionGate(
            Admission(requestLimit: limits.reportsInFlight, byteLimit: 0, isShared: true),
            retryAfter: limits.retryAfter,
            onChange: { counts.reportsInFlight($0.requests) }
        ),
        deadline: Deadline(limits.reportDeadline),
        tooLong: "The report took too long; ask for a shorter range.",
        isAway: isAway
    )
    let endpoints = apps.map { apps in
        AppEndpoints(
            report: ReportEndpoint(room: reportRoom, source: apps.reports),
            questions: QuestionEndpoint(room: reportRoom, source: apps.reports),
            answers: AnswerEndpoint(room: room, source: apps.answers, metrics: counts),
            links: LinkEndpoint(room: room, source: apps.links, limits: limits),
            costs: CostEndpoint(room: room, source: apps.costs, limits: limits),
            rates: RateEndpoint(
                // A file of rates may have hundreds of thousands.
                room: AnswerAdmission(gate: room.gate, deadline: Deadline(limits.reportDeadline), isAway: isAway),
                source: apps.rates,
                limits: limits
            )
        )
    }
    let responder = IngestResponder(
        keys: keys,
        endpoints: endpoints,
        directories: apps.map(\.directory),
        proxies: configuration.trustedProxies,
        service: ServiceEndpoint(
            probe: readiness,
            exposition: metrics.exposition,
            version: configuration.version,
            now: clock,
            apiDescription: OpenAPIDescription.text(reports: apps[0].reports.offers)
        ),
        pages: pages,
        connections: connections,
        metrics: counts
    )
    return Application(
        responder: responder,
        server: HTTPServerBuilder { responder in
            IngestChannel(
                responder: responder,
                write: write,
                redirects: redirects,
                limits: limits,
                connections: connections,
                serverName: configuration.serverName,
                onRefusal: counts.refusedInput,
                onConnection: counts.connectionsChanged
            )
        },
        configuration: ApplicationConfiguration(
            address: .hostname(configuration.host, port: configuration.port),
            serverName: configuration.serverName,
            availableConnectionsDelegate: connections
        ),
        onServerRunning: { channel in
            let port = channel.localAddress?.port ?? configuration.port
            logger.notice("listening", metadata: ["address": "\(configuration.listeningAddress(port: port))"])
            await onListening(configuration.host, port)
        },
        logger: logger
    )
}

extension IngestLimits {
    /// Open files that are reserved for the database, the spool and the program itself.
    private static let reservedFiles = 128

    fileprivate func affordableConnections(logger: Logger) -> Int {
        guard let files = ProcessFiles.openFileLimit else { return connections }
        let affordable = max(16, files - Self.reservedFiles)
        if affordable < connections {
            logger.notice(
                "accepting fewer connections than configured: the limit of open files is too low",
                metadata: ["configured": "\(connections)", "connections": "\(affordable)", "open_files": "\(files)"]
            )
        }
        return min(connections, affordable)
    }
}
