import Foundation
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
@testable import Timelines

/// Queries that run for every request or report use their indexes. Compares PostgreSQL's cost estimates with and
/// without each index, on tables of some size, so that a lost index fails a test.
@Suite("Plans of queries")
struct PlanTests {
    /// Fills tables like an app of 40,000 events. Runs once, because it takes a second or two.
    private static let filling = """
        select ensure_event_partition(day::date) from generate_series('2026-01-01'::date, '2026-04-01', '1 month') day;
        insert into app (app_id, name) values ('plans', 'Plans');
        insert into api_key (key_hash, app_number, scope, prefix)
        select sha256(number::text::bytea), 1, 'write', 'trib_w_' || number from generate_series(1, 5000) number;
        insert into event (
            app_number, event_id, type, occurred_at, received_at, user_id, device_id, channel, refs, story_key, outcome,
            post_id, url, transaction_number
        )
        select
            1,
            gen_random_uuid(),
            case when number % 10 = 0 then 'feed_post' else 'inbound_link' end::event_type,
            '2026-01-01'::timestamptz + number * interval '3 minutes',
            now(),
            case when number % 2 = 0 then 'user-' || number % 5000 end,
            'device-' || number % 5000,
            case when number % 10 <> 0 then 'search'::channel end,
            '{}',
            md5((number % 2000)::text)::uuid,
            case when number % 10 = 0 then 'posted'::post_outcome end,
            case when number % 10 = 0 then 'post-' || number end,
            repeat('x', 300),
            number
        from generate_series(1, 40000) number;
        insert into event_key (app_number, event_id, received_at) select 1, event_id, received_at from event;
        insert into feed_post_key (app_number, post_id, event_id)
        select 1, post_id, event_id from event where post_id is not null;
        insert into device_link (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
        select 1, 'device-' || number, 'user-' || number, now(), gen_random_uuid(), number
        from generate_series(1, 40000) number;
        insert into click_link (
            app_number, click_id, device_id, precedence, occurred_at, event_id, transaction_number
        )
        select 1, 'click-' || number, 'device-' || number, 1, now(), gen_random_uuid(), number
        from generate_series(1, 40000) number;
        insert into timeline_state (app_number, packed_through) values (1, 39900);
        insert into timeline_segment
        select 1, 1, bucket, month::date, false, segment, 100, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '',
            '', 3
        from generate_series(0, 255) bucket,
            generate_series('2026-01-01'::date, '2026-12-01', '1 month') month,
            generate_series(1, 3) segment
        """

    /// A statement with its settings, the index that it needs, and the factor by which the index lowers its cost.
    struct Need: Sendable, CustomStringConvertible {
        var description: String
        var statement: String
        var index: String
        var factor: Double
    }

    private static let parameters = [
        "app_number": "1", "types": "{inbound_link,link_click,install}", "touches_from": "2026-01-01",
        "events_from": "2026-01-01", "through": "2027-01-01", "needs_refs": "true", "needs_referers": "false",
        "needs_ref_origins": "true",
        "needs_targets": "false", "needs_links": "false", "needs_forms": "false", "needs_stories": "false",
        "finds_users": "true", "stored_from": "39900",
        "stored_before": "9223372036854775807", "occurred_from": "-infinity", "occurred_before": "infinity",
        "first_share": "0", "last_share": "511", "generation": "1", "first_month": "2026-03-01",
        "last_month": "2026-03-01",
        "first_bucket": "3", "last_bucket": "4", "columns": "{ids}", "has_post_ids": "true",
        "from": "2000-01-01", "to": "2100-01-01", "by": "none", "periods": "{}", "starts": "{}",
        "limit": "10", "conditions": "{}", "since": "0",
        "horizon": "9223372036854775807", "needs_story_posts": "true", "needs_story_keys": "false",
        "needs_posters": "true", "needs_goals": "true", "linked_from": "0",
    ]

