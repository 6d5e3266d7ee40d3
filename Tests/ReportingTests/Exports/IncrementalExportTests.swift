import Events
import RandomTesting
import InboundLinks
import Time
import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing

/// Compares incremental exports with whole ones, from a database that is written to at the same time.
@Suite("Incremental exports", .timeLimit(.minutes(30)))
struct IncrementalExportTests {
    private static func withWriter<R: Sendable>(
        onCluster: Bool = TestDatabases.usesCitus,
        _ body: @Sendable (PostgresPool, EventWriter) async throws -> R
    ) async throws -> R {
        try await FigureTesting.with(onCluster: onCluster) { try await body($0.pool, $0.writer) }
    }

    private static func app(_ id: String, on pool: PostgresPool) async throws -> App {
        let store = AppStore(pool: pool)
        var profile = AppProfile(id: id, name: "Random")
        profile.currency = RandomStream.currency
        _ = try await store.create(profile)
        return try await store.app(id: id)
    }

    /// Loads exports, by event or by person.
    private struct Consumer {
        let name: String
        let parameters: [(name: String, value: String)]
        var cursor = ExportCursor.beginning
        /// Rows by the key with which later rows replace them.
        var rows: [Oracle.Name: [[String: String]]] = [:]

        mutating func load(_ pool: PostgresPool, _ app: App) async throws {
            let request = try Exporting.request(name, parameters + [("since", cursor)], app: app)
            let (text, summary) = try await Exporting.text(request, on: pool)
            let records = try #require(CSVText(text)).records
            #expect(records.count == summary.rows)
            for (key, new) in Dictionary(grouping: records, by: key) {
                if name == "events" {
                    #expect(rows[key] == nil && new.count == 1, "an event came twice")
                }
                rows[key] = new.filter { $0["deleted"] != "true" }
                if rows[key]?.isEmpty == true { rows[key] = nil }
            }
            cursor = try #require(summary.cursor).description
        }

        func key(_ record: [String: String]) -> Oracle.Name {
            Oracle.Name(
                name == "events"
                    ? record["event_id"] ?? "" : "\(record["person_kind"] ?? "") \(record["person_id"] ?? "")"
            )
        }

        func isUpToDate(_ pool: PostgresPool, _ app: App) async throws -> Bool {
            let read = try ExportCursor(parsing: cursor, export: name, app: app.profile.id).transaction
            return try await pool.withConnection { connection in
                try connection.query("select coalesce(max(transaction_number), 0) from event")[0].int64(0) < read
            }
        }
    }

