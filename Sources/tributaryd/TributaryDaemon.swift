import Answering
import ArgumentParser
import CoreMetrics
import Dashboard
import Delivery
import EmbeddedPostgres
import Foundation
import Ingest
import Logging
import NIOCore
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import UnixSignals
import Timelines

/// The ingest daemon: configuration, then services, then run.
@main
struct TributaryDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributaryd",
        abstract: "Receive events over HTTP and store them in PostgreSQL, until SIGTERM or SIGINT.",
        discussion: """
            The daemon migrates the database first. Without DATABASE_URL or --database, it creates and starts a \
            private PostgreSQL cluster under .tributary (TRIBUTARY_HOME).

            A flag overrides the environment (TRIBUTARY_HOST, TRIBUTARY_PORT, …), and the environment overrides the \
            file tributary.yaml. docs/configuration.md lists all settings.
            """,
        version: TributaryVersion.current
    )

    @Option(help: "The address to listen on (default 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on (default 8080); 0 picks a free port, which the log names.")
    var port: Int?

    @Option(help: ArgumentHelp("The database (default: DATABASE_URL, otherwise a private cluster).", valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "How long a visitor of a short link waits for their click to be stored, in milliseconds (default 50).",
            valueName: "milliseconds"
        )
    )
    var clickWait: Int?

    @Option(
        help: ArgumentHelp("A YAML file of settings (default: tributary.yaml, if it exists).", valueName: "file")
    )
    var config: String?

    static func main() async {
        Allocator.keepSmall()
        do {
            var command = try parse()
            try await command.run()
        } catch {
            DaemonFailure.exit(self, because: error)
        }
    }

    /// The time from SIGTERM until requests that are still being sent are cut off.
    private static let gracePeriod: Duration = .seconds(9)
    /// The time from SIGTERM until the daemon stops waiting for a database that does not respond.
    private static let hangingPatience: Duration = .seconds(6)

    mutating func run() async throws {
        // Settings are read once; a request to read them again must not end the daemon.
        signal(SIGHUP, SIG_IGN)
        let settings = try await DaemonSettings(
            host: host,
            port: port,
            database: database,
            clickWait: clickWait,
            reader: SettingsReader(file: config)
        )
        // PostgreSQL often runs on the same machine. On two processors, a request took a fifth less time with one event
        // loop than with two.
        NIOSingletons.groupLoopCountSuggestion = max(1, System.coreCount / 2)
        let logger = settings.makeLogger()
        if let unknown = UnknownVariables(in: ProcessInfo.processInfo.environment) {
            logger.warning("unknown environment variables are ignored", metadata: ["variables": "\(unknown)"])
        }
        if let port = ProcessInfo.processInfo.environment["TRIBUTARY_PORT"], ServiceLink.isOne("TRIBUTARY_PORT", port) {
            logger.warning(
                "TRIBUTARY_PORT is ignored: Kubernetes set it for a Service; enableServiceLinks: false leaves it out"
            )
        }
        let metrics = PrometheusMetrics()
        metrics.describe(StoringMetrics.descriptions)
        MetricsSystem.bootstrap(metrics)
        let address = try DatabaseAddress(settings.database, logger: logger)
        try ListeningCheck.run(settings.ingest)

        let pools = DatabasePools(
            address: address,
            storeDeadline: settings.ingest.limits.storeDeadline,
            reportConnections: settings.reports.connections,
            standby: settings.standbyForReports,
            logger: logger
        )
        let schema = DatabaseSchema(pool: pools.delivering, logger: logger)
        let spool = try await Spool.open(
            in: settings.spool.folder,
            of: address.isKnown ? try await schema.look() : nil,
            byteLimit: settings.spool.byteLimit,
            logger: logger
        )
        var limits = WriterLimits()
        limits.transactions = DatabasePools.storingTransactions
        let writer = EventWriter(pool: pools.writing, limits: limits, logger: logger)
        let sink = SpoolingSink(
            writer: writer,
            spool: spool,
            patience: settings.ingest.limits.storeDeadline / 2,
            isPresent: schema.isMigrated,
            logger: logger
        )
        let keys = KeyRing(pool: pools.keys, archive: spool)
        let failures = FailureTable(logger: logger)
        let authenticator = RingAuthenticator(ring: keys, failures: failures)
        if schema.isMigrated { await keys.read() }
        metrics.reading(StoringMetrics(spool: spool, sink: sink, pools: pools.named).gauges)
        let clock = TrustedClock(logger: logger)
        metrics.reading(clock.metrics)
        let live = LiveIngest()
        let readiness = StorageReadiness(clock: clock, address: address, schema: schema, sink: sink, spool: spool)
        let figures = FiguresService(
            pool: pools.figures,
            workers: ClusterWorkers(pool: pools.figuresWorkers),
            interval: settings.figuresInterval,
            schema: schema,
            metrics: FiguresMetrics(metrics),
            logger: logger
        )
        let packing = TimelineService(
            pool: pools.packing,
            workers: ClusterWorkers(pool: pools.packingWorkers),
            schema: schema,
            logger: logger
        )
        let client = DeliveryClient(
            allowsPrivate: settings.sending.allowsPrivate,
            userAgent: "Tributary/\(TributaryVersion.current)"
        )
        let webhooks = WebhookService(
            finding: pools.webhooks,
            workers: ClusterWorkers(pool: pools.webhookWorkers),
            sending: pools.delivery,
            client: client,
            allowsPrivate: settings.sending.allowsPrivate,
            schema: schema,
            metrics: WebhookMetrics(metrics),
            logger: logger
        )
        let storing = CountingSink(sink: sink, live: live)
        let links = LinkStore(pool: pools.linking)
        let follower = LinkFollower(
            store: links,
            schema: schema,
            file: LinkFile(beside: spool.path),
            logger: logger
        )
        await follower.prepare()
        metrics.reading(follower.directory.metrics)
        let hits = HitCounter()
        let reader = ReportReader(
            pool: pools.reporting,
            connections: settings.reports.connections,
            places: ReportPlaces(count: DatabasePools.reportsAtOnce),
            isAway: writer.refuses
        )
        let questions = QuestionService(
            pool: pools.dashboard,
            reader: reader,
            schema: schema,
            clock: clock,
            sender: QuestionSender(settings: settings.sending, client: client),
            logger: logger
        )
        let application = try makeIngestApplication(
            configuration: settings.ingest,
            sink: storing,
            authenticator: authenticator,
            readiness: readiness,
            reports: ReportService(reader: reader, failures: failures),
            answers: AnswerService(pool: pools.answering, isAway: writer.refuses, failures: failures),
            links: LinkService(pool: pools.answering, live: follower.links, failures: failures),
            costs: CostService(pool: pools.answering, reader: reader, failures: failures),
            rates: RateService(pool: pools.answering, failures: failures),
            directory: follower.directory,
            clicks: LinkClicks(
                sink: sink,
                spool: spool,
                live: live,
                wait: settings.clickWait,
                hits: hits,
                logger: logger
            ),
            pages: try Dashboard(
                authenticator: authenticator,
                source: DashboardReports(reader: reader, failures: failures),
                stores: DashboardStores(
                    pool: pools.dashboard,
                    reader: reader,
                    allowsPrivate: settings.sending.allowsPrivate,
                    failures: failures
                ),
                live: live,
                readiness: readiness,
                signInHeader: settings.signInHeader
            ),
            metrics: metrics,
            logger: logger,
            now: clock.now,
            onListening: { _, port in
                let note = DaemonNote(
                    process: getpid(),
                    address: settings.ingest.listeningAddress(port: port),
                    version: TributaryVersion.current
                )
                // Only `tributary doctor` reads it.
                try? note.write(beside: spool.path)
            }
        )
        defer { DaemonNote.remove(beside: spool.path) }
        let courier = SpoolCourier(
            spool: spool,
            folder: settings.spool.folder,
            sink: sink,
            writer: writer,
            pool: pools.delivering,
            address: address,
            schema: schema,
            directory: follower.directory,
            logger: logger
        )
        // Services stop in reverse order: no new requests, no more deliveries, then waiting events are committed.
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: KeyUseService(keys: keys, logger: logger)),
                .init(service: ClockService(clock: clock, pool: pools.keys)),
                .init(
                    service: RetentionService(
                        settings: settings.retention,
                        store: RetentionStore(pool: pools.maintaining, packed: TimelineRemoval()),
                        schema: schema,
                        clock: clock,
                        logger: logger
                    )
                ),
                .init(service: packing),
                .init(service: StoringService(writer: writer, spool: spool)),
                .init(service: PresenceService(pool: pools.writing, sink: sink)),
                .init(service: courier, failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: figures),
                .init(service: webhooks),
                .init(service: questions),
                .init(service: HitService(counter: hits, store: links, schema: schema, logger: logger)),
                .init(service: follower),
                .init(service: application),
                .init(service: ShutdownDeadline(patience: Self.hangingPatience, pools: pools.all, logger: logger)),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        if let cluster = address.cluster {
            let keeper = ClusterKeeper(
                cluster: cluster,
                address: address,
                isDatabasePresent: { sink.isDatabasePresent },
                logger: logger
            )
            configuration.services.append(
                .init(service: keeper, failureTerminationBehavior: .gracefullyShutdownGroup)
            )
        }
        configuration.maximumGracefulShutdownDuration = Self.gracePeriod
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch is CancellationError {
            // The grace period is over: senders were too slow. Answered events are stored.
        } catch {
            await client.shutdown()
            throw ListeningCheck.error(error, settings.ingest) ?? error
        }
        await client.shutdown()
        for pool in pools.all { await pool.close() }
        logger.notice("stopped")
    }
}
