@testable import Reporting
import Testing

/// A report over an app with no data has a header, zeros and empty rates.
@Suite("An app without data")
struct EmptyAppTests {
    private static let asked: [(String, [String: String])] = [
        ("channels", [:]), ("channels", ["by": "week"]), ("refs", [:]), ("refs", ["by": "day"]), ("posts", [:]),
        ("posts", ["by": "month"]), ("viral", [:]), ("viral", ["by": "platform"]), ("attribution", ["model": "all"]),
        ("attribution", ["event": "install", "by": "ref"]), ("funnel", [:]), ("funnel", ["by": "channel"]),
        ("installs", [:]), ("installs", ["by": "ref"]), ("links", [:]), ("breakdown", [:]), ("goals", [:]),
        ("logins", [:]), ("retention", [:]), ("paths", [:]),
        ("compare", ["a": "gift", "b": "boast"]), ("compare", ["a": "search", "b": "bookmarks,other"]),
    ]

    @Test func isAskedForEveryReport() {
        #expect(Set(Self.asked.map(\.0)) == Set(ReportCatalogue.names))
    }

    @Test(arguments: asked) func hasZerosAndNoRates(report: String, parameters: [String: String]) throws {
        let request = try ReportRequest.parse(
            name: report,
            parameters: parameters.map { (name: $0.key, value: $0.value) },
            origin: .http,
            app: Asking.app(),
            now: OracleEvents.time(0)
        )
        let table = try request.table(over: MemoryTimelines([], query: request.query))
        // Without people there is no cohort.
        #expect(table.rows.isEmpty == (report == "retention"))
        for row in table.rows {
            #expect(row.count == table.columns.count)
            for (column, cell) in zip(table.columns, row) {
                switch column.kind {
                case .text: continue
                case .integer where ["step", "period", "error_code"].contains(column.name): continue
                case .integer: #expect(cell.plainText == "0", "\(column.name)")
                case .decimal: #expect([nil, "0"].contains(cell.plainText), "\(column.name)")
                case .rate, .ratio, .probability, .time: #expect(cell == .empty, "\(column.name)")
                // Whether the period is complete does not depend on events.
                case .flag: continue
                case .uuid, .list, .json: Issue.record("no report has such a column: \(column.name)")
                }
            }
        }
        let text = ReportResult(request: request, table: table).text(as: .csv)
        #expect(text.hasPrefix(table.columns.map(\.name).joined(separator: ",") + "\r\n"))
    }
}
