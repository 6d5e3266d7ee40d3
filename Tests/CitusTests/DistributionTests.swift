import Events
import InboundLinks
import Logging
import Postgres
import PostgresTesting
import Reporting
@testable import Storage
import Testing
import Time
import Timelines

@Suite("A database on a Citus cluster", .enabled(if: ClusterTesting.isWanted), .serialized)
struct DistributionTests {
    @Test func hasEveryTableInItsPlace() async throws {
        try await ClusterTesting.withDistributed { _, _, pool in
            let placements = try await pool.withConnection { try Distribution.placements($0) }
            for table in StoredTable.all {
                #expect(placements[table.name, default: .coordinator] == table.placement, "\(table.name)")
            }
            // Tables of an app that no list names would stay on the coordinator for ever.
            let forgotten = try await pool.withConnection { connection in
                try connection.query(
                    """
                    select table_name::text
                    from information_schema.columns
                    where column_name = 'app_number'
                        and table_schema = current_schema()
                        and table_name::text <> all ($1::text[])
                        and table_name::text !~ '^event_[0-9]+_[0-9]+$'
                    """,
                    [.textArray(StoredTable.all.map(\.name))]
                ).map { try $0.text(0) }
            }
            #expect(forgotten == [])
        }
    }

    @Test func keepsTheDataOfOneMachine() async throws {
        try await ClusterTesting.withCluster { _, address in
            let before = try await ClusterTesting.withPool(address) { pool in
                _ = try await pool.withConnection { try Migrator().migrate($0) }
                for name in ["first", "second", "third"] {
                    try await store(500, in: try await Made.app(name, on: pool), on: pool)
                }
                return try await told(pool)
            }
            try await ClusterTesting.distribute(address)
            try await ClusterTesting.withPool(address) { pool in
                #expect(try await told(pool) == before)
                let onCoordinator = try await pool.withConnection { connection in
                    try connection.query(StoredSQL.selectCopies, [.textArray(StoredTable.all.map(\.name))]).count
                }
                #expect(onCoordinator == 0)
                // Stored now, beside what was there. The log of changes, which numbers its entries, has three.
                _ = try await Made.app("fourth", on: pool)
                let app = try await AppStore(pool: pool).app(id: "first")
                try await store(700, in: app, on: pool)
                let count = try await pool.withConnection { connection in
                    try connection.query(
                        "select count(*) from event where app_number = $1",
                        [.int(Int64(app.number))]
                    )[0].int(0)
                }
                #expect(count == 700, "500 of them were there")
            }
        }
    }

    /// Citus sends functions to the workers when they are created; here they are older than the extension.
    @Test func keepsTheDataOfADatabaseThatIsOlderThanTheExtension() async throws {
        try await ClusterTesting.withCluster(hasExtension: false) { cluster, address in
            let before = try await ClusterTesting.withPool(address) { pool in
                _ = try await pool.withConnection { try Migrator().migrate($0) }
                for name in ["first", "second"] {
                    let app = try await Made.app(name, on: pool)
                    try await store(100, in: app, on: pool)
                    try await storeStory(in: app, on: pool)
                }
                return try await told(pool, reports: ReportCatalogue.names.filter { $0 != "compare" })
            }
            try await cluster.addWorkers(to: address.database)
            try await ClusterTesting.distribute(address)
            try await ClusterTesting.withPool(address) { pool in
                let reports = ReportCatalogue.names.filter { $0 != "compare" }
                #expect(try await told(pool, reports: reports) == before)
                for app in try await AppStore(pool: pool).list() {
                    try await TimelineUpkeep(pool: pool).settle(app)
                    _ = try await TimelinePacker(app: app, pool: pool).rebuild()
                }
                #expect(try await told(pool, reports: reports) == before)
                let state = try await pool.withConnection { try ClusterState.read($0) }
                #expect(state.workers.map { state.lacks(of: $0) } == [[], []])
                #expect(state.workers.map { state.apps[$0.name, default: 0] }.reduce(0, +) == 2)
            }
        }
    }

    /// As if the coordinator had lost its last commits.
    @Test func namesAnAppThatTheCoordinatorForgot() async throws {
        try await ClusterTesting.withDistributed { _, address, pool in
            let app = try await Made.app("lost", on: pool)
            let shard = try await pool.withConnection { connection in
                try connection.query("select shardid from pg_dist_shard where logicalrelid = 'app'::regclass")[0].int(0)
            }
            let coordinator = try await PostgresConnection.connect(to: address)
            for statement in [
                "set citus.enable_manual_changes_to_shards = on",
                "set citus.override_table_visibility = off",
                "delete from api_key where app_number = \(app.number)",
                "set session_replication_role = replica",
                "delete from app_\(shard) where app_number = \(app.number)",
            ] { _ = try await coordinator.query(statement) }
            await coordinator.close()
            await #expect(throws: AppStoreError.forgotten(id: "lost")) { _ = try await Made.app("lost", on: pool) }
            // The advice of docs/scaling.md.
            _ = try await pool.withConnection {
                try $0.query("select run_command_on_placements('app', 'delete from %s where app_id = ''lost''')")
            }
            _ = try await Made.app("lost", on: pool)
            await #expect(throws: AppStoreError.exists(id: "lost")) { _ = try await Made.app("lost", on: pool) }
        }
    }