    private static let needs = [
        Need(
            description: "the delta of a report, by transaction",
            statement: TimelineSQL.delta,
            index: "event_by_transaction",
            factor: 2
        ),
        Need(
            description: "the delta of a report, the users of devices",
            statement: TimelineSQL.delta,
            index: "device_link_pkey",
            factor: 2
        ),
        Need(
            description: "the delta of a report, the posts of stories",
            statement: TimelineSQL.delta,
            index: "event_posts_by_story",
            factor: 2
        ),
        Need(
            description: "all posts, by their stories",
            statement: TimelineSQL.postsByStory,
            index: "event_posts_by_story",
            factor: 1.5
        ),
        Need(
            description: "all posts, by their ids",
            statement: TimelineSQL.postsById,
            index: "event_posts_by_id",
            factor: 1.5
        ),
        Need(
            description: "packed timelines, by bucket",
            statement: SegmentColumn.fill(TimelineSQL.segments),
            index: "timeline_segment_pkey",
            factor: 3
        ),
        Need(
            description: "logins that were not granted",
            statement: ReportSQL.countRefusedLogins,
            index: "event_refused_logins",
            factor: 2
        ),
        Need(
            description: "people with such logins in several groups",
            statement: ReportSQL.countPeopleOfSeveralGroups,
            index: "event_refused_logins",
            factor: 2
        ),
        Need(
            description: "a scan of a day",
            statement:
                "select * from event where app_number = 1 and occurred_at >= '2026-01-04' and occurred_at < '2026-01-05'",
            index: "event_identity",
            factor: 3
        ),
        Need(
            description: "an event whose key is gone",
            statement: """
                select *
                from event
                where app_number = 1 and occurred_at = '2026-01-04' and event_id = md5('7')::uuid
                """,
            index: "event_identity",
            factor: 3
        ),
        Need(
            description: "links changed since",
            statement: "select * from device_link where app_number = 1 and transaction_number >= 39990",
            index: "device_link_by_transaction",
            factor: 2
        ),
        Need(
            description: "clicks of a device",
            statement: "select * from click_link where app_number = 1 and device_id = 'device-7' and user_id is null",
            index: "click_link_by_device",
            factor: 10
        ),
        Need(
            description: "the events of a user",
            statement: "select * from event where app_number = 1 and user_id = any ('{user-70}')",
            index: "event_by_user",
            factor: 10
        ),
        Need(
            description: "the devices of a user",
            statement: "select * from device_link where app_number = 1 and user_id = 'user-70'",
            index: "device_link_by_user",
            factor: 10
        ),
        Need(
            description: "the clicks of a user",
            statement: "select * from click_link where app_number = 1 and user_id = any ('{user-70}')",
            index: "click_link_by_user",
            factor: 10
        ),
        Need(
            description: "keys of stored events",
            statement: "select * from event_key where app_number = 1 and event_id = md5('7')::uuid",
            index: "event_key_pkey",
            factor: 10
        ),
        Need(
            description: "keys of posts",
            statement: "select * from feed_post_key where app_number = 1 and post_id = 'post-70'",
            index: "feed_post_key_pkey",
            factor: 10
        ),
        Need(
            description: "the owner of a click",
            statement: "select * from click_link where app_number = 1 and click_id = 'click-70'",
            index: "click_link_pkey",
            factor: 10
        ),
    ]

    @Test func useTheirIndexes() async throws {
        try await TestDatabases.withDatabase(
            template: "PlanTests/",
            migrate: { pool in
                try await pool.withConnection { connection in
                    _ = try Migrator().migrate(connection)
                    try connection.executeScript(Self.filling + "; analyze")
                }
            }
        ) { database in
            try await database.pool.withConnection { connection in
                // As on the private cluster, whatever the test server uses.
                try connection.execute("set random_page_cost = 1.1")
                for need in Self.needs {
                    let with = try Self.cost(of: need.statement, on: connection)
                    let without = try Self.cost(of: need.statement, without: need.index, on: connection)
                    #expect(with * need.factor < without, "\(need): \(with) with \(need.index), \(without) without")
                }
            }
        }
    }

