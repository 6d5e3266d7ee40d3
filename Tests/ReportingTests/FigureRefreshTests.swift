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
    private typealias E = OracleEvents

    private static let people = [PersonKey(.user, "user-1"), PersonKey(.device, "device-1")]
    private static let zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland"]

    @Test(arguments: TestSeeds.seeds(4, in: 4)) func equalARebuildAndTheReports(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with { testing in
            for seed in seeds { try await expectEquality(seed: seed, testing) }
        }
    }

    /// With little memory, the spans of a batch are computed apart, and then the tables of a span. What still does not
    /// fit is left out, and nothing else differs.
    @Test(arguments: [(0, 0), (.max, 700), (6_000, .max)])
    func lackOnlyWhatMemoryDoesNotHold(groups: Int, cells: Int) async throws {
        try await FigureTesting.with { testing in
            let seed = TestSeeds.first
            let app = try await testing.makeApp("app", properties: RandomStream.declared)
            try await testing.store(RandomStream.make(seed: seed, hasTwins: false).events, of: app)
            // The check has all memory, and first computes the figures of what counts as new.
            try await testing.pool.passHorizon()
            let leftOut = try await testing.refresh(app, memory: FigureMemory(groups: groups, cells: cells))
            let differences = try await testing.differences(app)
            #expect(differences.subtracting(leftOut).isEmpty, "seed \(seed)")
            #expect(leftOut.subtracting(differences).isEmpty, "seed \(seed)")
            if groups == 0 { #expect(!leftOut.isEmpty) }
        }
    }

    private func expectEquality(seed: UInt64, _ testing: FigureTesting) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        var random = SeededRandom(seed: seed)
        var app = try await testing.makeApp(
            "app-\(seed)",
            timeZone: random.pick(Self.zones),
            properties: RandomStream.declared
        )
        for batch in stream.redelivered(seed: seed) {
            try await testing.store(batch, of: app)
            let packer = TimelinePacker(app: app, pool: testing.pool)
            if random.chance(30) { try await packer.pack() }
            if random.chance(70) { try await testing.refresh(app) }
            if random.chance(20) { try await packer.apply() }
            // After these, all figures are computed again. So most streams go without.
            if seed % 4 == 1, random.chance(20) { try await testing.erase(random.pick(Self.people), of: app) }
            if seed % 4 == 2, random.chance(20) {
                app = try await testing.declareAgain(&random, of: app)
                if random.chance(30) { try await testing.refresh(app) }
                try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            }
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

    /// A property has figures once history is packed with it, and until its declaration is taken back.
    @Test func areOfTheDeclaredPropertiesThatArePacked() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("declared")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            let store = AppStore(pool: testing.pool)
            try await testing.store(RandomStream.make(seed: 8).events, of: app)
            // While nothing is packed, all declared properties have figures.
            try await testing.pool.passHorizon()
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
            #expect(try await properties() == ["app_version", "country", "language", "placement", "plan"])
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
            #expect(try await properties() == ["app_version", "country", "language", "plan"])
            try await store.removeProperty("plan", of: app)
            #expect(try await properties() == ["app_version", "country", "language"])
        }
    }

    private func touch(_ number: UInt64, day: Double, user: String? = nil, device: String? = nil) -> Event {
        E.event(number, at: day * E.day, user: user, device: device, .inboundLink(E.touch()))
    }

    /// An event that figures do not count.
    private func opened(
        _ number: UInt64,
        day: Double,
        user: String,
        device: String? = nil,
        plan: String? = nil
    ) -> Event {
        var event = E.event(number, at: day * E.day, user: user, device: device, .appOpen)
        event.properties = plan.map { #"{"plan":"\#($0)"}"# }
        return event
    }

    private func plans(by period: String, _ testing: FigureTesting) async throws -> [[String]] {
        try await testing.texts(
            """
            select \(period)::text, group_name, touches::text
            from bi.properties_by_\(period)
            where property = 'plan' and touches > 0
            order by 1, 2
            """
        )
    }

    /// The value of a person is that of the earliest event that says one, so an event of today changes old periods, but
    /// only those in which the person counts.
    @Test func ofPeopleFollowAValueThatIsToldToday() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("told", properties: [AppProperty("plan", of: .person)])
            let touches = [
                touch(1, day: 0, user: "ann"), touch(2, day: 40, user: "ann"), touch(3, day: 40, user: "bob"),
                touch(4, day: 70, user: "bob"), touch(5, day: 90, device: "phone"), touch(6, day: 130, user: "bob"),
            ]
            try await testing.store(touches, of: app)
            try await testing.refresh(app)
            #expect(try await plans(by: "day", testing).map { $0[1] } == Array(repeating: "(none)", count: 5))

            try await testing.store(
                [
                    opened(7, day: 130, user: "ann", plan: "pro"),
                    opened(8, day: 130, user: "ann", device: "phone"),
                ],
                of: app
            )
            let refresher = try FigureRefresher(app: app)
            let stale = try await testing.pool.withConnection { connection in
                try refresher.scanChanges(on: connection)
                var days: Set<String> = []
                repeat {
                    for span in try refresher.staleSpans(.all, on: connection).map(\.span)
                    where span.family == .personProperties && span.granularity == .day {
                        days.insert(span.start.description)
                    }
                } while try refresher.refreshNext(.all, on: connection) != nil
                return days
            }
            #expect(stale.isSuperset(of: ["2026-01-05", "2026-02-14", "2026-04-05", "2026-05-15"]))
            // On a cluster, a scan may look once more at what the one before has seen.
            #expect(TestDatabases.usesCitus || !stale.contains("2026-03-16"))
            #expect(
                try await plans(by: "day", testing) == [
                    ["2026-01-05", "pro", "1"], ["2026-02-14", "(none)", "1"], ["2026-02-14", "pro", "1"],
                    ["2026-03-16", "(none)", "1"], ["2026-04-05", "pro", "1"], ["2026-05-15", "(none)", "1"],
                ]
            )
            #expect(try await testing.differences(app).isEmpty)
        }
    }

    /// A period of which events were removed is not computed again for a value that is told later.
    @Test(.disabled(if: TestDatabases.usesCitus, "there, what is above the horizon is scanned again"))
    func ofPeopleKeepWhatRetentionRemoves() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("kept", properties: [AppProperty("plan", of: .person)])
            try await testing.store(
                [
                    touch(1, day: 0, user: "ann"), touch(2, day: 12, user: "bob"), touch(3, day: 40, user: "bob"),
                ],
                of: app
            )
            try await testing.refresh(app)
            let now = E.time(100 * E.day)
            _ = try await RetentionStore(pool: testing.pool, packed: TimelineRemoval())
                .run(RetentionPolicy(events: .days(89)), app: app, isThorough: true, now: now)
            try await testing.store([opened(4, day: 99, user: "bob", plan: "pro")], of: app)
            try await testing.refresh(app)
            #expect(
                try await plans(by: "day", testing) == [
                    ["2026-01-05", "(none)", "1"], ["2026-01-17", "pro", "1"], ["2026-02-14", "pro", "1"],
                ]
            )
            #expect(
                try await plans(by: "month", testing) == [
                    ["2026-01-01", "(none)", "2"], ["2026-02-01", "pro", "1"],
                ]
            )
        }
    }

    /// What is told today decides who was new on a day of long ago. A day of nothing but opens has figures.
    @Test func ofActivityFollowWhatIsToldLate() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            @Sendable func activity() async throws -> [[String]] {
                try await testing.refresh(app)
                return try await testing.texts(
                    """
                    select day::text, active::text, new_people::text, returning_people::text, resurrected_people::text
                    from bi.activity_by_day
                    order by 1
                    """
                )
            }
            try await testing.store([opened(1, day: 20, user: "ann"), opened(2, day: 21, user: "ann")], of: app)
            #expect(try await activity() == [["2026-01-25", "1", "1", "0", "0"], ["2026-01-26", "1", "0", "1", "0"]])
            try await testing.store([touch(3, day: 2, device: "phone")], of: app)
            #expect(
                try await activity() == [
                    ["2026-01-07", "1", "1", "0", "0"], ["2026-01-25", "1", "1", "0", "0"],
                    ["2026-01-26", "1", "0", "1", "0"],
                ]
            )
            try await testing.store([opened(4, day: 30, user: "ann", device: "phone")], of: app)
            #expect(
                try await activity() == [
                    ["2026-01-07", "1", "1", "0", "0"], ["2026-01-25", "1", "0", "0", "1"],
                    ["2026-01-26", "1", "0", "1", "0"], ["2026-02-04", "1", "0", "0", "1"],
                ]
            )
            #expect(try await testing.differences(app).isEmpty)
        }
    }

    /// A touch with a ref of its own came from the post with its id, also if that comes later.
    @Test func ofPostsFollowAPostThatIsToldLate() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("posted")
            let refs = ["recipe"]
            try await testing.store(
                [
                    E.event(1, at: 10 * E.day, user: "bob", .inboundLink(E.touch(refs: refs, postID: "post"))),
                    E.event(2, at: 10 * E.day + 60, user: "bob", E.install),
                ],
                of: app
            )
            try await testing.refresh(app)
            try await testing.store(
                [E.event(3, at: 2 * E.day, user: "ann", E.post(refs: refs, postID: "post"))],
                of: app
            )
            try await testing.refresh(app)
            let week = "select touches::text, installs::text from bi.viral_by_week where grouping = 'all' and week = $1"
            #expect(try await testing.texts(week, [.text("2026-01-12")]) == [["1", "1"]])
            #expect(try await testing.differences(app).isEmpty)
        }
    }

    /// What is too much is known in the middle of a statement, whose transaction goes on.
    @Test(arguments: [(100_000, Int.max), (Int.max, 100_000)])
    func lackOnlyTheTablesOfVeryManyRefs(groups: Int, texts: Int) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("inviters")
            // More bytes than a socket holds.
            let touches = (1...1_500 as ClosedRange<UInt64>).map { number in
                let refs = ["\(number)" + String(repeating: "x", count: 200)]
                return OracleEvents.event(
                    number,
                    at: Double(number),
                    device: "d\(number)",
                    .inboundLink(OracleEvents.touch(refs: refs))
                )
            }
            for start in stride(from: 0, to: touches.count, by: 500) {
                try await testing.store(Array(touches[start..<start + 500]), of: app)
            }
            try await testing.pool.passHorizon()
            for packs in [false, true] {
                if packs { try await TimelinePacker(app: app, pool: testing.pool).rebuild() }
                var memory = FigureMemory(groups: groups, cells: .max)
                memory.texts = texts
                let leftOut = try await testing.refresh(app, memory: memory)
                #expect(leftOut.contains { $0.table == "ref" })
                #expect(!leftOut.contains { $0.table == "channel" })
                #expect(try await testing.count("select count(*) from ref_figures") == 0)
                #expect(try await testing.count("select count(*) from channel_figures") > 0)
                _ = try await testing.pool.withConnection { connection in
                    try FigureRefresher(app: app).scanChanges(fully: true, on: connection)
                }
            }
        }
    }

    @Test func lackThoseOfPostsThatMemoryDoesNotHold() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("posts")
            try await testing.store(RandomStream.make(seed: 9).events, of: app)
            // Events are packed when no transaction is open that began before them, also another test's.
            let stored = try await testing.count("select max(transaction_number) from event")
            while try await testing.count("select transaction_horizon()") <= stored { await Task.yield() }
            try await TimelinePacker(app: app, pool: testing.pool).pack()
            let leftOut = try await testing.refresh(app, memory: FigureMemory(posts: 0))
            #expect(!leftOut.isEmpty)
            #expect(leftOut.allSatisfy { $0.table == "viral" })
            #expect(try await testing.count("select count(*) from viral_figures") == 0)
            #expect(try await testing.differences(app).allSatisfy { $0.table == "viral" })
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
            // Events that count as new would be computed by the check before it compares.
            try await testing.pool.passHorizon()
            try await testing.refresh(app)
            _ = try await testing.texts("update channel_figures set touches = touches + 1 returning channel")
            let differences = try await testing.differences(app)
            #expect(!differences.isEmpty)
            #expect(differences.allSatisfy { $0.table == "channel" })
            // A check changes nothing.
            #expect(try await testing.differences(app) == differences)
        }
    }

    /// No event is of their period, and no list of periods has it.
    @Test func findRowsOfNoPeriod() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("stray", properties: RandomStream.declared)
            try await testing.store(RandomStream.make(seed: 8).events, of: app)
            try await testing.pool.passHorizon()
            try await testing.refresh(app)
            var planted: Set<String> = []
            for table in FigureTable.allCases.map(\.rawValue) {
                let rows = try await testing.texts(
                    """
                    insert into \(table)_figures
                    select (jsonb_populate_record(known, '{"starts_on": "2020-01-06"}')).*
                    from \(table)_figures as known
                    where granularity = 'day'
                    limit 1
                    returning granularity::text
                    """
                )
                if !rows.isEmpty { planted.insert(table) }
            }
            #expect(planted.isSuperset(of: ["activity", "channel", "retention", "viral"]))
            let differences = try await testing.differences(app)
            #expect(Set(differences.map(\.table)) == planted)
            #expect(differences.allSatisfy { $0.startsOn == "2020-01-06" })
            let refresher = try FigureRefresher(app: app)
            _ = try await testing.pool.withConnection { try refresher.scanChanges(fully: true, on: $0) }
            try await testing.refresh(app)
            for table in planted {
                let stray = "select count(*) from \(table)_figures where starts_on < '2021-01-01'"
                #expect(try await testing.count(stray) == 0)
            }
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
