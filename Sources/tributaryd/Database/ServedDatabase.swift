import Answering
import Dashboard
import Delivery
import Ingest
import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import Timelines

/// A database, with what the daemon does for its apps: what stores their events, what answers their questions, and what
/// runs beside that.
struct ServedDatabase: Sendable {
    /// In the settings.
    let name: String
    let address: DatabaseAddress
    let pools: DatabasePools
    let schema: DatabaseSchema
    let spool: Spool
    let writer: EventWriter
    let sink: SpoolingSink
    let apps: ServedApps
    let authenticator: RingAuthenticator
    let readiness: StorageReadiness
    let dashboard: Dashboard
    private let courier: SpoolCourier
    /// In the order in which they start, before and after the courier.
    private let services: (before: [Configuration], after: [Configuration])
    /// What keeps the server running, if the database is in a private cluster. It stops before all services.
    let keepers: [Configuration]

    /// A service with what the group does at its end.
    typealias Configuration = ServiceGroupConfiguration.ServiceConfiguration

    /// Those of the settings, in their order. Looks at each once: if it is away, its events go to the spool.
    ///
    /// - Throws: `SettingsError`, `MigrationError`, `SpoolError`: the daemon cannot serve one of them.
    static func all(
        of settings: DaemonSettings,
        clock: TrustedClock,
        client: DeliveryClient,
        failures: FailureTable,
        metrics: PrometheusMetrics,
        logger: Logger
    ) async throws -> [ServedDatabase] {
        var all: [ServedDatabase] = []
        for position in settings.databases.indices {
            all.append(
                try await ServedDatabase(
                    position,
                    of: settings,
                    clock: clock,
                    client: client,
                    failures: failures,
                    metrics: metrics,
                    logger: logger
                )
            )
        }
        return all
    }

    private init(
        _ position: Int,
        of settings: DaemonSettings,
        clock: TrustedClock,
        client: DeliveryClient,
        failures: FailureTable,
        metrics: PrometheusMetrics,
        logger: Logger
    ) async throws {
        let (database, spoolSettings) = (settings.databases[position], settings.spools[position])
        let sending = settings.sending.of(database)
        name = database.name
        var (metrics, logger) = (metrics, logger)
        if settings.databases.count > 1 {
            metrics = metrics.labelled("database", name)
            logger[metadataKey: "database"] = "\(name)"
        }
        address = try DatabaseAddress(database.place, logger: logger)
        pools = DatabasePools(
            address: address,
            storeDeadline: settings.ingest.limits.storeDeadline,
            reportConnections: settings.reports.connections,
            standby: database.isMain ? settings.standbyForReports : nil,
            logger: logger
        )
        schema = DatabaseSchema(pool: pools.delivering, logger: logger)
        spool = try await Spool.open(
            in: spoolSettings.folder,
            of: address.isKnown ? try await schema.look() : nil,
            byteLimit: spoolSettings.byteLimit,
            logger: logger
        )
        var limits = WriterLimits()
        limits.transactions = DatabasePools.storingTransactions
        writer = EventWriter(pool: pools.writing, limits: limits, logger: logger, metricsFactory: metrics)
        sink = SpoolingSink(
            writer: writer,
            spool: spool,
            patience: settings.ingest.limits.storeDeadline / 2,
            isPresent: schema.isMigrated,
            logger: logger
        )
        let keys = KeyRing(pool: pools.keys, archive: spool)
        authenticator = RingAuthenticator(ring: keys, database: position, failures: failures)
        if schema.isMigrated { await keys.read() }
        metrics.reading(StoringMetrics(spool: spool, sink: sink, pools: pools.named).gauges)
        let live = LiveIngest()
        readiness = StorageReadiness(clock: clock, address: address, schema: schema, sink: sink, spool: spool)
        let links = LinkStore(pool: pools.linking)
        let follower = LinkFollower(store: links, schema: schema, file: LinkFile(beside: spool.path), logger: logger)
        await follower.prepare()
        metrics.reading(follower.directory.metrics)
        let hits = HitCounter()
        let reader = ReportReader(
            pool: pools.reporting,
            connections: settings.reports.connections,
            places: ReportPlaces(count: DatabasePools.reportsAtOnce),
            isAway: writer.refuses
        )
        apps = ServedApps(
            sink: CountingSink(sink: sink, live: live),
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
            )
        )
        dashboard = try Dashboard(
            authenticator: authenticator,
            stores: DashboardStores(
                pool: pools.dashboard,
                reader: reader,
                allowsPrivate: settings.sending.allowsPrivate,
                failures: failures
            ),
            live: live,
            readiness: readiness,
            signInHeader: settings.signInHeader
        )
        courier = SpoolCourier(
            spool: spool,
            folder: spoolSettings.folder,
            root: spoolSettings.root,
            sink: sink,
            writer: writer,
            pool: pools.delivering,
            address: address,
            schema: schema,
            directory: follower.directory,
            logger: logger
        )
        let retention = RetentionService(
            settings: settings.retention,
            store: RetentionStore(pool: pools.maintaining, packed: TimelineRemoval()),
            schema: schema,
            clock: clock,
            logger: logger
        )
        let packing = TimelineService(
            pool: pools.packing,
            workers: ClusterWorkers(pool: pools.packingWorkers),
            schema: schema,
            logger: logger
        )
        let figures = FiguresService(
            pool: pools.figures,
            workers: ClusterWorkers(pool: pools.figuresWorkers),
            interval: settings.figuresInterval,
            schema: schema,
            metrics: FiguresMetrics(metrics),
            logger: logger
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
        let questions = QuestionService(
            pool: pools.dashboard,
            reader: reader,
            schema: schema,
            clock: clock,
            sender: QuestionSender(settings: sending, client: client),
            logger: logger
        )
        let before: [Configuration] = [
            .init(service: KeyUseService(keys: keys, logger: logger)),
            .init(service: retention),
            .init(service: packing),
            .init(service: StoringService(writer: writer, spool: spool)),
            .init(service: PresenceService(pool: pools.writing, sink: sink)),
        ]
        let after: [Configuration] = [
            .init(service: figures),
            .init(service: webhooks),
            .init(service: questions),
            .init(service: HitService(counter: hits, store: links, schema: schema, logger: logger)),
            .init(service: follower),
        ]
        services = (before, after)
        keepers = [address.cluster].compactMap(\.self).map { [address, sink] cluster in
            let keeper = ClusterKeeper(
                cluster: cluster,
                address: address,
                isDatabasePresent: { sink.isDatabasePresent },
                logger: logger
            )
            return .init(service: keeper, failureTerminationBehavior: .gracefullyShutdownGroup)
        }
    }

    /// What runs for the database, in the order in which it starts.
    ///
    /// - Parameter others: to which apps of this one may move.
    func services(beside others: [ServedDatabase]) -> [Configuration] {
        var courier = courier
        courier.others = others.map(\.courier)
        let couriers = [Configuration(service: courier, failureTerminationBehavior: .gracefullyShutdownGroup)]
        return services.before + couriers + services.after
    }
}
