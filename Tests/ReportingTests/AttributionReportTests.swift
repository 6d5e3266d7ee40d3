import Events
import InboundLinks
@testable import Reporting
import RandomTesting
import Testing

@Suite("The report attribution")
struct AttributionReportTests {
    private typealias E = OracleEvents

    /// The model `first` credits gift alone, `last` boast alone. Both refs have a row of each.
    @Test func showsTheSameGroupsForEveryModel() throws {
        let events = [
            E.event(1, at: 0, user: "ann", .inboundLink(E.touch(refs: ["gift"]))),
            E.event(2, at: 10, user: "ann", .inboundLink(E.touch(refs: ["boast"]))),
            E.event(3, at: 20, user: "ann", E.conversion("buy", 3_000_000)),
        ]
        let rows = try Asking.rows(
            "attribution",
            ["event": "conversion", "model": "first,last", "by": "ref"],
            of: events
        )
        #expect(
            rows == [
                ["gift", "first", "1", "1.000000", "3"], ["boast", "first", "0", "0.000000", "0"],
                ["(none)", "first", "0", "0.000000", "0"], ["direct", "first", "0", "0.000000", "0"],
                ["total", "first", "1", "1.000000", "3"],
                ["boast", "last", "1", "1.000000", "3"], ["gift", "last", "0", "0.000000", "0"],
                ["(none)", "last", "0", "0.000000", "0"], ["direct", "last", "0", "0.000000", "0"],
                ["total", "last", "1", "1.000000", "3"],
            ]
        )
        let alone = try Asking.rows("attribution", ["event": "conversion", "model": "last", "by": "ref"], of: events)
        #expect(alone.map { $0[0] } == ["boast", "(none)", "direct", "total"])
    }

    /// As the dashboard asks it.
    @Test func isAboutInstallsByDefault() throws {
        let events = [
            E.event(1, at: 0, user: "ann", .inboundLink(E.touch(.search))), E.event(2, at: 10, user: "ann", E.install),
            E.event(3, at: 20, user: "ann", E.conversion("buy")), E.event(4, at: 30, user: "ann", E.conversion("buy")),
        ]
        #expect(try Asking.rows("attribution", of: events).last == ["total", "last", "1", "1.000000"])
        let error = #expect(throws: ReportError.self) { try Asking.request("attribution", ["goal": "buy"]) }
        #expect(error?.description.contains("conversion") == true)
    }

    /// Every model divides the same events among the same groups.
    @Test(arguments: EventGrouping.filterKeys(of: .touch)) func conservesCreditsOverModels(key: EventGrouping) throws {
        for seed in TestSeeds.seeds(10) {
            let stream = RandomStream.make(seed: seed)
            let request = try ReportRequest.parse(
                name: "attribution",
                parameters: OracleQuestion.range(Oracle.Span(from: stream.from, to: stream.to))
                    + [("event", "conversion"), ("by", key.rawValue), ("model", "all")],
                origin: .http,
                app: Asking.app(),
                now: stream.now
            )
            let rows = try Asking.rows(request, of: stream.events)
            let models = Dictionary(grouping: rows) { $0[1] }
            #expect(models.count == AttributionModel.allCases.count)
            #expect(Set(models.values.map { Set($0.map { $0[0] }) }).count == 1, "seed \(seed): \(key)")
            let totals = rows.filter { $0[0] == "total" }
            #expect(Set(totals.map { [$0[2], $0[4]] }).count == 1, "seed \(seed): \(key)")
        }
    }
}
