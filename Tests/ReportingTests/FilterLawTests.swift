@testable import Reporting
import RandomTesting
import Testing

/// "The figures of `--where k=v` are those of the row v of the same report `--by k`, total included."
@Suite("The law of filters")
struct FilterLawTests {
    private static let reports: [(name: String, parameters: [String: String])] = [
        ("retention", ["period": "week", "periods": "2"]), ("retention", ["cohort": "install", "periods": "1"]),
        ("retention", ["cohort": "conversion", "lookback": "90d", "periods": "1"]),
        ("retention", ["cohort": "authentication", "periods": "1"]), ("viral", [:]), ("viral", ["within": "7d"]),
    ]

    @Test(arguments: EventGrouping.filterKeys) func holds(key: EventGrouping) throws {
        for seed in TestSeeds.seeds(25) {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            for report in Self.reports {
                func rows(_ more: [(name: String, value: String)]) throws -> [[String]] {
                    let request = try ReportRequest.parse(
                        name: report.name,
                        parameters: OracleQuestion.range(Oracle.Span(from: stream.from, to: stream.to))
                            + report.parameters.map { ($0.key, $0.value) } + more,
                        origin: .http,
                        app: Asking.app(),
                        now: stream.now
                    )
                    return try Asking.rows(request, of: stream.events)
                }
                /// The cells beside the name, of rows that count anybody.
                func figures(_ rows: [[String]], named name: String) -> [[String]] {
                    let (column, people) = report.name == "retention" ? (1, 3) : (0, 3)
                    return rows.filter { Array($0[column].utf8) == Array(name.utf8) && $0[people] != "0" }
                        .map { row in row.indices.filter { $0 != column }.map { row[$0] } }
                }
                let grouped = try rows([("by", key.rawValue)])
                let names = Set(grouped.map { $0[report.name == "retention" ? 1 : 0] })
                for name in names where !["direct", "total"].contains(name) {
                    let filtered = try rows([("where", "\(key.rawValue)=\(name)")])
                    #expect(
                        figures(filtered, named: "total") == figures(grouped, named: name),
                        "seed \(seed): \(report) where \(key.rawValue)=\(name)"
                    )
                }
            }
        }
    }
}
