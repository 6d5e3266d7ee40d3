import Answering
@testable import Dashboard
import Delivery
import Events
import Ingest
import Logging
import Postgres
import PostgresTesting
import Reporting
@testable import Storage
import Synchronization
import Testing
import Time
import Timelines
@testable import tributaryd
@testable import Webhooks

/// What is asked of one app while the worker of another is away.
@Suite("Apps of a worker that is there", .enabled(if: ClusterTesting.isWanted), .serialized)
struct WorkerIsolationTests {
    private func store(_ numbers: Range<UInt64>, of app: App, _ pool: PostgresPool) async throws {
        let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
        try await writer.whileRunning {
            let events = numbers.map { Made.event($0, user: "u\($0)", .conversion(Conversion(name: "paid"))) }
            _ = try await writer.store(Made.submission(app.number, events))
        }
    }

    /// Sessions that begin from now on give no worker up before it goes on.
    private func waitForWorkers(_ address: PostgresAddress, _ pool: PostgresPool) async throws {
        try await pool.withConnection {
            try $0.execute("alter database \(address.database) set citus.node_connection_timeout = '600s'")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func tellTheirWebhooks(hangs: Bool) async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (away, present, node) = try await PlacedApps.pair(cluster, pool)
            for app in [away, present] { try await store(1..<2, of: app, pool) }
            let webhooks = WebhookStore(pool: pool)
            let destination = try Destination("http://127.0.0.1:9/hook", allowsPrivate: true)
            let parameters = [(name: "event", value: "conversion")]
            let hour = Duration.seconds(3_600)
            _ = try await webhooks.add(to: destination, parameters: parameters, settle: hour, of: away)
            let id = try await webhooks.add(to: destination, parameters: parameters, settle: hour, of: present).id
            let before = try await webhooks.webhook(id).webhook.position
            let logger = Logger(label: "test")
            let client = DeliveryClient(allowsPrivate: true, userAgent: "test")
            try await ClusterTesting.withPool(address, size: 1) { finding in
                try await ClusterTesting.withPool(address, size: 1) { passing in
                    let service = WebhookService(
                        finding: finding,
                        workers: ClusterWorkers(pool: passing),
                        sending: pool,
                        client: client,
                        allowsPrivate: true,
                        schema: DatabaseSchema(pool: pool, logger: logger),
                        metrics: WebhookMetrics(PrometheusMetrics()),
                        logger: logger
                    )
                    let shared = WebhookService.Shared(logger)
                    // The session of `passing` has a connection to each worker from now on.
                    _ = try await service.round(shared)
                    #expect(shared.state.withLock { $0.active.count } == 2)
                    if hangs { try cluster.freeze(node) } else { try cluster.kill(node, staysAway: true) }
                    try await store(2..<3, of: present, pool)
                    _ = try await service.round(shared)
                    #expect(shared.state.withLock { $0.active.map(\.webhook.id) } == [id])
                    let after = try await webhooks.webhook(id).webhook.position
                    #expect(after > before)
                    if hangs { try cluster.thaw(node) } else { try await cluster.start(node) }
                }
            }
            await client.shutdown()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func arePackedAndCounted(hangs: Bool) async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (away, present, node) = try await PlacedApps.pair(cluster, pool)
            for app in [away, present] { try await store(1..<2, of: app, pool) }
            let logger = Logger(label: "test")
            let schema = DatabaseSchema(pool: pool, logger: logger)
            let complaints = Complaints("failed", logger)
            try await ClusterTesting.withPool(address, size: 1) { turns in
                try await ClusterTesting.withPool(address, size: 1) { working in
                    let workers = ClusterWorkers(pool: working)
                    let service = TimelineService(pool: turns, workers: workers, schema: schema, logger: logger)
                    let upkeep = TimelineUpkeep(pool: turns)
                    // The session that works has a connection to each worker from now on.
                    let all = await service.round(upkeep, complaints).map(\.number)
                    #expect(Set(all) == [away.number, present.number])
                    if hangs { try cluster.freeze(node) } else { try cluster.kill(node, staysAway: true) }
                    try await store(2..<11, of: present, pool)
                    let packed = await service.round(upkeep, complaints).map(\.number)
                    #expect(packed == [present.number])
                }
            }
            try await ClusterTesting.withPool(address, size: 1) { leading in
                try await ClusterTesting.withPool(address, size: 1) { working in
                    let service = FiguresService(
                        pool: leading,
                        workers: ClusterWorkers(pool: working),
                        interval: .seconds(60),
                        schema: schema,
                        metrics: FiguresMetrics(PrometheusMetrics()),
                        logger: logger
                    )
                    var pace = FiguresService.Pace(logger)
                    _ = await service.round(&pace)
                    let counted = try await pool.withConnection { connection in
                        try connection.query(
                            "select count(*) from figures_state where app_number = $1",
                            [.int(Int64(present.number))]
                        )[0].int(0)
                    }
                    #expect(counted == 1)
                }
            }
            if hangs { try cluster.thaw(node) } else { try await cluster.start(node) }
        }
    }

