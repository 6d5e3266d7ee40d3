import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Testing
import Time

@Suite("The report compare")
struct CompareReportTests {
    private typealias E = OracleEvents

    /// People of a ref, or of none, some of whom install.
    private static func people(_ count: Int, from number: UInt64, refs: [String], installing: Int) -> [Event] {
        (0..<count).flatMap { index in
            let id = number + UInt64(index)
            let tap = E.event(id, at: 10, user: "user-\(id)", .inboundLink(E.touch(refs: refs)))
            let install = E.event(id + 500_000, at: 20, user: "user-\(id)", E.install)
            return index < installing ? [tap, install] : [tap]
        }
    }

    private static let events =
        people(100, from: 0, refs: ["gift"], installing: 45) + people(100, from: 1000, refs: [], installing: 30)
        + people(50, from: 2000, refs: ["boast"], installing: 20)

    private static func rows(_ a: String, _ b: String) throws -> [[String]] {
        try Asking.rows("compare", ["a": a, "b": b, "steps": "touch,install"], of: events)
    }

    @Test func comparesWithPeopleWithoutARef() throws {
        let alone = try Self.rows("(none)", "gift")
        #expect(
            alone == [
                [
                    "(none)", "gift", "install", "100", "0", "0.300000", "100", "0", "0.450000", "-0.150000",
                    "-0.276831", "-0.015852", alone[0][12],
                ]
            ]
        )
        // Of two tests the smaller p-value is doubled, and no longer below 0.05. `(none)` comes last.
        let all = try Self.rows("gift", "(none),boast")
        #expect(all.map { $0[1] } == ["boast", "(none)"])
        let p = try #require(Double(alone[0][12]))
        let adjusted = try #require(Double(all[1][12]))
        #expect(abs(adjusted - 2 * p) < 1e-6 && adjusted > 0.05)
        // So its interval holds 0, too: that of 97.5 %.
        #expect(all[1][9...11] == ["0.150000", "-0.003249", "0.293783"])
    }

    /// 400 people of a new text began yesterday. Fewer have converted only because they had less time.
    @Test func givesNoVerdictWhilePeopleStillCan() throws {
        let old = Self.people(1000, from: 10_000, refs: ["old"], installing: 300)
        let new = (0..<400).flatMap { index in
            let id = UInt64(20_000 + index)
            let tap = E.event(id, at: 9 * E.day, user: "user-\(id)", .inboundLink(E.touch(refs: ["new"])))
            let install = E.event(id + 500_000, at: 9 * E.day + 5, user: "user-\(id)", E.install)
            return index < 34 ? [tap, install] : [tap]
        }
        var warnings: [String] = []
        func row(_ more: KeyValuePairs<String, String>) throws -> [String] {
            let asked = ["from": E.span.from.rfc3339, "to": E.span.to.rfc3339, "steps": "touch,install"]
            let request = try ReportRequest.parse(
                name: "compare",
                parameters: [("a", "old"), ("b", "new")] + asked.map { ($0.key, $0.value) }
                    + more.map { ($0.key, $0.value) },
                origin: .commandLine,
                app: Asking.app(),
                now: E.time(10 * E.day)
            )
            let table = try request.table(over: MemoryTimelines(old + new, query: request.query))
            warnings = request.report.warnings(of: table.rows).map { $0.message.text(for: .commandLine) }
            return try #require(table.rows.texts.first)
        }
        #expect(try row([:]).dropFirst(3) == ["1000", "0", "0.300000", "0", "0", "", "", "", "", ""])
        #expect(warnings.isEmpty)
        #expect(
            try row(["matured": "off"]).dropFirst(3) == [
                "1000", "0", "0.300000", "400", "366", "0.085000", "0.215000", "", "", "",
            ]
        )
        let reason = "no verdict while the window of more than a tenth of a side is not over: 366 of 400 of 'new'"
        #expect(warnings == ["--matured off: \(reason)"])
    }

    /// Two stories of one text are tapped twice and not at all, three of another once in all, in the week after each.
    @Test func comparesTheTouchesOfEachPost() throws {
        func post(_ number: UInt64, _ ref: String) -> Event {
            E.event(number, at: 0, user: "ann", E.post(refs: [ref], postID: "post-\(number)"))
        }
        func tap(_ number: UInt64, of post: Int, at time: Double) -> Event {
            E.event(number, at: time, user: "user-\(number)", .inboundLink(E.touch(postID: "post-\(post)")))
        }
        let events = [
            post(1, "old"), post(2, "old"), post(3, "new"), post(4, "new"), post(5, "new"), tap(6, of: 1, at: 10),
            tap(7, of: 1, at: 20), tap(8, of: 3, at: 30), tap(9, of: 4, at: 8 * E.day),
        ]
        let rows = try Asking.rows("compare", ["a": "old", "b": "new", "metric": "taps_per_post"], of: events)
        #expect(
            rows.map { Array($0.dropFirst(2).prefix(8)) } == [
                ["taps_per_post", "2", "0", "1.000000", "3", "0", "0.333333", "0.666667"]
            ]
        )
    }

    /// Ann posts twice after a touch of the old text, Bob never, and Cid once before a touch of the new one.
    @Test func comparesThePostsOfEachPerson() throws {
        func touch(_ number: UInt64, at time: Double, _ user: String, _ ref: String) -> Event {
            E.event(number, at: time, user: user, .inboundLink(E.touch(refs: [ref])))
        }
        func post(_ number: UInt64, at time: Double, _ user: String) -> Event {
            E.event(number, at: time, user: user, E.post(postID: "post-\(number)"))
        }
        let events = [
            touch(1, at: 10, "ann", "old"), touch(2, at: 10, "bob", "old"), touch(3, at: 10, "cid", "new"),
            post(4, at: 20, "ann"), post(5, at: 30, "ann"), post(6, at: 5, "cid"),
        ]
        let rows = try Asking.rows("compare", ["a": "old", "b": "new", "metric": "posts_per_person"], of: events)
        #expect(rows.map { $0[3...8].joined(separator: " ") } == ["2 0 1.000000 1 0 0.000000"])
    }

    /// Somebody who fails three times is one person.
    @Test func comparesPeopleWhoseLoginsFail() throws {
        func login(_ number: UInt64, _ user: String, _ platform: Platform, _ outcome: LoginOutcome) -> Event {
            E.event(number, at: 10, user: user, platform: platform, .authentication(Login(outcome: outcome)))
        }
        let events = [
            login(1, "ann", .ios, .failed), login(2, "ann", .ios, .failed), login(3, "ann", .ios, .granted),
            login(4, "bob", .ios, .granted), login(5, "cid", .android, .granted), login(6, "dan", .android, .denied),
        ]
        let rows = try Asking.rows("compare", ["a": "ios", "b": "android", "metric": "login_failure"], of: events)
        #expect(rows.map { $0[3...8].joined(separator: " ") } == ["2 0 0.500000 2 0 0.000000"])
        #expect(throws: ReportError.self) {
            try Asking.request("compare", ["a": "ios", "b": "android", "metric": "login_failure", "window": "1d"])
        }
    }

    /// `(none)` says nothing about the key, as every key has it.
    @Test(arguments: [("search", "(none)", "channel"), ("(none)", "gift", "ref"), ("(none)", "other", "channel")])
    func knowsWhatNamesAreOf(a: String, b: String, by: String) throws {
        let request = try Asking.request("compare", ["a": a, "b": b])
        #expect(request.parameters.first { $0.name == "by" }?.value == by)
        #expect(request.namedValues.map(\.text) == (by == "ref" ? ["gift"] : []))
    }

    /// People and rates of each name are those of its row in `funnel --by`.
    @Test(arguments: EventGrouping.filterKeys) func agreesWithTheFunnel(key: EventGrouping) throws {
        for seed in TestSeeds.seeds(10) {
            let stream = RandomStream.make(seed: seed)
            func rows(_ report: String, _ more: [(name: String, value: String)]) throws -> [[String]] {
                let request = try ReportRequest.parse(
                    name: report,
                    parameters: OracleQuestion.range(Oracle.Span(from: stream.from, to: stream.to))
                        + [("by", key.rawValue), ("steps", "touch|install,conversion")] + more,
                    origin: .http,
                    app: Asking.app(),
                    now: stream.now
                )
                return try Asking.rows(request, of: stream.events)
            }
            let funnel = try rows("funnel", []).filter { $0[0] != "total" }
            let groups = stride(from: 0, to: funnel.count, by: 2).map { (funnel[$0], funnel[$0 + 1]) }
            guard groups.count > 1 else { continue }
            let others = groups.dropFirst().map { $0.0[0] }
            let compared = try rows(
                "compare",
                [("a", groups[0].0[0]), ("b", others.joined(separator: ",")), ("matured", "off")]
            )
            #expect(Set(compared.map { $0[1] }) == Set(others))
            for row in compared {
                let b = try #require(groups.first { $0.0[0] == row[1] })
                let a = groups[0]
                #expect(row[3...5] == [a.0[3], a.1[4], a.1[6]], "seed \(seed): \(key)")
                #expect(row[6...8] == [b.0[3], b.1[4], b.1[6]], "seed \(seed): \(key) \(row[1])")
            }
        }
    }
}
