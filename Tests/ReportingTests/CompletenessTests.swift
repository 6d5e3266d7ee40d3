import Events
import InboundLinks
import Postgres
import Storage
import Testing
import Time
@testable import Reporting

/// Rows of periods say whether they are whole, and reports say how far the events have arrived.
@Suite("Completeness")
struct CompletenessTests {
    private typealias E = OracleEvents

    private static let events = (0..<20).map { day in
        E.event(UInt64(day), at: Double(day) * E.day + 60, user: "u\(day)", .inboundLink(E.touch(.search)))
    }

    private func result(_ name: String, _ parameters: KeyValuePairs<String, String>, now: Double) throws -> ReportResult
    {
        let request = try Asking.request(name, parameters, now: E.time(now * E.day))
        return ReportResult(
            request: request,
            table: try request.table(over: MemoryTimelines(Self.events, query: request.query))
        )
    }

    /// The names of periods with `complete` of their last row.
    private func told(_ result: ReportResult) -> [String] {
        let columns = result.table.columns.map(\.name)
        #expect(columns.last == "complete")
        return result.table.rows.filter { row in row.contains(.text("total")) }.texts.map {
            "\($0[0]) \($0.last ?? "")"
        }
    }

    // Monday is 2026-01-05, the day 0.
    @Test func tellCutAndOpenPeriods() throws {
        let weeks = try result(
            "channels",
            ["by": "week", "from": "2026-01-07", "to": "2026-01-27"],
            now: 16
        )
        #expect(
            told(weeks) == [
                // The range begins on Wednesday.
                "2026-01-05 false", "2026-01-12 true",
                // It is Wednesday of this week.
                "2026-01-19 false",
                "2026-01-26 false",
            ]
        )
        #expect(weeks.text(as: .csv).hasPrefix("period,channel,"))
        #expect(weeks.text(as: .csv).split(separator: "\r\n").allSatisfy { !$0.hasSuffix(",") })
        #expect(weeks.text(as: .json).contains("\"complete\": true}"))
        let table = weeks.text(as: .table)
        #expect(table.contains("\n2026-01-05*  search"))
        #expect(table.contains("\n2026-01-12   search"))
        #expect(!table.contains("complete  "))
        #expect(table.hasSuffix("\n* not complete: the range cuts the period, or it is not over\n"))
    }

    @Test func tellCohortsWhosePeriodIsNotOver() throws {
        let cohorts = try result(
            "retention",
            ["period": "day", "periods": "2", "from": "2026-01-05", "to": "2026-01-07"],
            now: 3
        )
        // The cohorts of Monday and Tuesday, on Thursday at midnight: Tuesday's second day is Thursday.
        #expect(told(cohorts) == ["2026-01-05 true", "2026-01-05 true", "2026-01-06 true", "2026-01-06 false"])
    }

    /// The second row was told by what the range left of the first.
    @Test(arguments: ["2026-01-05", "2026-01-08", "2026-01-11"]) func aWholeWeekHasOneTruth(from: String) throws {
        let opens = [("ann", 0.5), ("ann", 7.5), ("bob", 1.5), ("cid", 4.5), ("cid", 6.2), ("dan", 8.5)].enumerated()
            .map { E.event(UInt64($0.offset), at: $0.element.1 * E.day, user: $0.element.0, .appOpen) }
        let request = try Asking.request("activity", ["period": "week", "from": from, "to": "2026-01-19"])
        let rows = try Asking.rows(request, of: opens)
        // Of two people active, one was so in the week before, whose two others are gone.
        #expect(rows[1] == ["2026-01-12", "total", "2", "1", "1", "0", "2", "2", "", "", "true"])
        // Who came in this week is new in the part of it that the range has, too.
        let parts = ["2026-01-05": ["3", "3"], "2026-01-08": ["1", "1"], "2026-01-11": ["1", "1"]]
        #expect(Array(rows[0][2...6]) == (parts[from] ?? []) + ["0", "0", "0"] && rows[0].count == 11)
    }

    @Test func laterPeriodsThatHaveNotBegunAreEmpty() throws {
        let cohorts = try result(
            "retention",
            ["period": "day", "periods": "3", "from": "2026-01-05", "to": "2026-01-06"],
            now: 2.5
        ).table.rows.texts
        // Wednesday is the second day after Monday, and not over.
        #expect(cohorts.map { $0[3] } == Array(repeating: "1", count: 3))
        #expect(
            cohorts.map { "\($0[2]) \($0[4]) \($0[5]) \($0[8]) \($0[9])" }.suffix(3) == [
                "1 0 0.000000 0.000000 true", "2 0 0.000000 0.000000 false", "3    false",
            ]
        )
        // What is known of a day to come, from a clock that is fast, is counted.
        let days = try result("channels", ["by": "day", "from": "2026-01-07", "to": "2026-01-09"], now: 2.5)
        #expect(
            days.table.rows.texts.filter { $0[1] == "total" } == [
                ["2026-01-07", "total", "1", "1", "0", "0", "0", "0", "false"],
                ["2026-01-08", "total", "1", "1", "0", "0", "0", "0", "false"],
            ]
        )
    }

    /// Beside it, the cohort before it is a day further, and no more than that.
    @Test func periodsToComeAreEmptyInThePrecedingRangeToo() throws {
        let beside = try result(
            "retention",
            [
                "period": "day", "periods": "3", "from": "2026-01-06", "to": "2026-01-07", "matured": "off",
                "compare-previous": "true",
            ],
            now: 2.5
        ).table
        let wanted = [
            "cohort", "group", "period", "people", "retained", "value", "previous_people", "previous_retained",
            "previous_rate", "previous_value", "change_retained", "change_share_value", "complete",
        ].compactMap { name in beside.columns.firstIndex { $0.name == name } }
        let rows = beside.rows.texts.map { row in wanted.map { row[$0] } }
        // It is Wednesday: Tuesday's second day and Monday's third have not begun.
        #expect(
            rows == [
                ["2026-01-06", "total", "1", "1", "0", "0", "1", "0", "0.000000", "0", "0", "", "false"],
                ["2026-01-06", "total", "2", "1", "", "", "1", "0", "0.000000", "0", "", "", "false"],
                ["2026-01-06", "total", "3", "1", "", "", "1", "", "", "", "", "", "false"],
            ]
        )
    }

    @Test func tellGroupsThatAreDays() throws {
        let span: KeyValuePairs = [
            "from": "2026-01-05T12:00:00Z", "to": "2026-01-08", "by": "day", "steps": "touch,conversion",
        ]
        let rows = try result("funnel", span, now: 10).table.rows.texts
        #expect(
            rows.filter { $0[1] == "1" }.map { [$0[0], $0.last ?? ""] } == [
                ["2026-01-06", "true"], ["2026-01-07", "true"], ["total", ""],
            ]
        )
        let pairs = try result(
            "breakdown",
            ["by": "channel,day", "from": "2026-01-05", "to": "2026-01-06T12:00:00Z"],
            now: 10
        ).table
        #expect(
            pairs.rows.texts.map { [$0[1], $0.last ?? ""] }.prefix(2) == [
                ["2026-01-05", "true"], ["2026-01-06", "false"],
            ]
        )
    }

    @Test func comesLastBesideThePrecedingRange() throws {
        let beside = try result(
            "channels",
            ["by": "week", "from": "2026-01-12", "to": "2026-01-19", "compare-previous": "true"],
            now: 30
        )
        #expect(told(beside) == ["2026-01-12 true"])
        let cut = try result(
            "channels",
            ["by": "week", "from": "2026-01-12", "to": "2026-01-20", "compare-previous": "true"],
            now: 30
        )
        // The week before lies only partly in the range before.
        #expect(told(cut).last == "2026-01-19 false")
    }

    /// Groups by week are compared by their place: the first with the first of the preceding range.
    @Test(arguments: ["breakdown", "funnel"]) func tellGroupsThatAreComparedByPlace(report: String) throws {
        let days: [Double] = [1, 8, 9, 15, 22, 23, 24]
        let events = days.enumerated().map { number, day in
            E.event(UInt64(number), at: day * E.day, user: "u\(number)", .inboundLink(E.touch()))
        }
        let steps = report == "funnel" ? [(name: "steps", value: "touch,conversion")] : []
        let request = try ReportRequest.parse(
            name: report,
            parameters: [("from", "2026-01-19"), ("to", "2026-02-02"), ("by", "week"), ("compare-previous", "true")]
                + steps,
            origin: .http,
            app: Asking.app(),
            now: E.time(100 * E.day)
        )
        let table = try request.table(over: MemoryTimelines(events, query: request.query))
        let wanted = ["people", "previous_people", "complete"].compactMap { name in
            table.columns.firstIndex { $0.name == name }
        }
        let rows = Dictionary(grouping: table.rows.texts, by: { $0[0] }).compactMapValues { rows in
            rows.first.map { row in wanted.map { row[$0] } }
        }
        #expect(rows["2026-01-19"] == ["1", "1", "true"])
        #expect(rows["2026-01-26"] == ["3", "2", "true"])
        #expect(rows["total"] == ["4", "3", ""])
        #expect(rows.keys.filter { $0.hasPrefix("2026") }.count == 2)
    }

    @Test func reportsWithoutPeriodsHaveNoSuchColumn() throws {
        #expect(try result("channels", ["from": "2026-01-07"], now: 16).table.columns.last?.name == "value")
    }

    @Test func freshnessTellsTheLastEventAndTheShareOfLateOnes() async throws {
        try await FigureTesting.with { testing in
            let app = try await AppStore(pool: testing.pool).made("fresh", currency: "EUR")
            let zone = try #require(ReportTimeZone("UTC"))
            func freshness() async throws -> Freshness {
                try await testing.pool.withConnection {
                    try Freshness.read(of: app, zone: zone, now: E.time(2.5 * E.day), on: $0)
                }
            }
            let none = try await freshness()
            #expect(none.text(in: zone) == "no event has been received yet")
            #expect(none.json == "{\"last_event_received_at\": null, \"late_share_yesterday\": null}")
            func makeApp(at day: Double) async throws {
                try await testing.pool.withConnection { connection in
                    _ = try connection.query(
                        "update app set created_at = $1",
                        [.timestamp(microseconds: E.time(day * E.day).microseconds)]
                    )
                }
            }
            try await makeApp(at: 0)
            func store(_ number: UInt64, of day: Double, receivedOn: Double) async throws {
                var event = E.event(number, at: day * E.day, user: "u", .authentication())
                event.receivedAt = E.time(receivedOn * E.day)
                try await testing.writer.store([event], of: app, receivedAt: event.receivedAt)
            }
            try await store(0, of: 0.5, receivedOn: 2.25)
            #expect(try await freshness().text(in: zone) == "last event received 2026-01-07 06:00 (UTC)")
            // Yesterday is the day 1: one in time, one at most an hour late, one later. Another day does not count.
            try await store(1, of: 1.1, receivedOn: 1.1)
            try await store(2, of: 1.2, receivedOn: 1.2 + 3_600 / E.day)
            try await store(3, of: 1.3, receivedOn: 1.3 + 3_601 / E.day)
            let told = try await freshness()
            #expect(
                told.text(in: zone) == "last event received 2026-01-07 06:00 (UTC); "
                    + "33.3 % of yesterday's events came more than an hour late"
            )
            #expect(
                told.json
                    == "{\"last_event_received_at\": \"2026-01-07T06:00:00Z\", \"late_share_yesterday\": 0.333333}"
            )
            // What happened before the app was made is history, and not late.
            try await makeApp(at: 1.25)
            try await store(4, of: 1.26, receivedOn: 1.26)
            #expect(try await freshness().text(in: zone).contains("; 50 % of yesterday's events"))
            try await makeApp(at: 2.1)
            #expect(try await freshness().text(in: zone) == "last event received 2026-01-07 06:00 (UTC)")
        }
    }
}