    /// More pages than there are connections for reports.
    @Test(.timeLimit(.minutes(5))) func haveReportsBesidePagesOfAnother() async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (hanging, present, node) = try await PlacedApps.pair(cluster, pool)
            for app in [hanging, present] { try await store(1..<11, of: app, pool) }
            try await waitForWorkers(address, pool)
            try await ClusterTesting.withPool(address, size: DatabasePools.reportsAtOnce) { reporting in
                let reader = ReportReader(
                    pool: reporting,
                    connections: 1,
                    places: ReportPlaces(count: DatabasePools.reportsAtOnce),
                    isAway: { _ in false }
                )
                let pages = DashboardReports(reader: reader, failures: FailureTable(logger: Logger(label: "test")))
                try cluster.freeze(node)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 {
                        group.addTask { _ = await pages.freshness(of: hanging) }
                        group.addTask { _ = try? await pages.newestEvents(of: hanging) }
                    }
                    while reporting.usage.inUse < 2 { await Task.yield() }
                    do {
                        let request = try ReportRequest.parse(
                            name: "channels",
                            parameters: [("from", "2026-03-01"), ("to", "2026-04-01")],
                            origin: .http,
                            app: present,
                            now: Made.noon.advanced(by: .seconds(86_400))
                        )
                        for _ in 0..<5 { _ = try await reader.run(request, waits: false) }
                    } catch {
                        Issue.record("\(error)")
                    }
                    try? cluster.thaw(node)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func loseAPersonBesideEventsThatHang() async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (hanging, present, node) = try await PlacedApps.pair(cluster, pool)
            for app in [hanging, present] { try await store(1..<11, of: app, pool) }
            try await waitForWorkers(address, pool)
            try await ClusterTesting.withPool(address) { storing in
                let writer = EventWriter(pool: storing, logger: Logger(label: "test"))
                try await writer.whileRunning {
                    try cluster.freeze(node)
                    let event = Made.event(20, user: "u20", .authentication())
                    async let late = writer.store(Made.submission(hanging.number, [event]))
                    func waited(for app: Int32?) async throws -> Int {
                        try await pool.withConnection { try StoringTransactions.running(of: app, on: $0).count }
                    }
                    while try await waited(for: hanging.number) == 0 { await Task.yield() }
                    _ = try await PersonStore(
                        pool: pool,
                        spools: SpoolFolder(path: "/nowhere", of: pool),
                        packed: TimelineRemoval()
                    ).erase(PersonKey(.user, "u3"), in: present)
                    // It is still being stored.
                    #expect(try await waited(for: hanging.number) == 1)
                    try cluster.thaw(node)
                    #expect(try await late.duplicates == 0)
                }
            }
        }
    }
}
