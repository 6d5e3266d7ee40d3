import Events
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
import RandomTesting
@testable import Timelines

/// Events arrive in any batches and order, with a refresh after some of them. The figures then equal those computed
/// from nothing, and the views equal the reports.
@Suite("Refreshed figures")
struct FigureRefreshTests {
    private static let zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland"]

    @Test(arguments: TestSeeds.seeds(8, in: 4)) func equalARebuildAndTheReports(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with { testing in
            for seed in seeds { try await expectEquality(seed: seed, testing) }
        }
    }

    private func expectEquality(seed: UInt64, _ testing: FigureTesting) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        var random = SeededRandom(seed: seed)
        let app = try await testing.makeApp(
            "app-\(seed)",
            timeZone: random.pick(Self.zones),
            properties: RandomStream.declared
        )
        let packer = TimelinePacker(app: app, pool: testing.pool)
        for batch in stream.redelivered(seed: seed) {
            try await testing.store(batch, of: app)
            if random.chance(30) { try await packer.pack() }
            if random.chance(70) { try await testing.refresh(app) }
            if random.chance(20) { try await packer.apply() }
        }
        try await testing.refresh(app)
        let differences = try await testing.differences(app)
        #expect(differences.isEmpty, "seed \(seed), \(app.profile.timeZone)")

