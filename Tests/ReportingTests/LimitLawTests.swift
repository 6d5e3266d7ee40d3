import RandomTesting
@testable import Reporting
import Testing
import Time

/// "With `--limit`, the preceding range shows the rows that this one shows; `(others)` is all else in each range."
@Suite("The law of limits")
struct LimitLawTests {
    private typealias Parameters = [(name: String, value: String)]

    /// - Parameter keys: how many columns name a row.
    @Test(arguments: [
        ("refs", "", 1), ("goals", "", 1), ("links", "", 1), ("viral", "composer", 1), ("viral", "ref,platform", 1),
        ("posts", "", 2), ("logins", "language", 3),
    ])
    func holdsBesideThePrecedingRange(report: String, grouping: String, keys: Int) throws {
        for seed in TestSeeds.seeds(20) {
            let stream = RandomStream.make(seed: seed)
            let by: Parameters = grouping.isEmpty ? [] : [("by", grouping)]
            let all = try table(report, by + [("compare-previous", "true")], of: stream)
            for limit in ["1", "2"] {
                let alone = try table(report, by + [("limit", limit)], of: stream)
                let beside = try table(report, by + [("limit", limit), ("compare-previous", "true")], of: stream)
                let place = "seed \(seed): \(report) \(grouping), \(limit)"
                func named(_ rows: [[String]]) -> [[String]: [String]] {
                    Dictionary(rows.map { (Array($0[..<keys]), $0) }, uniquingKeysWith: { $1 })
                }
                let (own, both) = (named(alone.rows.texts), named(beside.rows.texts))
                for (name, row) in own {
                    #expect(both[name].map { Array($0.prefix(row.count)) } == row, "\(place): \(name)")
                }
                let unlimited = named(all.rows.texts)
                for (name, row) in both where name[0] != ReportNames.others {
                    #expect(unlimited[name] == row, "\(place): \(name)")
                }
                #expect(sums(of: beside) == sums(of: all), "\(place)")
            }
        }
    }

    /// What the columns count in all rows, without people, who count once in `(others)`.
    private func sums(of table: ReportTable) -> [String: Int] {
        var sums: [String: Int] = [:]
        let texts = table.rows.texts
        for (index, column) in table.columns.enumerated() where column.kind == .integer && !column.isKey {
            if column.unit != "people" { sums[column.name] = texts.reduce(0) { $0 + (Int($1[index]) ?? 0) } }
        }
        return sums
    }

    /// Over the later half of a stream.
    private func table(_ report: String, _ parameters: Parameters, of stream: RandomStream) throws -> ReportTable {
        let half = (stream.to.microseconds - stream.from.microseconds) / 2
        let span = Oracle.Span(from: stream.from.advanced(by: .microseconds(half)), to: stream.to)
        let request = try ReportRequest.parse(
            name: report,
            parameters: OracleQuestion.range(span) + parameters,
            origin: .http,
            app: Asking.app(currency: RandomStream.currency),
            now: stream.now
        )
        return try request.table(over: MemoryTimelines(MemoryEvents(stream.events), query: request.query))
    }
}