    /// On an app's first day no table is analyzed. The planner then chose the index of app and time, and read all
    /// events of the app for each packed piece.
    @Test func readADeltaByTransactionWhateverTheStatisticsSay() async throws {
        try await Self.withoutStatistics { database in
            try await database.pool.withTransaction { connection in
                try ScanPlanning.byLookup.apply(on: connection)
                let reading = BoundStatement(TimelineSQL.delta, Self.parameters).text
                let counting = TimelineSQL.selectDelta.replacing(/\$\d/) { $0.output == "$1" ? "1" : "39900" }
                for statement in [reading, counting] {
                    let plan = try connection.query("explain \(statement)").map { try $0.text(0) }
                    #expect(plan.contains { $0.contains("_transaction_number_idx") }, "\(plan)")
                    #expect(!plan.contains { $0.contains("_app_number_occurred_at_idx") }, "\(plan)")
                }
                let changes = TimelineSQL.countChanges.replacing("$1", with: "1")
                let plan = try connection.query("explain \(changes)").map { try $0.text(0) }
                for index in ["device_link_by_transaction", "click_link_by_transaction"] {
                    #expect(plan.contains { $0.contains(index) }, "\(plan)")
                }
                // Once, not for each link.
                #expect(!plan.contains { $0.contains("transaction_horizon()") }, "\(plan)")
                let users = TimelineSQL.deviceUsers.replacing("$1", with: "1").replacing("$2", with: "'{a, b}'")
                let lookUp = try connection.query("explain \(users)").map { try $0.text(0) }
                #expect(lookUp.contains { $0.contains("device_link_pkey") }, "\(lookUp)")
            }
        }
    }