        let days = try await testing.texts(
            "select granularity, starts_on::text from figures_period where app_number = $1 order by 1, 2",
            [.int(Int64(app.number))]
        )
        for day in days.shuffled(using: &random).prefix(3) {
            try await FigureViews(app: app, granularity: day[0], start: day[1]).expectReports(testing)
        }
    }

    /// A transaction that begins before a change scan and commits after it.
    @Test func countEventsThatCommitLate() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            try await testing.store(RandomStream.make(seed: 3).events, of: app)
            let other = try await PostgresConnection.connect(to: testing.database.address)
            try await other.run { connection in
                try connection.executeScript("begin")
                try connection.execute(
                    """
                    insert into event (
                        app_number, event_id, type, occurred_at, received_at, device_id, transaction_number
                    )
                    values ($1, gen_random_uuid(), 'install', '2026-01-06', now(), 'late', current_transaction_number())
                    """,
                    [.int(Int64(app.number))]
                )
            }
            try await testing.refresh(app)
            #expect(try await testing.differences(app).isEmpty)
            let before = try await installs(of: app, testing)
            try await other.run { try $0.executeScript("commit") }
            await other.close()
            try await testing.refresh(app)
            #expect(try await testing.differences(app).isEmpty)
            #expect(try await installs(of: app, testing) == before + 1)
        }
    }

    private func installs(of app: App, _ testing: FigureTesting) async throws -> Int {
        try await testing.count(
            "select coalesce(sum(installs), 0)::integer from bi.totals_by_month where app_id = $1",
            [.text(app.profile.id)]
        )
    }

    /// A long transaction of another session holds the horizon back. Events that were scanned are not scanned again.
    @Test(.disabled(if: TestDatabases.usesCitus, "there, what is above the horizon is scanned again"))
    func findNothingNewTwice() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("once")
            let other = try await PostgresConnection.connect(to: testing.database.address)
            try await other.run { connection in
                try connection.executeScript("begin; create table other ()")
            }
            try await testing.store(RandomStream.make(seed: 4).events, of: app)
            try await testing.refresh(app)
            let refresher = try FigureRefresher(app: app)
            #expect(try await !testing.pool.withConnection { try refresher.scanChanges(on: $0) })
            let status = try await testing.pool.withConnection { try FigureStatus.all(on: $0) }
            #expect(status.map(\.pendingEvents) == [0])
            #expect(status.map(\.staleSpans) == [0])
            await other.close()
        }
    }

    @Test func areMadeAfreshAfterADeletion() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("deleted")
            try await testing.store(RandomStream.make(seed: 5).events, of: app)
            try await testing.refresh(app)
            try await testing.pool.withTransaction { connection in
                let number: [PostgresValue] = [.int(Int64(app.number))]
                try connection.execute("delete from event where app_number = $1 and type <> 'feed_post'", number)
                try connection.execute("delete from device_link where app_number = $1", number)
                try connection.execute("delete from click_link where app_number = $1", number)
                try connection.execute("select invalidate_figures($1)", number)
            }
            #expect(try await testing.count("select count(*) from bi.freshness where data_as_of is not null") == 0)
            try await testing.refresh(app)
            #expect(try await testing.differences(app).isEmpty)
            #expect(try await testing.count("select count(*) from channel_figures where touches > 0") == 0)
            #expect(try await testing.count("select count(*) from bi.freshness where data_as_of is null") == 0)

            _ = try await AppStore(pool: testing.pool).delete(app)
            for table in FigureTable.allCases.map({ "\($0)_figures" }) + ["figures_period", "figures_state"] {
                #expect(try await testing.count("select count(*) from \(table)") == 0)
            }
        }
    }

    /// The days of another time zone begin at other instants.
    @Test func areMadeAfreshForAnotherTimeZone() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("moved")
            try await testing.store(RandomStream.make(seed: 6).events, of: app)
            try await testing.refresh(app)
            _ = try await testing.texts("update app set time_zone = 'Pacific/Auckland' returning app_id")
            let moved = try await AppStore(pool: testing.pool).app(id: "moved")
            try await testing.refresh(moved)
            #expect(try await testing.differences(moved).isEmpty)
        }
    }

    /// A property of touches has figures once history is packed with it, and until its declaration is taken back.
    @Test func areOfTheDeclaredPropertiesThatArePacked() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("declared")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            let store = AppStore(pool: testing.pool)
            try await testing.store(RandomStream.make(seed: 8).events, of: app)
            try await packer.pack()
            try await store.declare(AppProperty("placement", of: .touch, values: 1), of: app)
            try await store.declare(AppProperty("plan", of: .person), of: app)
            @Sendable func properties() async throws -> [String] {
                try await testing.refresh(store.app(id: "declared"))
                return try await testing.texts("select distinct property from bi.properties_by_day order by 1").map {
                    $0[0]
                }
            }
            #expect(try await properties() == ["app_version", "country", "language"])
            _ = try await packer.rebuild()
            #expect(try await properties() == ["app_version", "country", "language", "placement"])
            let declared = try await store.app(id: "declared")
            #expect(try await testing.differences(declared).isEmpty)
            let month = try await testing.texts(
                """
                select starts_on::text
                from property_figures
                where granularity = 'month' and property = 'placement' and group_name = '(others)'
                """
            )
            try await FigureViews(app: declared, granularity: "month", start: #require(month.first)[0])
                .expectReports(testing)
            try await store.removeProperty("placement", of: app)
            #expect(try await properties() == ["app_version", "country", "language"])
        }
    }

    /// What waits longest comes first, so that new events do not keep the figures of older ones waiting.
    @Test func ofOldPeriodsAreComputedWhileEventsArrive() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("steady")
            let refresher = try FigureRefresher(app: app)
            func install(_ number: UInt64, days: Double) -> Event {
                OracleEvents.event(number, at: days * 86_400, user: "u\(number)", .install())
            }
            try await testing.store((0..<4).map { install($0, days: Double($0) * 31) }, of: app)
            try await testing.refresh(app)
            try await testing.pool.withConnection { connection in
                try connection.execute("select invalidate_figures($1)", [.int(Int64(app.number))])
            }
            for round in 0..<5 {
                try await testing.store([install(10 + UInt64(round), days: 93)], of: app)
                try await testing.pool.withConnection { connection in
                    try refresher.scanChanges(on: connection)
                    _ = try refresher.refreshNext(.all, on: connection)
                }
            }
            let old = "select count(*) from stale_figures where family = 'totals' and starts_on < '2026-03-01'"
            #expect(try await testing.count(old) == 0)
        }
    }

    @Test func leaveAnAppWithoutEventsEmpty() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("empty")
            try await testing.refresh(app)
            #expect(try await testing.count("select count(*) from bi.totals_by_day") == 0)
            #expect(try await testing.texts("select app_id, first_day::text from bi.apps") == [["empty", ""]])
            #expect(try await testing.differences(app).isEmpty)
        }
    }

    @Test func findRowsChangedByHand() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("meddled")
            try await testing.store(RandomStream.make(seed: 7).events, of: app)
            // While a transaction is open that began before them, also another test's, the events count as new, and the
            // check computes their figures before it compares.
            let stored = try await testing.count("select max(transaction_number) from event")
            while try await testing.count("select transaction_horizon()") <= stored { await Task.yield() }
            try await testing.refresh(app)
            _ = try await testing.texts("update channel_figures set touches = touches + 1 returning channel")
            let differences = try await testing.differences(app)
            #expect(!differences.isEmpty)
            #expect(differences.allSatisfy { $0.table == "channel" })
            // A check changes nothing.
            #expect(try await testing.differences(app) == differences)
        }
    }

    @Test func areRefreshedByOneAtATime() async throws {
        try await FigureTesting.with { testing in
            let refresher = try FigureRefresher(app: try await testing.makeApp("busy"))
            let other = try await PostgresConnection.connect(to: testing.database.address)
            let isAlone = try await testing.pool.withConnection { connection in
                try refresher.whileAlone(waiting: false, on: connection) { _ in true }
            }
            #expect(isAlone == true)
            _ = try await other.run { connection in
                try connection.query(
                    "select pg_advisory_lock(hashtextextended('tributary figures', \(refresher.app.number)))"
                )
            }
            let isBusy = try await testing.pool.withConnection { connection in
                try refresher.whileAlone(waiting: false, on: connection) { _ in true }
            }
            #expect(isBusy == nil)
            await other.close()
        }
    }
}
