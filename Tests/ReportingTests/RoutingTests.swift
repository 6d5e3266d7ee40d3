import Events
import Logging
import Postgres
@testable import PostgresTesting
import RandomTesting
import Redirects
@testable import Reporting
@testable import Storage
import Synchronization
import Testing
import Time
@testable import Timelines

/// On a cluster, whatever is asked or deleted of one app is asked of the app's own worker alone. So a worker that is
/// away keeps back only its own apps.
@Suite("One app of a cluster", .enabled(if: TestDatabases.usesCitus), .timeLimit(.minutes(10)))
struct RoutingTests {
    /// Keeps what the coordinator sends to workers, as it tells of it.
    private final class SentStatements: LogHandler {
        private let kept = Mutex<[(statement: String, server: String)]>([])

        func take() -> [(statement: String, server: String)] {
            kept.withLock { kept in
                defer { kept = [] }
                return kept
            }
        }

        var logLevel: Logger.Level {
            get { .debug }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            guard case .string(let notice)? = event.metadata?["notice"], notice.hasPrefix("issuing "),
                case .string(let detail)? = event.metadata?["detail"]
            else { return }
            kept.withLock { $0.append((notice, detail)) }
        }
    }

    /// What is done with one app, by names.
    private typealias Work = @Sendable (FigureTesting) async throws -> Void