    /// Reading the installs themselves, to find devices that had several, took 14 times as long.
    @Test func findDevicesOfSeveralInstallsInTheirIndexWhateverTheStatisticsSay() async throws {
        try await Self.withoutStatistics { database in
            try await database.pool.withTransaction { connection in
                try ScanPlanning.byOrder.apply(on: connection)
                let statement = BoundStatement(TimelineSQL.sharedDevices, Self.parameters).text
                let plan = try connection.query("explain \(statement)").map { try $0.text(0) }
                #expect(
                    plan.contains {
                        $0.contains("Index Only Scan using event_2026_01_app_number_device_id_occurred_at")
                    }
                )
                #expect(!plan.contains { $0.contains("Seq Scan on event") || $0.contains("HashAggregate") }, "\(plan)")
            }
        }
    }

    /// The planner expected one event, and read all of them in the order of their times, each from another page.
    @Test func exportEventsPageByPageWhateverTheStatisticsSay() async throws {
        try await Self.withoutStatistics { database in
            try await database.pool.withTransaction { connection in
                try ScanPlanning.byPage.apply(on: connection)
                let statement = BoundStatement(EventsExport.statement, Self.parameters).text
                let plan = try connection.query("explain \(statement)").map { try $0.text(0) }
                #expect(plan.contains { $0.contains("Bitmap Heap Scan") || $0.contains("Seq Scan") }, "\(plan)")
                #expect(!plan.contains { $0.contains("Index Scan using") }, "\(plan)")
            }
        }
    }

    /// Rules that stand in one place are functions. They are part of the query, so they cost nothing and hide no index.
    @Test func holdTheExpressionsOfFunctions() async throws {
        try await Self.withoutStatistics { database in
            try await database.pool.withTransaction { connection in
                for statement in [
                    TimelineSQL.timelines, TimelineSQL.delta, TimelineSQL.postDetails, TimelineSQL.postsByStory,
                    TimelineSQL.changedLinks, TimelineSQL.sharedDevices,
                ] {
                    let text = BoundStatement(statement, Self.parameters).text
                    let plan = try connection.query("explain verbose \(text)").map { try $0.text(0) }.joined()
                    for function in ["event_person(", "event_owner(", "click_owner(", "is_story_post("] {
                        #expect(!plan.contains(function))
                    }
                    #expect(plan.contains("COALESCE(") || plan.contains("Index Cond"))
                }
            }
        }
    }

    /// Where a piece is missing, the statement would read the whole app.
    @Test func readOnlyTheEventsOfPeople() {
        for piece in PeopleTimelines.pieces {
            #expect(TimelineSQL.timelines.ranges(of: piece.piece).count == piece.count, "\(piece.piece)")
        }
    }

    private static func withoutStatistics(_ body: @Sendable (TestDatabase) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(
            template: "PlanTests unanalyzed/",
            migrate: { pool in
                try await pool.withConnection { connection in
                    _ = try Migrator().migrate(connection)
                    try connection.executeScript(filling)
                }
            },
            body
        )
    }

    /// The fold before this sets the planner to look-ups. With them, each old row would be compared with each new one:
    /// minutes for a month of an app with many refs. Nor may all old rows of the app be read for one day.
    @Test func replaceFiguresByHashWhateverTheFoldAskedFor() async throws {
        try await FigureTesting.with { testing in
            let refresher = try FigureRefresher(app: try await testing.makeApp("plans"))
            try await testing.pool.withTransaction { connection in
                try connection.executeScript(
                    """
                    insert into attribution_figures
                    select 1, 'day', '2000-01-01'::date + number / 100, 'install', 'ref', number % 100, false, 'a', 'last', 1, 1, 1
                    from generate_series(1, 100000) number
                    """
                )
                try ScanPlanning.byLookup.apply(on: connection)
                _ = try refresher.replace([], with: FigureRows(), of: [], tables: nil, on: connection)
                for table in FigureTable.allCases {
                    let columns = FigureRows.Columns(table).texts.count
                    let parameters: [PostgresValue] =
                        [.int(1), .textArray(["day"]), .textArray(["2026-01-01"]), .textArray(["plan"])]
                        + [PostgresValue](repeating: .textArray([String](repeating: "1", count: 5_000)), count: columns)
                    let statement = table.replacement(for: .totals)
                    let plan = try connection.query("explain " + statement, parameters).map { try $0.text(0) }
                    #expect(!plan.contains { $0.contains("Nested Loop") }, "\(plan)")
                    guard table == .attribution else { continue }
                    #expect(plan.contains { $0.contains("Index Cond") && $0.contains("starts_on = ANY") }, "\(plan)")
                }
            }
        }
    }

    private struct Undone: Error {
        var cost: Double
    }

    /// The cost without an index: it is dropped, and the drop is rolled back.
    private static func cost(
        of statement: String,
        without index: String,
        on connection: isolated PostgresConnection
    ) throws -> Double {
        do {
            try connection.transaction {
                let name = index.hasSuffix("_pkey") ? String(index.dropLast("_pkey".count)) : nil
                try connection.execute(
                    name.map { "alter table \($0) drop constraint \(index)" } ?? "drop index \(index)"
                )
                throw Undone(cost: try cost(of: statement, on: connection))
            }
        } catch let undone as Undone {
            return undone.cost
        }
        return .infinity
    }

    /// PostgreSQL's estimate of the cost of all rows.
    private static func cost(of statement: String, on connection: isolated PostgresConnection) throws -> Double {
        let plan = try connection.query("explain \(BoundStatement(statement, parameters).text)")
        let text = try plan.first?.text(0) ?? ""
        guard let end = text.range(of: "rows=") else { return .infinity }
        let head = text[..<end.lowerBound]
        guard let dots = head.range(of: "..", options: .backwards) else { return .infinity }
        return Double(head[dots.upperBound...].filter { !$0.isWhitespace }) ?? .infinity
    }
}
