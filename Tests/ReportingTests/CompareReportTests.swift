import Events
import RandomTesting
@testable import Reporting
import Testing

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
                    "(none)", "gift", "install", "100", "0.300000", "100", "0.450000", "-0.150000", "-0.276831",
                    "-0.015852", alone[0][10],
                ]
            ]
        )
        // Of two tests the smaller p-value is doubled. `(none)` comes last.
        let all = try Self.rows("gift", "(none),boast")
        #expect(all.map { $0[1] } == ["boast", "(none)"])
        let p = try #require(Double(alone[0][10]))
        let adjusted = try #require(Double(all[1][10]))
        #expect(abs(adjusted - 2 * p) < 1e-6)
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
            let compared = try rows("compare", [("a", groups[0].0[0]), ("b", others.joined(separator: ","))])
            #expect(Set(compared.map { $0[1] }) == Set(others))
            for row in compared {
                let b = try #require(groups.first { $0.0[0] == row[1] })
                #expect(row[3...4] == [groups[0].0[3], groups[0].1[5]], "seed \(seed): \(key)")
                #expect(row[5...6] == [b.0[3], b.1[5]], "seed \(seed): \(key) \(row[1])")
            }
        }
    }
}