    @Test func tellsWhatWorkersLack() async throws {
        try await ClusterTesting.withDistributed { cluster, address, pool in
            let role = "tributary_lack_\(address.database)"
            func lacks() async throws -> [[ClusterState.Lack]] {
                try await pool.withConnection { connection in
                    let state = try ClusterState.read(connection)
                    return state.workers.map { state.lacks(of: $0) }
                }
            }
            #expect(try await lacks() == [[], []])
            // Nobody else's: roles belong to the server.
            for (node, limit) in [(0, -1), (1, 20)] {
                let connection = try await PostgresConnection.connect(
                    to: cluster.address(node, database: address.database)
                )
                _ = try await connection.query("set citus.enable_create_role_propagation = off")
                _ = try await connection.query("set citus.enable_ddl_propagation = off")
                _ = try await connection.query("create role \(role) login connection limit \(limit)")
                if node == 0 {
                    _ = try await connection.query("grant usage on schema bi to \(role)")
                } else {
                    _ = try await connection.query("drop function story_of_post(text) cascade")
                    _ = try await connection.query(
                        "create or replace function person_key_hash(key text) returns bytea "
                            + "language sql immutable return '\\x00'::bytea"
                    )
                }
                await connection.close()
            }
            #expect(
                try await lacks() == [
                    [
                        .otherFunction("person_key_hash(text)"), .function("story_of_post(text)"),
                        .connections(login: role, limit: 20),
                    ],
                    [.login(role)],
                ]
            )
            for node in 0...1 {
                let connection = try await PostgresConnection.connect(
                    to: cluster.address(node, database: address.database)
                )
                _ = try await connection.query("set citus.enable_ddl_propagation = off")
                _ = try await connection.query("drop owned by \(role)")
                _ = try await connection.query("drop role \(role)")
                await connection.close()
            }
        }
    }

    @Test func namesTheCoordinatorAtAWorkersAddress() async throws {
        try await ClusterTesting.withDistributed { cluster, address, _ in
            let worker = cluster.address(1, database: address.database)
            let expected = DistributionError.isWorker(coordinator: "127.0.0.1:\(cluster.ports[0])")
            #expect(expected.description.contains("127.0.0.1:\(cluster.ports[0])"))
            try await ClusterTesting.withPool(worker) { pool in
                await #expect(throws: expected) { try await pool.withConnection { _ = try Migrator().migrate($0) } }
                await #expect(throws: expected) { try await pool.withConnection { _ = try Migrator().isBehind($0) } }
                await #expect(throws: expected) { try await pool.withConnection { try Distribution().run($0) } }
            }
        }
    }

    @Test(arguments: ["app", "event", "changed_story"]) func continuesWhereItWasKilled(table: String) async throws {
        try await ClusterTesting.withCluster { _, address in
            let before = try await ClusterTesting.withPool(address) { pool in
                _ = try await pool.withConnection { try Migrator().migrate($0) }
                try await store(200, in: try await Made.app("first", on: pool), on: pool)
                return try await told(pool)
            }
            try await ClusterTesting.withPool(address, size: 1) { pool in
                let (steps, step) = AsyncStream<String>.makeStream()
                let killer = try await PostgresConnection.connect(to: address)
                async let killing: Void = {
                    for await name in steps where name == "distributing \(table)" {
                        _ = try? await killer.execute(
                            """
                            select pg_terminate_backend(pid)
                            from pg_stat_activity
                            where datname = current_database() and application_name = 'test'
                            """
                        )
                    }
                    await killer.close()
                }()
                await #expect(throws: PostgresError.self) {
                    try await pool.withConnection { connection in
                        try Distribution { step.yield($0) }.run(connection)
                    }
                }
                step.finish()
                await killing
                let state = try await pool.withConnection { try Distribution.state($0) }
                #expect(state == .unfinished)
                await #expect(throws: DistributionError.unfinished) {
                    try await pool.withConnection { _ = try Migrator().migrate($0) }
                }
            }
            try await ClusterTesting.distribute(address)
            try await ClusterTesting.withPool(address) { pool in
                #expect(try await told(pool) == before)
                try await store(300, in: try await Made.app("second", on: pool), on: pool)
            }
        }
    }

    /// Before the first transaction that stores anything, the horizon is the beginning of a generation.
    @Test func hasFiguresThatWereLookedAtBeforeTheFirstEvent() async throws {
        try await ClusterTesting.withDistributed { _, _, pool in
            let app = try await Made.app("first", on: pool)
            let refresher = try FigureRefresher(app: app)
            _ = try await pool.withConnection { try refresher.scanChanges(on: $0) }
            try await store(50, in: app, on: pool)
            let (isStale, refreshed) = try await pool.withConnection { connection in
                let isStale = try refresher.scanChanges(on: connection)
                return (isStale, try refresher.refreshNext(.all, on: connection)?.refreshed ?? 0)
            }
            #expect(isStale)
            #expect(refreshed > 0)
        }
    }

    @Test func takesLaterMigrations() async throws {
        try await ClusterTesting.withDistributed { _, _, pool in
            // One that changes a distributed table and makes the horizon of one machine again.
            let later = Migrator.Migration(
                name: "9000_later",
                text: "alter table event add column later text; create index event_later on event (app_number, later);"
                    + (try ClusterTesting.plainHorizon(named: "transaction_horizon"))
            )
            let applied = try await pool.withConnection { try Migrator(migrations: Migrator.all + [later]).migrate($0) }
            #expect(applied == ["9000_later"])
            let isFenced = try await pool.withConnection { connection in
                try connection.query(
                    "select prosrc like '%transaction_horizon_of%' from pg_proc where oid = 'transaction_horizon'::regproc"
                )[0].bool(0)
            }
            #expect(isFenced)
            try await store(100, in: try await Made.app("first", on: pool), on: pool)
        }
    }

    @Test func isRefusedWithAdvice() async throws {
        try await ClusterTesting.withCluster { cluster, address in
            try await ClusterTesting.withPool(address) { pool in
                _ = try await pool.withConnection { try Migrator().migrate($0) }
                func refusal() async throws -> DistributionError? {
                    await #expect(throws: DistributionError.self) {
                        try await pool.withConnection { try Distribution().run($0) }
                    }
                }
                // Another program distributes a table.
                try await pool.withConnection { connection in
                    _ = try connection.execute("select create_distributed_table('event_key', 'app_number')")
                }
                #expect(try await refusal() == .notOurs(table: "event_key"))
                await #expect(throws: DistributionError.notOurs(table: "event_key")) {
                    try await pool.withConnection { _ = try Migrator().migrate($0) }
                }
                try await pool.withConnection { connection in
                    _ = try connection.execute("select undistribute_table('event_key')")
                }
                // A daemon runs.
                let daemon = try await PostgresConnection.connect(
                    to: address,
                    options: PostgresOptions(applicationName: "tributaryd writer")
                )
                #expect(try await refusal() == .daemonsAreConnected(1))
                await daemon.close()
                // No workers.
                try await pool.withConnection { connection in
                    for port in cluster.ports.dropFirst() {
                        try connection.execute("select citus_remove_node('127.0.0.1', \(port))")
                    }
                }
                #expect(try await refusal() == .noWorkers)
                try await pool.withConnection { connection in
                    _ = try connection.execute("select citus_remove_node('127.0.0.1', \(cluster.ports[0]))")
                }
                #expect(try await refusal() == .coordinatorUnknown)
                try await pool.withConnection { _ = try $0.execute("drop extension citus cascade") }
                #expect(try await refusal() == .extensionNotCreated)
            }
        }
    }

    // MARK: -

    private func store(_ count: UInt64, in app: App, on pool: PostgresPool) async throws {
        let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
        try await writer.whileRunning {
            let events = (1...count).map { number in
                Made.event(
                    number,
                    user: number % 3 == 0 ? nil : "u\(number % 50)",
                    device: "d\(number % 70)",
                    .authentication()
                )
            }
            _ = try await writer.store(Made.submission(app.number, events))
        }
    }

    /// A post with an id, and a touch that came from it.
    private func storeStory(in app: App, on pool: PostgresPool) async throws {
        let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
        try await writer.whileRunning {
            let post = FeedPost(outcome: .posted, postID: "p", refs: ["gift"])
            var link = InboundLink()
            link.channel = .storyLinks
            let events = [
                Made.event(80_001, user: "poster", .feedPost(post)),
                Made.event(80_002, user: "visitor", .inboundLink(Touch(link: link, postID: "p"))),
            ]
            _ = try await writer.store(Made.submission(app.number, events))
        }
    }

    /// What reports tell of every app.
    private func told(
        _ pool: PostgresPool,
        reports: [String] = ["channels", "logins", "funnel"]
    ) async throws -> [[String]] {
        var rows: [[String]] = []
        for app in try await AppStore(pool: pool).list() {
            for report in reports {
                let request = try ReportRequest.parse(
                    name: report,
                    parameters: [("from", "2026-03-01"), ("to", "2026-04-01")],
                    origin: .http,
                    app: app,
                    now: Made.noon.advanced(by: .seconds(86_400))
                )
                let table = try await ReportRunner.run(request, on: pool).table
                rows += table.rows.map { [app.profile.id, report] + $0.map { $0.plainText ?? "" } }
            }
        }
        return rows
    }
}
