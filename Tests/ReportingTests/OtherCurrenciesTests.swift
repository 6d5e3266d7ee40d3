import Events
import InboundLinks
import RandomTesting
import Testing
import Time
@testable import Reporting

/// `value` sums the app's currency, and a warning tells the sums of the others.
@Suite("Other currencies")
struct OtherCurrenciesTests {
    private typealias E = OracleEvents

    /// What one report leaves out is its `value` for an app with the other currency.
    @Test(arguments: TestSeeds.seeds(40, in: 4)) func areWhatAnAppWithThatCurrencyWouldHave(
        seeds: Range<UInt64>
    ) throws {
        for seed in seeds {
            let asked = try AskedStream(seed: seed)
            let events = MemoryEvents(asked.stream.events)
            for question in asked.questions {
                let requests = try [RandomStream.currency, "EUR"].map {
                    try asked.request(question, to: Asking.app(currency: $0))
                }
                // In another app, others have paid.
                if question.text.contains(/conversion(:\w+)?\[outcome/) { continue }
                // Each pooled period counts other people.
                if let retention = requests[0].report as? RetentionReport, retention.isPooled, retention.shown.count > 1
                {
                    continue
                }
                let columns = requests[0].report.columns.map(\.name)
                guard let value = columns.firstIndex(of: "value"), !columns.contains("previous_value") else { continue }
                let tables = try requests.map { try $0.table(over: MemoryTimelines(events, query: $0.query)) }
                // A period that has not begun has no figures.
                if tables[1].columns.last?.name == "complete", tables[1].rows.contains(where: { $0[value] == .empty }) {
                    continue
                }
                let left = tables[0].otherCurrencies[0].map { [$0.currency: $0.sum.valueMillionths] }
                let totals = totals(of: tables[1], value, requests[1])
                let sum = left.first?["EUR"] ?? 0
                // The rows of periods are rounded one by one.
                #expect(
                    left.count <= 1 && totals.contains { abs($0 - sum) <= Int128(tables[1].rows.count) },
                    "seed \(seed): \(question.text)"
                )
            }
        }
    }

    /// `value` of all together, in millionths: of `attribution`, by each model.
    private func totals(of table: ReportTable, _ value: Int, _ request: ReportRequest) -> [Int128] {
        func millionths(_ row: [ReportCell], _ column: Int) -> Int128 {
            if case .decimal(let millionths) = row[column] { millionths } else { 0 }
        }
        let rows = table.rows.filter { $0.contains(.text("total")) }
        switch request.report {
        case is AttributionReport: return rows.map { millionths($0, value) }
        case let retention as RetentionReport:
            let last = rows.filter { $0[1] == .text("total") && $0[2] == .integer(Int64(retention.periods)) }
            return [last.reduce(0) { $0 + millionths($1, value + 1) }]
        // Each group has a row `total`.
        case is GenerationsReport: return rows.suffix(1).map { millionths($0, value) }
        default: return [rows.reduce(0) { $0 + millionths($1, value) }]
        }
    }

    private static let events = [
        E.event(1, at: 0, user: "a", .inboundLink(E.touch(.storyLinks, refs: ["x", "y"]))),
        E.event(2, at: 60, user: "a", E.conversion("buy", 100_000_000, "USD")),
        E.event(3, at: 90, user: "b", E.conversion("buy", 1_000_000, "EUR")),
        E.event(4, at: 95, user: "c", E.conversion("gift", 2_500_000, "GBP")),
        E.event(5, at: 99, user: "c", E.conversion("gift", 500_000, "GBP")),
        // Nothing is missing of these two.
        E.event(6, at: 99, user: "c", E.conversion("gift", 0, "USD")),
        E.event(7, at: 99, user: "c", E.conversion("gift")),
        // In the preceding range.
        E.event(8, at: -60, user: "c", E.conversion("gift", 7_000_000, "USD")),
    ]

    private func result(_ name: String, _ parameters: KeyValuePairs<String, String>) throws -> ReportResult {
        let request = try ReportRequest.parse(
            name: name,
            parameters: [("from", "2026-01-05"), ("to", "2026-01-15")] + parameters.map { ($0.key, $0.value) },
            origin: .commandLine,
            app: Asking.app(currency: "EUR"),
            now: E.time(100 * E.day)
        )
        let table = try request.table(over: MemoryTimelines(Self.events, query: request.query))
        return ReportResult(request: request, table: table, warnings: ReportRunner.currencyWarnings(of: table))
    }

    @Test(
        arguments: [
            ("goals", [:], ["3 conversions in other currencies are not in value: 3 GBP, 100 USD"]),
            ("channels", ["goal": "buy"], ["1 conversion in other currencies is not in value: 100 USD"]),
            ("paths", ["goal": "gift"], ["2 conversions in other currencies are not in value: 3 GBP"]),
            (
                "breakdown", ["where": "channel=story_links"],
                ["1 conversion in other currencies is not in value: 100 USD"]
            ),
            ("channels", ["where": "channel=search"], []),
            // One of two refs has half of it.
            ("refs", ["where": "ref=x"], ["0.5 conversions in other currencies are not in value: 50 USD"]),
            (
                "attribution", ["event": "conversion", "model": "all"],
                ["3 conversions in other currencies are not in value: 3 GBP, 100 USD"]
            ),
            ("attribution", ["event": "install"], []),
            ("retention", ["cohort": "conversion:buy"], ["1 conversion in other currencies is not in value: 100 USD"]),
            ("funnel", ["steps": "touch,conversion"], []),
            (
                "goals", ["compare-previous": "true"],
                [
                    "3 conversions in other currencies are not in value: 3 GBP, 100 USD",
                    "1 conversion of the preceding range in other currencies is not in previous_value: 7 USD",
                ]
            ),
        ] as [(String, KeyValuePairs<String, String>, [String])]
    )
    func areToldWithTheirSums(
        name: String,
        parameters: KeyValuePairs<String, String>,
        expected: [String]
    ) throws {
        #expect(try result(name, parameters).warnings.map { $0.message.text(for: .http) } == expected)
    }

    @Test func areToldInJSON() throws {
        let text = try result("goals", [:]).text(as: .json)
        #expect(text.contains("\n  \"currency\": \"EUR\",\n"))
        #expect(
            text.contains(
                "{\"parameter\": null, \"value\": null, \"nearest\": [], \"sums\": {\"GBP\": 3, \"USD\": 100}, \"message\": "
            )
        )
    }

    @Test func captionsNameTheCurrencyOfValues() throws {
        func caption(_ name: String, _ parameters: KeyValuePairs<String, String>) throws -> Bool {
            try result(name, parameters).text(as: .table).split(separator: "\n")[0].contains(" · value in EUR")
        }
        #expect(try caption("goals", [:]))
        #expect(try caption("retention", [:]))
        #expect(try !caption("funnel", [:]))
    }
}
