import InboundLinks
import Time

/// Rows of figures, as they are written to the tables.
struct FigureRows {
    /// The rows of one table, column by column, as PostgreSQL reads the values. Null is an empty text.
    struct Columns: Equatable {
        /// `granularity`, `starts_on`, the table's discriminators, `position`, `is_total`, and the report's columns.
        var texts: [[String]]

        init(_ table: FigureTable) {
            texts = Array(repeating: [], count: 2 + table.discriminators.count + 2 + table.columns.count)
        }

        mutating func append(_ row: [String]) {
            for (column, text) in row.enumerated() { texts[column].append(text) }
        }
    }

    /// The periods in which totals count anything or people were active, with their instants.
    var periods: [FigurePeriod: ReportRange] = [:]
    /// Those of ``ValueDigests``; nil if no period is of properties of people.
    var digests: [Int: Int64]?
    private(set) var tables: [FigureTable: Columns] = [:]

    mutating func append(_ rows: [[ReportCell]], of source: FigureSource, for period: FigurePeriod) {
        var columns = tables.removeValue(forKey: source.table) ?? Columns(source.table)
        let key = [period.granularity.rawValue, period.start.description] + source.discriminators
        for (position, (row, isTotal)) in zip(rows, source.areTotals(rows)).enumerated() {
            columns.append(
                key + [String(position + 1), isTotal ? "true" : "false"]
                    + source.positions.map { $0.flatMap { row[$0].plainText } ?? "" }
            )
        }
        tables[source.table] = columns
    }
}
