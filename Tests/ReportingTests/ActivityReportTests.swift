import Events
@testable import Reporting
import Testing

@Suite("Active people")
struct ActivityReportTests {
    private typealias E = OracleEvents

    // Monday is 2026-01-05, the day 0. Ann came by another ref in the second week; Bob opened the app without one.
    private static let twoWeeks = [
        E.event(1, at: 0.5 * E.day, user: "ann", .inboundLink(E.touch(refs: ["gift"]))),
        E.event(2, at: 1.5 * E.day, user: "bob", .inboundLink(E.touch(refs: ["gift"]))),
        E.event(3, at: 7.5 * E.day, user: "ann", .inboundLink(E.touch(refs: ["ask", "boast"]))),
        E.event(4, at: 8.5 * E.day, user: "bob", .appOpen),
        E.event(5, at: 9.5 * E.day, user: "cid", .inboundLink(E.touch(refs: ["ask"]))),
    ]

    /// `period group active new returning resurrected dormant`
    private func rows(_ parameters: [String: String]) throws -> [String] {
        let request = try ReportRequest.parse(
            name: "activity",
            parameters: [("period", "week"), ("from", "2026-01-05"), ("to", "2026-01-26")]
                + parameters.map { ($0.key, $0.value) },
            origin: .http,
            app: Asking.app(),
            now: E.time(30 * E.day)
        )
        return try Asking.rows(request, of: Self.twoWeeks).map { $0[..<7].joined(separator: " ") }
    }

    @Test func countInTheGroupsOfTheTouchesOfThePeriod() throws {
        let rows = try rows(["by": "ref"])
        #expect(
            rows.prefix(7) == [
                "2026-01-05 gift 2 2 0 0 0", "2026-01-05 total 2 2 0 0 0", "2026-01-12 ask 2 1 1 0 0",
                "2026-01-12 boast 1 0 1 0 0", "2026-01-12 gift 0 0 0 0 0", "2026-01-12 (none) 1 0 1 0 0",
                "2026-01-12 total 3 1 2 0 0",
            ]
        )
        // Who is gone had the touches of the week before.
        let gone = rows.filter { $0.hasPrefix("2026-01-19") && !$0.hasSuffix(" 0") }
        #expect(
            Set(gone) == [
                "2026-01-19 ask 0 0 0 0 2", "2026-01-19 boast 0 0 0 0 1", "2026-01-19 (none) 0 0 0 0 1",
                "2026-01-19 total 0 0 0 0 3",
            ]
        )
    }

    /// Bob tapped on one day and only opened the app on the next: both days are among his last 30.
    @Test func countAllActivePeopleAmongThoseOfTheLastDays() throws {
        let events = [
            E.event(1, at: 0.5 * E.day, user: "ann", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(2, at: 39.5 * E.day, user: "bob", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(3, at: 40.5 * E.day, user: "bob", .appOpen),
        ]
        let request = try ReportRequest.parse(
            name: "activity",
            parameters: [("by", "ref"), ("from", "2026-02-14"), ("to", "2026-02-15")],
            origin: .http,
            app: Asking.app(),
            now: E.time(60 * E.day)
        )
        let rows = try Asking.rows(request, of: events).map { [$0[1], $0[2], $0[7], $0[8], $0[9]] }
        #expect(
            rows.contains(["(none)", "1", "1", "1", "1.000000"]) && rows.contains(["gift", "0", "1", "1", "0.000000"])
        )
    }

    @Test func countInTheGroupOfTheFirstTouchEver() throws {
        let second = try rows(["by": "ref", "first": "on"]).filter { $0.hasPrefix("2026-01-12") }
        #expect(
            second == [
                "2026-01-12 gift 2 0 2 0 0", "2026-01-12 ask 1 1 0 0 0", "2026-01-12 direct 0 0 0 0 0",
                "2026-01-12 total 3 1 2 0 0",
            ]
        )
    }

    /// The rows `ask`, `(none)` and all others of the second week.
    @Test(arguments: [("ref=ask", "2 1 1 0 0"), ("ref=(none)", "1 0 1 0 0"), ("ref!=ask", "2 0 2 0 0")])
    func areLimitedByTheTouchesOfThePeriod(condition: String, figures: String) throws {
        #expect(try rows(["where": condition]).contains("2026-01-12 total \(figures)"))
    }

    /// 30 days before the app began would be counted as days without anybody.
    @Test func movingSumsAreEmptyUntilTheAppHasTheirDays() throws {
        let request = try Asking.request("activity", ["from": "2026-01-05", "to": "2026-02-05"])
        let rows = try Asking.rows(request, of: Self.twoWeeks)
        func days(with column: Int) -> [String] { rows.filter { !$0[column].isEmpty }.map { $0[0] } }
        // active_7d, active_30d, stickiness
        #expect(days(with: 7).first == "2026-01-11" && days(with: 7).count == 25)
        #expect(days(with: 8) == ["2026-02-03", "2026-02-04"] && days(with: 9) == days(with: 8))
    }

    /// Days are counted 64 at a time.
    @Test func countEachOfManyDays() throws {
        let events = [0, 62, 63, 64, 127, 128].map { day in
            E.event(UInt64(day), at: (Double(day) + 0.5) * E.day, user: "ann", .appOpen)
        }
        let request = try ReportRequest.parse(
            name: "activity",
            parameters: [("from", "2026-01-05"), ("to", "2026-05-15")],
            origin: .http,
            app: Asking.app(),
            now: E.time(200 * E.day)
        )
        let rows = try Asking.rows(request, of: events)
        func days(with column: Int) -> [Int] { rows.indices.filter { rows[$0][column] == "1" } }
        #expect(rows.count == 130)
        #expect(days(with: 2) == [0, 62, 63, 64, 127, 128])
        #expect(days(with: 3) == [0] && days(with: 4) == [63, 64, 128] && days(with: 5) == [62, 127])
        #expect(days(with: 6) == [1, 65, 129])
        #expect(days(with: 7) == [6] + Array(62...70) + [127, 128, 129])
        #expect(days(with: 8) == [29] + Array(62...93) + [127, 128, 129])
    }

    /// One link remembers a tap of years before the app.
    @Test func oldTapMakesNoAppOlder() throws {
        let tap = E.touch(refs: ["gift"], deferred: true, clickedAt: -14 * 365 * E.day)
        let request = try Asking.request("activity", ["from": "2026-01-05", "to": "2026-01-15"])
        let rows = try Asking.rows(request, of: Self.twoWeeks + [E.event(6, at: E.day, user: "dan", .inboundLink(tap))])
        #expect(rows.count == 10 && rows.allSatisfy { $0[8].isEmpty && $0[9].isEmpty })
    }
}