    @Test(arguments: TestSeeds.seeds(1)) func isAskedOnItsOwnWorker(seed: UInt64) async throws {
        try await FigureTesting.with { testing in
            let (app, ports) = try await Self.apps(testing)
            let asked = try AskedStream(seed: seed)
            let batches = asked.stream.redelivered(seed: seed)
            for batch in batches.prefix(batches.count / 2) { try await testing.store(batch, of: app) }
            let packer = TimelinePacker(app: app, pool: testing.pool)
            _ = try await packer.rebuild()
            try await testing.refresh(app)
            let cursor = try #require(
                try await Exporting.text(
                    Exporting.request("events", [("since", ExportCursor.beginning)], app: app),
                    on: testing.pool
                ).summary.cursor
            )
            for batch in batches.dropFirst(batches.count / 2) { try await testing.store(batch, of: app) }

            let sent = SentStatements()
            var options = TestDatabases.options
            options.settings["citus.log_remote_commands"] = "on"
            let pool = PostgresPool(
                address: testing.database.address,
                size: 2,
                applicationName: "test",
                options: options,
                logger: Logger(label: "test", factory: { _ in sent })
            )
            let watched = FigureTesting(
                database: TestDatabase(address: testing.database.address, pool: pool),
                writer: testing.writer
            )
            do {
                for (name, work) in try Self.work(on: app, asked, since: cursor) {
                    _ = sent.take()
                    try await work(watched)
                    let statements = sent.take()
                    #expect(!statements.isEmpty, "\(name) asks no worker")
                    let strangers = statements.filter { statement in
                        !ports.contains { statement.server.contains(":\($0) ") }
                    }
                    .map(\.statement)
                    #expect(strangers == [], "\(name)")
                }
            } catch {
                await pool.close()
                throw error
            }
            await pool.close()
        }
    }

    /// Makes apps until there is one on another worker than the first, and stores an event in each.
    ///
    /// - Returns: the first app, and the ports of its worker and of the coordinator, which also asks itself: for the
    ///   tables of its own that Citus has put shards in.
    private static func apps(_ testing: FigureTesting) async throws -> (app: App, ports: [Int]) {
        var made: [(app: App, server: StoringServer?)] = []
        repeat {
            let app = try await testing.makeApp("app-\(made.count)")
            try await testing.store([OracleEvents.event(1, at: 0, user: "u", .authentication())], of: app)
            made.append((app, try await testing.pool.withConnection { try .current(of: app.number, on: $0) }))
        } while made.count < 40 && Set(made.map(\.server)).count < 2
        guard case .worker(let group)? = made[0].server else { throw RoutingFailure() }
        var ports: [Int] = []
        for group in [Int64(group), 0] {
            ports.append(try await testing.count("select nodeport from pg_dist_node where groupid = $1", [.int(group)]))
        }
        return (made[0].app, ports)
    }

    private struct RoutingFailure: Error {}

    /// - Parameter cursor: of an export of the app's first events.
    private static func work(
        on app: App,
        _ asked: AskedStream,
        since cursor: ExportCursor
    ) throws -> [(name: String, work: Work)] {
        var all: [(name: String, work: Work)] = []
        func add(_ name: String, _ work: @escaping Work) { all.append((name, work)) }

        for question in asked.questions where question.place != .memory {
            let request = try asked.request(question, to: app)
            add(question.text) { _ = try await ReportRunner.run(request, on: $0.pool) }
        }
        for name in ExportCatalogue.names {
            let whole = try Exporting.request(name, [("from", "2000-01-01"), ("to", "2100-01-01")], app: app)
            add("export \(name)") { _ = try await Exporting.text(whole, on: $0.pool) }
            let own = ExportCursor(export: name, app: app.profile.id, transaction: cursor.transaction)
            let recent = try Exporting.request(name, [("since", own.description)], app: app)
            add("export \(name) since") { _ = try await Exporting.text(recent, on: $0.pool) }
        }
        let keys = Set(asked.stream.events.flatMap { EventKeys($0).all }).sorted()
        for event in ["install", "conversion"] {
            add("attribution of \(event)") { testing in
                for key in keys {
                    let question = try AttributionQuestion(
                        parameters: [(key.kind.rawValue + "_id", key.id), ("event", event)]
                    )
                    _ = try await question.answer(for: app, on: testing.pool)
                }
            }
        }
        add("code of a click") { testing in
            guard let code = CarryCode(typed: "00000001") else { return }
            _ = try await StoredClick.use(code, by: "phone", of: app, on: testing.pool)
        }
        add("click") { _ = try await StoredClick.read(id: "unknown", of: app, on: $0.pool) }

        add("packing") { testing in
            let upkeep = TimelineUpkeep(pool: testing.pool)
            #expect(try await upkeep.takeTurn())
            _ = try await upkeep.work(on: app)
            let packer = TimelinePacker(app: app, pool: testing.pool)
            try await packer.pack(limit: 20)
            _ = try await packer.compact()
            try await packer.apply()
        }
        add("rebuild --check") { _ = try await TimelineCheck.run(app, on: $0.pool) }
        add("rebuild") { _ = try await TimelinePacker(app: app, pool: $0.pool).rebuild() }
        add("refresh") { try await $0.refresh(app) }
        add("refresh --check") { _ = try await $0.differences(app) }
        add("refresh afresh") { testing in
            let refresher = try FigureRefresher(app: app)
            try await testing.pool.withConnection { _ = try refresher.scanChanges(fully: true, on: $0) }
        }
        add("links") { _ = try await LinkCheck.repair(app, on: $0.pool) }
        add("reread") { testing in
            let store = RereadStore(app: app, pool: testing.pool)
            _ = try await store.preview(from: nil, to: nil)
            _ = try await store.run(from: nil, to: nil) {
                try await TimelinePacker(app: app, pool: testing.pool).rebuildIfMarked()
            }
        }
        add("redact") { testing in
            _ = try await RedactionStore(pool: testing.pool, spools: nil).run(app: app, isDryRun: false)
        }
        add("rejected") { testing in
            var filter = RejectedEventFilter()
            filter.appNumber = app.number
            let store = RejectedEventStore(pool: testing.pool)
            _ = try await store.list(filter, limit: 10)
            _ = try await store.count(filter)
            _ = try await store.delete(filter)
        }
        for key in keys.prefix(3) {
            add("person \(key)") { testing in
                let store = try await PersonStore(
                    pool: testing.pool,
                    spools: SpoolFolder(path: "/nonexistent", of: testing.pool),
                    packed: TimelineRemoval()
                )
                _ = try await store.summary(of: key, in: app)
                _ = try await store.export(of: key, in: app) { _ in }
                _ = try await store.erase(key, in: app)
            }
        }
        let now = asked.stream.now
        add("prune --app") { testing in
            let store = RetentionStore(pool: testing.pool, packed: TimelineRemoval())
            let policy = RetentionPolicy(events: .seconds(1), rejectedEvents: .seconds(1))
            _ = try await store.plan(policy, app: app, now: now)
            _ = try await store.run(policy, app: app, isThorough: true, now: now)
        }
        // What `prune` does with posts that were stored while it ran.
        add("stories of late posts") { testing in
            let parameters: [PostgresValue] = [
                .int(Int64(app.number)), .textArray(["6f1c2d9e-0a3b-4c5d-8e7f-102938475610"]), .textArray(["p"]),
            ]
            try await testing.pool.withConnection { _ = try $0.execute(StoredSQL.insertStories, parameters) }
        }
        return all
    }
}
