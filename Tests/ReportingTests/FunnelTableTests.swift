import Events
import Time
@testable import Reporting
import Testing
import Timelines

/// The other tables about a funnel: beside the preceding range, and the times to the steps.
@Suite("Funnel tables")
struct FunnelTableTests {
    private typealias E = OracleEvents

    private static let steps = "inbound_link,conversion"

    /// People who start at an instant, some of whom convert after the given seconds.
    private func people(_ count: Int, from number: Int, at start: Double, refs: [String] = [], converting: [Double])
        -> [Event]
    {
        (0..<count).flatMap { index in
            let id = UInt64(number + index) * 2
            let user = "user-\(number + index)"
            let link = E.event(id, at: start, user: user, .inboundLink(E.touch(refs: refs)))
            guard index < converting.count else { return [link] }
            return [link, E.event(id + 1, at: start + converting[index], user: user, E.conversion())]
        }
    }

    @Test func standsBesideTheRangeBefore() throws {
        // Ten days before the range of ten days.
        let events =
            people(100, from: 0, at: 5, converting: Array(repeating: 60, count: 45))
            + people(100, from: 500, at: -5 * E.day, converting: Array(repeating: 60, count: 30))
        let rows = try Asking.rows("funnel", ["steps": Self.steps, "compare-previous": "true"], of: events)
        // The p-value and the interval of 45 and 30 of 100, as in the statistics' tests.
        #expect(
            rows.map { Array($0.dropFirst(12)) } == [
                ["100", "0", "1.000000", "0.000000", "", "", "", ""],
                ["30", "0", "0.300000", "0.150000", "0.015852", "0.276831", "0.0284597", "0.0284597"],
            ]
        )
    }

    @Test func correctsForTheNumberOfGroups() throws {
        let converting = Array(repeating: 60.0, count: 45)
        let events =
            people(100, from: 0, at: 5, refs: ["x"], converting: converting)
            + people(100, from: 200, at: -5 * E.day, refs: ["x"], converting: Array(converting.prefix(30)))
            + people(100, from: 400, at: 5, refs: ["y"], converting: Array(converting.prefix(40)))
            + people(100, from: 600, at: -5 * E.day, refs: ["y"], converting: Array(converting.prefix(38)))
            + people(3, from: 800, at: -5 * E.day, refs: ["gone"], converting: [])
        let rows = try Asking.rows(
            "funnel",
            ["steps": Self.steps, "by": "ref", "compare-previous": "true"],
            of: events
        ).filter { $0[1] == "2" }
        #expect(rows.map { $0[0] } == ["x", "y", "gone", "total"])
        #expect(rows.map { $0[12] } == ["30", "38", "0", "68"])
        // Who neither converted nor still can.
        #expect(rows.map { Array($0[4...5]) } == [["0", "55"], ["0", "60"], ["0", "0"], ["0", "115"]])
        // Two tests: the smaller value is doubled, the larger stays. The third group has no test, and total is not one
        // of them.
        #expect(rows[0].suffix(2) == ["0.0284597", "0.0569195"])
        #expect(rows[1][18] == rows[1][19])
        // So is the level of the interval: with the other of two tests, 45 and 30 of 100 may be chance.
        #expect(rows[0][16...17] == ["-0.003249", "0.293783"])
        #expect(rows[2].suffix(2) == ["", ""])
        #expect(rows[3][18] == rows[3][19])
    }

    /// 400 people began yesterday. Fewer have converted only because they had less time.
    @Test func givesNoVerdictWhilePeopleStillCan() throws {
        let events =
            people(400, from: 0, at: 9 * E.day, converting: Array(repeating: 60, count: 34))
            + people(1000, from: 1000, at: -5 * E.day, converting: Array(repeating: 60, count: 300))
        var warnings: [String] = []
        func rows(_ more: [(name: String, value: String)], now: Double) throws -> [[String]] {
            let range = [("from", E.span.from.rfc3339), ("to", E.span.to.rfc3339)]
            let request = try ReportRequest.parse(
                name: "funnel",
                parameters: range + [("steps", Self.steps), ("compare-previous", "true")] + more,
                origin: .commandLine,
                app: Asking.app(),
                now: E.time(now)
            )
            let table = try request.table(over: MemoryTimelines(events, query: request.query))
            warnings = request.report.warnings(of: table.rows).map { $0.message.text(for: .commandLine) }
            return table.rows.texts
        }
        let row = try rows([("matured", "off")], now: 10 * E.day)[1]
        #expect(row.dropFirst(12) == ["300", "0", "0.300000", "-0.215000", "", "", "", ""])
        let reason = "no verdict while the window of more than a tenth of a side is not over"
        #expect(warnings == ["--matured off: \(reason): 366 of 400 of 'total'"])
        // A month later, all are over.
        #expect(try rows([("matured", "off")], now: 40 * E.day)[1].suffix(4).allSatisfy { !$0.isEmpty })
        #expect(warnings.isEmpty)
        // In a long window, those of the range before can still convert, too.
        _ = try rows([("matured", "off"), ("window", "30d")], now: 10 * E.day)
        let sides = "366 of 400 of 'total', 700 of 1000 of 'total' in the range before"
        #expect(warnings == ["--matured off: \(reason): \(sides)"])
    }

    @Test func tellsPercentilesAndBins() throws {
        let events = people(6, from: 0, at: 5, converting: [10, 20, 30, 100])
        let rows = try Asking.rows("funnel", ["steps": Self.steps, "times": "true", "window": "60m"], of: events)
        #expect(rows.map { $0[9] } == ["0", "1", "5", "15", "60", "300", "900"])
        #expect(rows.map { $0[10] } == ["1", "5", "15", "60", "300", "900", "3600"])
        #expect(rows.map { $0[11] } == ["0", "0", "1", "2", "1", "0", "0"])
        #expect(Array(rows[0][0..<9]) == ["total", "2", "conversion", "4", "0", "25", "79", "89.5", "97.9"])
        #expect(rows[3][12] == "0.500000")
    }

    @Test func tellsNoTimesWhereNobodyCame() throws {
        let rows = try Asking.rows("funnel", ["steps": Self.steps, "times": "true", "window": "1s"], of: [])
        #expect(rows == [["total", "2", "conversion", "0", "0", "", "", "", "", "0", "1", "0", ""]])
    }

    @Test(
        arguments: [
            // Whole days: the same number, though one has 23 or 25 hours.
            ("2026-03-30", "2026-04-06", "Europe/Berlin", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("2026-10-26", "2026-11-02", "Europe/Berlin", "2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"),
            ("2026-03-29", "2026-03-30", "Europe/Berlin", "2026-03-27T23:00:00Z", "2026-03-28T23:00:00Z"),
            ("2026-03-30", "2026-03-31", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
            ("2026-01-05", "2026-01-06", "UTC", "2026-01-04T00:00:00Z", "2026-01-05T00:00:00Z"),
            // The first day of the preceding range has no midnight.
            ("2018-11-05", "2018-11-06", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
            // Not whole days: both ends at the same hour.
            ("2026-03-30", "2026-04-05T12:00:00Z", "Europe/Berlin", "2026-03-22T23:00:00Z", "2026-03-29T12:00:00Z"),
            (
                "2026-01-05T00:00:00.000001Z", "2026-01-06", "UTC", "2026-01-04T00:00:00.000001Z",
                "2026-01-05T00:00:00Z"
            ),
            ("2026-01-05T09:00:00Z", "2026-01-05T17:00:00Z", "UTC", "2026-01-04T09:00:00Z", "2026-01-04T17:00:00Z"),
            ("2026-01-05T09:00:00Z", "2026-01-06T10:00:00Z", "UTC", "2026-01-03T09:00:00Z", "2026-01-04T10:00:00Z"),
            // 02:30 on a day without that hour, and one that comes twice.
            (
                "2026-03-30T00:10:00Z", "2026-03-30T00:30:00Z", "Europe/Berlin", "2026-03-29T01:10:00Z",
                "2026-03-29T01:30:00Z"
            ),
            (
                "2026-10-26T01:10:00Z", "2026-10-26T01:30:00Z", "Europe/Berlin", "2026-10-25T00:10:00Z",
                "2026-10-25T00:30:00Z"
            ),
        ]
    )
    func precedesAtTheSameHours(from: String, to: String, zone: String, first: String, last: String) throws {
        let request = try Asking.request("funnel", ["from": from, "to": to, "tz": zone, "compare-previous": "true"])
        let before = request.range.preceding(in: request.zone)
        #expect(before.from.rfc3339 == first)
        #expect(before.to.rfc3339 == last)
        #expect(before.to <= request.range.from)
        #expect(request.query.touchesFrom <= before.from)
    }
}
