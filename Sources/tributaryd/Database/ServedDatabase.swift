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
    private let logger: Logger
    private let courier: SpoolCourier
    private let follower: LinkFollower
    /// In the order in which they start, before and after the courier.
    private let services: (before: [Configuration], after: [Configuration])
    /// What keeps the server running, if the database is in a private cluster. It stops before all services.
    let keepers: [Configuration]

    /// A service with what the group does at its end.
    typealias Configuration = ServiceGroupConfiguration.ServiceConfiguration

    /// Those of the settings, in their order. Looks at each once, at all together: if one is away, its events go to the
    /// spool, and the others wait for it no longer than one would.
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
        // One after the other: the folder of the first spool has those of the others in it.
        for look in try await DatabaseLook.all(of: settings, metrics: metrics, logger: logger) {
            all.append(
                try await ServedDatabase(look, of: settings, clock: clock, client: client, failures: failures)
            )
        }
        await withDiscardingTaskGroup { group in
            for database in all { group.addTask { await database.prepare() } }
        }
        return all
    }

    /// Reads what requests need at once, if the database is there.
    private func prepare() async {
        if schema.isMigrated { await authenticator.ring.read() }
        await follower.prepare()
    }

    private init(
        _ look: DatabaseLook,
        of settings: DaemonSettings,
        clock: TrustedClock,
        client: DeliveryClient,
        failures: FailureTable
    ) async throws {
        let (database, spoolSettings) = (settings.databases[look.position], settings.spools[look.position])
        let (metrics, logger) = (look.metrics, look.logger)
        self.logger = logger
        let sending = settings.sending.of(database)
        name = database.name
        (address, pools, schema) = (look.address, look.pools, look.schema)
        spool = try await Spool.open(
            in: spoolSettings.folder,
            of: look.identity,
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
        authenticator = RingAuthenticator(ring: keys, database: look.position, failures: failures)
        metrics.reading(StoringMetrics(spool: spool, sink: sink, pools: pools.named).gauges)
        let live = LiveIngest()
        readiness = StorageReadiness(
            clock: clock,
            address: address,
            schema: schema,
            sink: sink,
            spool: spool,
            hasStandby: settings.standbys[look.position] != nil
        )
        let links = LinkStore(pool: pools.linking)
        follower = LinkFollower(store: links, schema: schema, file: LinkFile(beside: spool.path), logger: logger)
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
            ),
            // A standby may answer reports while the primary is away.
            isAway: { [sink, readiness] in !readiness.hasStandby && !sink.isDatabasePresent }
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

    /// What the daemon does not wait for at its end.
    var hanging: ShutdownDeadline.Database {
        .init(pools: pools.all, isPresent: { [sink] in sink.isDatabasePresent }, logger: logger)
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