    @Test(arguments: TestSeeds.seeds(4, in: 4)) func addUpToTheWhole(seeds: Range<UInt64>) async throws {
        try await Self.withWriter { pool, writer in
            for seed in seeds {
                let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
                let app = try await Self.app("app-\(seed)", on: pool)
                // A range whose ends divide people's events, or everything.
                let range =
                    seed % 3 == 0 ? [(name: "from", value: stream.from.rfc3339), ("to", stream.to.rfc3339)] : []
                var consumers = ["events", "touches", "people"].map { Consumer(name: $0, parameters: range) }
                for event in ["install", "conversion"] {
                    let parameters = range + [("model", "all"), ("event", event), ("lookback", "90d")]
                    consumers.append(Consumer(name: "credits", parameters: parameters))
                }
                for batch in stream.redelivered(seed: seed) {
                    try await writer.store(batch, of: app, receivedAt: stream.now)
                    for index in consumers.indices { try await consumers[index].load(pool, app) }
                }
                for var consumer in consumers {
                    // Other tests' transactions hold the cursor back until they end.
                    while try await !consumer.isUpToDate(pool, app) { try await consumer.load(pool, app) }
                    let everything: [(name: String, value: String)] =
                        range.isEmpty ? [("from", "1900-01-01"), ("to", "9999-12-31")] : []
                    let whole = try Exporting.request(consumer.name, consumer.parameters + everything, app: app)
                    let text = try await Exporting.text(whole, on: pool).text
                    let expected = Dictionary(grouping: try #require(CSVText(text)).records, by: consumer.key)
                    let isSame = consumer.rows == expected
                    #expect(isSame, "seed \(seed): \(consumer.name) \(consumer.parameters)")
                }
            }
        }
    }

    /// Cursors stay right when the app moves to another database (docs/moving.md).
    @Test(arguments: TestEnds.all, TestSeeds.seeds(2, in: 2))
    func goOnInAnotherDatabase(ends: TestEnds, seeds: Range<UInt64>) async throws {
        try await Self.withWriter(onCluster: ends.sourceIsOnCluster) { source, writer in
            try await Self.withWriter(onCluster: ends.targetIsOnCluster) { target, laterWriter in
                _ = try await Self.app("theirs", on: target)
                try await target.withConnection { connection in
                    _ = try connection.execute("update database_identity set identity = gen_random_uuid()")
                }
                for seed in seeds {
                    let stream = RandomStream.make(seed: seed, hasTwins: false)
                    let app = try await Self.app("app-\(seed)", on: source)
                    var consumers = ["events", "touches", "people", "credits"].map { name in
                        Consumer(name: name, parameters: name == "credits" ? [("event", "install")] : [])
                    }
                    let batches = stream.redelivered(seed: seed)
                    for (place, batch) in batches.enumerated() where place * 2 < batches.count {
                        try await writer.store(batch, of: app, receivedAt: stream.now)
                        if place % 2 == 0 {
                            for index in consumers.indices { try await consumers[index].load(source, app) }
                        }
                    }
                    _ = try await AppMove(of: app.profile.id, from: source, to: target, piece: 50).run()
                    let moved = try await AppStore(pool: target).app(id: app.profile.id)
                    for (place, batch) in batches.enumerated() where place * 2 >= batches.count {
                        try await laterWriter.store(batch, of: moved, receivedAt: stream.now)
                        for index in consumers.indices { try await consumers[index].load(target, moved) }
                    }
                    for var consumer in consumers {
                        while try await !consumer.isUpToDate(target, moved) { try await consumer.load(target, moved) }
                        let whole = try Exporting.request(
                            consumer.name,
                            consumer.parameters + [("from", "1900-01-01"), ("to", "9999-12-31")],
                            app: moved
                        )
                        let text = try await Exporting.text(whole, on: target).text
                        let expected = Dictionary(grouping: try #require(CSVText(text)).records, by: consumer.key)
                        let isSame = consumer.rows == expected
                        #expect(isSame, "seed \(seed): \(consumer.name)")
                        // A cursor from there is ahead of this database.
                        let cursor = consumer.cursor
                        await #expect(throws: ReportError.self) {
                            let request = try Exporting.request(consumer.name, [("since", cursor)], app: app)
                            _ = try await Exporting.text(request, on: source)
                        }
                    }
                }
            }
        }
    }

    /// Events that commit late are neither missed nor exported twice. An older transaction stays open while later
    /// events are stored, exported and committed.
    ///
    /// Runs on a server of its own, so that no other transaction holds the horizon.
    @Test func missNothingThatCommitsLate() async throws {
        try await TestDatabases.withOwnServer(migrate: TestDatabases.migrate) { database in
            let pool = database.pool
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning { try await Self.missNothing(pool, writer) }
        }
    }

    private static func missNothing(_ pool: PostgresPool, _ writer: EventWriter) async throws {
        let app = try await Self.app("shop", on: pool)
        let open = try await PostgresConnection.connect(
            to: pool.address,
            options: PostgresOptions(idleInTransactionTimeout: nil)
        )
        try await open.run { connection in
            // The first transaction of a history creates its generation, and the next ones wait for it.
            try connection.executeScript(
                """
                select ensure_event_partition('2026-01-01'), current_transaction_number();
                """
            )
            try connection.executeScript(
                """
                begin;
                insert into event (app_number, event_id, type, occurred_at, received_at, user_id, transaction_number)
                values (
                    \(app.number), '00000000-0000-4000-8000-00000000000a', 'authentication', '2026-01-05T10:00:00Z',
                    '2026-01-05T10:00:00Z', 'early', current_transaction_number()
                );
                """
            )
        }
        let later = Event(
            id: EventID(high: 0x4000, low: 0x8000_0000_0000_000B),
            occurredAt: RandomStream.monday,
            receivedAt: RandomStream.monday,
            userID: "late",
            deviceID: nil,
            clickID: nil,
            platform: nil,
            properties: nil,
            content: .authentication()
        )
        try await writer.store([later], of: app, receivedAt: RandomStream.monday)
        // The whole export has all committed events; the incremental ones wait for the older transaction.
        let whole = try await Exporting.text(
            Exporting.request("events", [("from", "2026-01-01")], app: app),
            on: pool
        )
        #expect(whole.summary.rows == 1)
        var consumer = Consumer(name: "events", parameters: [])
        try await consumer.load(pool, app)
        #expect(consumer.rows.isEmpty)
        try await open.run { try $0.executeScript("commit") }
        await open.close()
        // `load` rejects an event that comes twice.
        while try await !consumer.isUpToDate(pool, app) { try await consumer.load(pool, app) }
        #expect(Set(consumer.rows.values.compactMap { $0.first?["user_id"] }) == ["early", "late"])
        try await consumer.load(pool, app)
        #expect(consumer.rows.count == 2)
    }

    @Test func refusesACursorFromAhead() async throws {
        try await Self.withWriter { pool, _ in
            let app = try await Self.app("shop", on: pool)
            let request = try Exporting.request("events", [("since", "events:shop:\(Int64.max)")], app: app)
            await #expect(throws: ReportError.self) { try await Exporting.text(request, on: pool) }
        }
    }

    @Test func handsOverOnlyWhomItConcerns() async throws {
        try await Self.withWriter { pool, writer in
            let app = try await Self.app("shop", on: pool)
            func link(_ number: UInt64, user: String? = nil, device: String? = nil) -> Event {
                var link = InboundLink()
                link.channel = .search
                return Event(
                    id: EventID(high: 0x4000, low: 0x8000_0000_0000_0000 + number),
                    occurredAt: RandomStream.monday.advanced(by: .seconds(Int64(number))),
                    receivedAt: RandomStream.monday,
                    userID: user,
                    deviceID: device,
                    clickID: nil,
                    platform: nil,
                    properties: nil,
                    content: .inboundLink(Touch(link: link))
                )
            }
            func store(_ events: [Event]) async throws {
                try await writer.store(events, of: app, receivedAt: RandomStream.monday)
            }
            try await store([link(1, device: "phone"), link(2, user: "ann"), link(3, user: "bob")])
            var consumer = Consumer(name: "touches", parameters: [])
            while try await !consumer.isUpToDate(pool, app) { try await consumer.load(pool, app) }
            #expect(consumer.rows.keys.map(\.text).sorted() == ["device phone", "user ann", "user bob"])

            // The phone now belongs to ann.
            try await store([link(4, user: "ann", device: "phone")])
            try await pool.passHorizon()
            let request = try Exporting.request("touches", [("since", consumer.cursor)], app: app)
            let records = try #require(CSVText(try await Exporting.text(request, on: pool).text)).records
            #expect(
                records.map { "\($0["person_id"] ?? "") \($0["deleted"] ?? "")" }.sorted() == [
                    "ann false", "ann false", "ann false", "phone true",
                ]
            )
        }
    }
}
