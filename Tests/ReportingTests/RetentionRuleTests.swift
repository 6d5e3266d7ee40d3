import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Testing
import Time

@Suite("Rules of retention")
struct RetentionRuleTests {
    private typealias E = OracleEvents

    private static func tap(_ number: UInt64, day: Double, _ user: String) -> Event {
        E.event(number, at: day * E.day, user: user, .inboundLink(E.touch(.search)))
    }

    private static func purchase(_ number: UInt64, day: Double, _ user: String, _ value: Int64) -> Event {
        E.event(number, at: day * E.day, user: user, E.conversion("buy", value * 1_000_000))
    }

    /// Two people have had five days, one has had two and bought the most. Were each day of other people, the value for
    /// each person would fall from 36.67 to 5.
    @Test func countsTheValueOfOnePopulation() throws {
        let events = [
            Self.tap(1, day: 0, "ann"), Self.purchase(2, day: 1, "ann", 10), Self.tap(3, day: 0, "bob"),
            Self.tap(4, day: 8, "cat"), Self.purchase(5, day: 9, "cat", 100),
        ]
        func rows(at periods: String) throws -> [[String]] {
            let request = try Asking.request(
                "retention",
                ["from": E.span.from.rfc3339, "to": E.span.to.rfc3339, "pooled": "on", "at": periods],
                now: E.time(10.5 * E.day)
            )
            return try Asking.rows(request, of: events).map { Array($0.dropFirst(2)) }
        }
        #expect(
            try rows(at: "1,5") == [
                ["1", "3", "2", "0.666667", "10", "10", "5.000000"],
                ["5", "2", "0", "0.000000", "0", "10", "5.000000"],
            ]
        )
        #expect(try rows(at: "1") == [["1", "3", "2", "0.666667", "110", "110", "36.666667"]])
        // Nobody has had thirty days, so nothing is known of a value.
        #expect(try rows(at: "1,30")[0] == ["1", "3", "2", "0.666667", "", "", ""])
    }

    /// Installs say themselves how they were joined: by their link, by the click that they name, or not at all.
    @Test func groupsInstallsByWhatTheySayOfTheirTap() throws {
        let click = "01990000-0000-7000-8000-000000000009"
        let events = [
            E.event(1, at: 0, user: "ann", click: click, .install(Install(link: E.touch(deferred: true)))),
            E.event(2, at: 0, user: "bob", click: click, E.install), E.event(3, at: 0, user: "cat", E.install),
            E.event(4, at: E.day, user: "bob", .appOpen), Self.tap(5, day: 1, "cat"),
        ]
        let request = try Asking.request(
            "retention",
            [
                "from": E.span.from.rfc3339, "to": E.span.to.rfc3339, "cohort": "install", "by": "joined_by",
                "where": "joined_by=link,click", "pooled": "on", "at": "1",
            ]
        )
        let rows = try Asking.rows(request, of: events).map { Array($0[1...4]) }.filter { !["", "0"].contains($0[2]) }
        #expect(Set(rows) == [["link", "1", "1", "0"], ["click", "1", "1", "1"], ["total", "1", "2", "1"]])
        #expect(throws: ReportError.self) { try Asking.request("retention", ["by": "joined_by"]) }
    }

    /// Somebody who came back within n days did so within n + 1, and who comes after n + 1 comes after n. Who comes on
    /// the n-th does both.
    @Test(arguments: TestSeeds.seeds(20), ["any", "conversion"])
    func growsWithinAndFallsAfter(seed: UInt64, returns: String) throws {
        let stream = RandomStream.make(seed: seed)
        func rows(_ rule: String) throws -> [[String]] {
            let request = try Asking.request(
                "retention",
                [
                    "from": stream.from.rfc3339, "to": stream.to.rfc3339, "by": "ref", "returns": returns,
                    "return": rule,
                ],
                now: stream.now.advanced(by: .days(400))
            )
            return try Asking.rows(request, of: stream.events)
        }
        let (on, within, after) = (try rows("on"), try rows("within"), try rows("after"))
        let retained = [on, within, after].map { $0.map { Int($0[4]) ?? 0 } }
        let wrong = on.indices.first { index in
            [within, after].contains { $0[index].prefix(4) != on[index].prefix(4) }
                || retained[0][index] > min(retained[1][index], retained[2][index])
                || on[index][2] != "1"
                    && (retained[1][index - 1] > retained[1][index] || retained[2][index - 1] < retained[2][index])
        }
        #expect(wrong == nil, "row \(wrong.map { [on[$0], within[$0], after[$0]] } ?? [])")
    }

    /// Ann comes back on the second day, Bob two months later.
    @Test(arguments: [("on", ["0", "1", "0"]), ("within", ["0", "1", "1"]), ("after", ["2", "2", "1"])])
    func countsReturnsOnWithinOrAfterAPeriod(rule: String, retained: [String]) throws {
        let events = [
            Self.tap(1, day: 0, "ann"), Self.tap(2, day: 2, "ann"), Self.tap(3, day: 0, "bob"),
            Self.tap(4, day: 60, "bob"),
        ]
        let rows = try Asking.rows("retention", ["periods": "3", "return": rule], of: events)
        #expect(rows.map { $0[4] } == retained)
    }

    /// Who does not come on a day may come on a later one, long after the days that the figures show.
    @Test func losesOnlyWhoHasNotComeBackSince() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("back")
            let events = [
                Self.tap(1, day: 0, "came"), Self.tap(2, day: 1, "came"), Self.tap(3, day: 0, "early"),
                Self.tap(4, day: 0, "late"), Self.tap(5, day: 60, "late"), Self.purchase(6, day: 0.5, "early", 1),
            ]
            try await testing.store(events, of: app)
            func names(_ which: String) async throws -> [String] {
                let request = try Asking.request(
                    "retention",
                    [
                        "from": E.span.from.rfc3339, "to": E.span.to.rfc3339, "at": "1", "people": which,
                        "group": "2026-01-05 / total",
                    ],
                    app: app
                )
                return try await PeopleRunner.table(request, on: testing.pool).rows.texts.map { $0[2] }.sorted()
            }
            #expect(try await names("retained") == ["came"])
            #expect(try await names("absent") == ["early", "late"])
            #expect(try await names("lost") == ["early"])
        }
    }
}
