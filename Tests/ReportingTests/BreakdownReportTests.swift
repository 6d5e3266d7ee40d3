import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
@testable import Timelines
import Time

/// What the report `breakdown` says beside the figures, which the oracle checks.
@Suite("The breakdown")
struct BreakdownReportTests {
    private typealias E = OracleEvents

    private static let events = [
        E.event(1, at: 0, user: "ann", E.post(refs: ["gift", "boast"], postID: "p1", link: "a")),
        E.event(2, at: 100, user: "bob", E.post(refs: ["gift"], link: "b")),
        E.event(10, at: 1000, user: "v1", .inboundLink(E.touch(storyLink: "a"))),
        E.event(11, at: 1060, user: "v1", E.install),
        E.event(20, at: 1500, user: "v2", .linkClick(E.touch(.other, postID: "p1"))),
        E.event(30, at: 2000, user: "v3", .inboundLink(E.touch(storyLink: "b"))),
        E.event(40, at: 3000, user: "v4", .inboundLink(E.touch(.search))),
    ]

    /// A post is named by its id, else by its link, whether the events are packed or not.
    @Test func namesPosts() async throws {
        try await withStored(Self.events, at: 5_000) { app, pool in
            for isPacked in [false, true] {
                if isPacked {
                    try await pool.passHorizon()
                    try await TimelinePacker(app: app, pool: pool).pack()
                }
                let start = E.time(0).rfc3339
                #expect(
                    try await told(["by": "post"], app, pool) == [
                        ["p1", start, "gift,boast", "", "a", "2", "2", "0", "1", "0", "0", "0", "0.500000"],
                        ["b", E.time(100).rfc3339, "gift", "", "b", "1", "1", "0", "0", "0", "0", "0", "0.250000"],
                        ["(none)", "", "", "", "", "1", "1", "0", "0", "0", "0", "0", "0.250000"],
                        ["direct", "", "", "", "", "0", "0", "0", "0", "0", "0", "0", "0.000000"],
                        ["total", "", "", "", "", "4", "4", "0", "1", "0", "0", "0", "1.000000"],
                    ]
                )
                #expect(
                    try await told(["by": "poster", "sort": "installs", "limit": "1"], app, pool) == [
                        // Of all installs, because the rows are sorted by these.
                        ["ann", "user", "2", "2", "0", "1", "0", "0", "0", "1.000000"],
                        ["(others)", "", "2", "2", "0", "0", "0", "0", "0", "0.000000"],
                        ["direct", "", "0", "0", "0", "0", "0", "0", "0", "0.000000"],
                        ["total", "", "4", "4", "0", "1", "0", "0", "0", "1.000000"],
                    ]
                )
            }
        }
    }

    private func withStored(
        _ events: [Event],
        at seconds: Double,
        _ body: @Sendable (App, PostgresPool) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await testing.writer.store(events, of: app, receivedAt: E.time(seconds))
            try await body(app, testing.pool)
        }
    }

    private func told(
        _ parameters: [String: String],
        from start: Double = 0,
        to end: Double = 5_000,
        _ app: App,
        _ pool: PostgresPool
    ) async throws -> [[String]] {
        let request = try ReportRequest.parse(
            name: "breakdown",
            parameters: [("from", E.time(start).rfc3339), ("to", E.time(end).rfc3339)]
                + parameters.map { (name: $0.key, value: $0.value) },
            origin: .http,
            app: app,
            now: E.time(end)
        )
        return try await ReportRunner.run(request, on: pool).table.rows.texts
    }

    /// Whoever buys by two channels pays in both, and once in total; nothing is paid with 0, or in another currency.
    @Test func countsPayingPeople() throws {
        let events = [
            E.event(1, at: 0, user: "ann", .inboundLink(E.touch(.search))),
            E.event(2, at: 10, user: "ann", E.conversion("buy", 1_000_000)),
            E.event(3, at: 20, user: "ann", .inboundLink(E.touch(.other))),
            E.event(4, at: 30, user: "ann", E.conversion("buy", 3_000_000)),
            E.event(5, at: 40, user: "ann", E.conversion("buy", 1_000_000)),
            E.event(6, at: 0, user: "bob", .inboundLink(E.touch(.search))),
            E.event(7, at: 10, user: "bob", E.conversion("buy", 0)),
            E.event(8, at: 20, user: "bob", E.conversion("buy", 7_000_000, "EUR")),
            E.event(9, at: 0, user: "cid", E.conversion("buy", 2_000_000)),
        ]
        let rows = try Asking.rows("breakdown", ["rates": "true", "sort": "value_per_person"], of: events)
        // paying_people, value, converting_people, conversion_rate, conversions_per_person, value_per_person
        let columns = [6, 7, 9, 11, 12, 13]
        let told = rows.map { row in "\(row[0]): \(columns.map { row[$0] }.joined(separator: " "))" }
        #expect(
            told == [
                "other: 1 4 1 1.000000 2.000000 4.000000", "search: 1 1 2 1.000000 1.500000 0.500000",
                // Cid had no touch.
                "direct: 1 2 0   ", "total: 2 7 2 1.000000 3.000000 3.500000",
            ]
        )
    }

    /// A rate of few people says little, and would come first.
    @Test func putsRowsOfFewPeopleInOthers() throws {
        let events = [
            E.event(1, at: 0, user: "ann", .inboundLink(E.touch(.search))),
            E.event(2, at: 1, user: "ann", E.conversion("look")),
            E.event(3, at: 0, user: "bob", .inboundLink(E.touch(.search))),
            E.event(4, at: 1, user: "bob", E.conversion("buy")),
            E.event(5, at: 0, user: "cid", .inboundLink(E.touch(.other))),
            E.event(6, at: 1, user: "cid", E.conversion("buy")),
        ]
        let rows = try Asking.rows(
            "breakdown",
            ["rates": "on", "sort": "conversion_rate", "least": "2", "goal": "buy"],
            of: events
        )
        #expect(
            rows.map { "\($0[0]) \($0[2]) \($0[11])" } == [
                "search 2 0.500000", "(others) 1 1.000000", "direct 0 ", "total 3 0.666667",
            ]
        )
    }

    /// By the rules that the app has when the report is asked for, whether the events are packed or not.
    @Test func tellsPagesByTheRulesOfTheApp() async throws {
        func touch(_ number: UInt64, _ target: String) -> Event {
            var touch = E.touch()
            touch.link.targetURL = target
            return E.event(number, at: Double(number), user: "u\(number)", .inboundLink(touch))
        }
        let events = [
            touch(1, "https://shop.example/item?id=1&utm_source=a"), touch(2, "http://www.shop.example/item/?id=1"),
            touch(3, "https://shop.example/item?id=2"),
        ]
        try await withStored(events, at: 5_000) { app, pool in
            let store = AppStore(pool: pool)
            for isPacked in [false, true] {
                if isPacked {
                    try await pool.passHorizon()
                    try await TimelinePacker(app: app, pool: pool).pack()
                }
                func pages() async throws -> [String] {
                    try await told(["by": "page"], app, pool).dropLast(2).map { "\($0[0]) \($0[1])" }
                }
                #expect(try await pages() == ["shop.example/item 3"])
                _ = try await store.setRules("page: {keep: [id]}", of: app)
                #expect(try await pages() == ["shop.example/item?id=1 2", "shop.example/item?id=2 1"])
                _ = try await store.setRules(nil, of: app)
            }
            let request = try Asking.request("channels", ["where": "page=shop.example/itm,shop.example/*"], app: app)
            let warnings = try await ReportRunner.run(request, on: pool).warnings
            #expect(warnings.compactMap(\.value) == ["shop.example/itm"])
            #expect(warnings.first?.nearest == ["shop.example/item"])

            // Also where a report that knows no pages is counted first, and where people are listed.
            _ = try await store.setRules("page: {keep: [id]}", of: app)
            let condition = "page=shop.example/item?id=1"
            let together = try [
                Asking.request("viral", app: app), Asking.request("channels", ["where": condition], app: app),
            ]
            let results = try await ReportRunner.run(together, on: pool, connections: 1)
            #expect(results.flatMap(\.warnings).isEmpty)
            let people = try Asking.request("channels", ["where": condition, "people": "touches"], app: app)
            let list = try await PeopleRunner.run(people, as: .csv, on: pool, to: ListText())
            #expect(list.notes.warnings.isEmpty)
        }
    }

    /// 2026-01-31, a Saturday, ends at 23:00 UTC in Berlin.
    @Test func countsWeeksAndMonthsOfTheZone() throws {
        let saturday = 26 * E.day
        let events = [-3_601, 82_799, 82_800, 86_400 + 82_800].enumerated().map { number, seconds in
            E.event(UInt64(number), at: saturday + Double(seconds), user: "u", .inboundLink(E.touch()))
        }
        func rows(_ keys: String, from: String = "2026-01-01") throws -> [[String]] {
            let request = try Asking.request(
                "breakdown",
                ["by": keys, "sort": "touches", "from": from, "to": "2026-02-09", "tz": "Europe/Berlin"]
            )
            return try Asking.rows(request, of: events).filter { !["direct", "total"].contains($0[0]) }
        }
        #expect(
            try rows("week").map { [$0[0], $0[1], $0[$0.count - 1]] } == [
                // Until 2026-02-01, a Sunday.
                ["2026-01-26", "3", "true"], ["2026-02-02", "1", "true"],
            ]
        )
        #expect(
            try rows("month").map { [$0[0], $0[1], $0[$0.count - 1]] } == [
                ["2026-01-01", "2", "true"], ["2026-02-01", "2", "false"],
            ]
        )
        #expect(
            try rows("month,channel", from: "2026-01-31").map { Array($0.prefix(3)) + $0.suffix(1) } == [
                ["2026-02-01", "story_links", "2", "false"], ["2026-01-01", "story_links", "1", "false"],
            ]
        )
        // A row of two periods is about the shorter.
        #expect(try rows("month,day").allSatisfy { $0.last == "true" })
    }

    /// The preceding range tells the figures of the rows that this range shows, whatever their place there.
    @Test func comparesTheRowsThatItShows() async throws {
        let day = E.day
        func touch(_ number: UInt64, _ time: Double, _ user: String, _ target: String) -> Event {
            var touch = E.touch()
            touch.link.targetURL = target
            return E.event(number, at: time, user: user, .inboundLink(touch))
        }
        // On the first day "b" is last of three; on the second it is first of three.
        let events = [
            touch(1, 1, "u1", "a"), touch(2, 2, "u2", "a"), touch(3, 3, "u3", "c"), touch(4, 4, "u3", "c"),
            // The app had events before both days.
            touch(10, -1, "u4", "b"),
            touch(5, 5, "u4", "b"), touch(6, day + 1, "u1", "b"), touch(7, day + 2, "u2", "b"),
            touch(8, day + 3, "u1", "c"), touch(9, day + 4, "u1", "d"),
        ]
        try await withStored(events, at: 2 * day) { app, pool in
            let parameters = ["by": "target_url", "limit": "1", "compare-previous": "true"]
            let rows = try await told(parameters, from: day, to: 2 * day, app, pool)
            // The figures are 8, then those of the preceding range, each with its change and the share of that. "u1" is
            // in two other groups of this range, and "u3" came twice in one of the preceding one.
            #expect(
                rows.map { [$0[0], $0[1], $0[2], $0[9], $0[12]] } == [
                    ["b", "2", "2", "1", "1"], ["(others)", "2", "1", "4", "3"], ["direct", "0", "0", "0", "0"],
                    ["total", "4", "2", "5", "4"],
                ]
            )
        }
    }
}
