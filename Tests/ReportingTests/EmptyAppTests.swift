@testable import Reporting
import Testing

/// A report over an app with no data has a header, zeros and empty rates.
@Suite("An app without data")
struct EmptyAppTests {
    @Test(arguments: CatalogueSample.all) func hasZerosAndNoRates(sample: CatalogueSample) throws {
        let request = try sample.request(of: Asking.app(), now: OracleEvents.time(0))
        let table = try request.table(over: MemoryTimelines([], query: request.query))
        // Without people there is no cohort, and no value that two of them could have.
        let isNamed = sample.parameters.contains { $0.name == "a" || $0 == ("by", "channel") }
        let isPooled = sample.parameters.contains { $0 == ("pooled", "on") }
        let isEmpty = sample.report == "retention" && !isPooled || sample.report == "overlap" && !isNamed
        #expect(table.rows.isEmpty == isEmpty)
        for row in table.rows {
            #expect(row.count == table.columns.count)
            for (column, cell) in zip(table.columns, row) {
                switch column.kind {
                case .text: continue
                case .integer where column.isKey: continue
                // Other steps than the install have none.
                case .integer where column.name == "installs_injected": #expect([nil, "0"].contains(cell.plainText))
                // They need days that the app does not have.
                case .integer where ["active_7d", "active_30d"].contains(column.name): #expect(cell == .empty)
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
