package import Storage
import Time

/// A report's result with its request, ready to be written.
package struct ReportResult: Sendable {
    package let request: ReportRequest
    package var table: ReportTable
    /// About values that the request names and that occur nowhere in the app, and about other currencies.
    package var warnings: [ReportWarning] = []
    /// How far the app's events have arrived; nil if nobody asked.
    package var freshness: Freshness?
    /// What the report contains at least, if a standby answered.
    package var standby: StandbyPosition?

    /// The columns that are written.
    package var shownColumns: [ReportColumn] { table.showing(request.shownColumns).columns }

    /// The figure that a small picture of any report shows: the first that any row has.
    package var drawnColumn: String? {
        let rows = table.rows.filter { !$0.contains(.text(ReportNames.total)) }
        return shownColumns.first { column in
            guard !column.isKey, [.integer, .decimal, .rate, .ratio].contains(column.kind),
                let position = table.columns.firstIndex(where: { $0.name == column.name })
            else { return false }
            return rows.contains { $0[position].measure ?? 0 > 0 }
        }?.name
    }

    // A result whose rows come piece by piece, as CSV or JSON: the beginning, the rows, and the end.

    func beginning(as format: ReportFormat) -> String {
        format == .json
            ? JSONReportWriter.beginning(of: self)
            : CSVWriter.text(of: table.showing(request.shownColumns), as: request.dialect)
    }

    /// - Parameter isFirst: whether no rows have been written before.
    func text(of rows: [[ReportCell]], as format: ReportFormat, isFirst: Bool) -> String {
        var table = table
        table.rows = rows
        table = table.showing(request.shownColumns)
        return format == .json
            ? JSONReportWriter.text(of: table, isFirst: isFirst)
            : CSVWriter.text(ofRows: table, as: request.dialect)
    }

    func end(as format: ReportFormat, hasRows: Bool) -> String {
        format == .json ? JSONReportWriter.end(hasRows: hasRows) : ""
    }

    /// The whole text, with a newline at the end.
    package func text(as format: ReportFormat) -> String {
        switch format {
        case .table: TextTableWriter.text(of: self)
        case .csv: CSVWriter.text(of: table.showing(request.shownColumns), as: request.dialect)
        case .json: JSONReportWriter.text(of: self)
        }
    }
}

extension ReportRequest {
    /// A file name without extension: `channels-shop-2026-10-01-2026-11-01`, with the days on which the range starts
    /// and ends. Only ASCII letters, digits, `-`, `.` and `_`.
    package var fileStem: String {
        let days = [range.from, range.to].map { zone.day(of: $0).description }
        let stem = ([name, app.profile.id] + days).joined(separator: "-")
        return String(decoding: stem.utf8.map { Self.isPlain($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
