import Storage
import Time

/// A report for people: a caption, then a table with rates as percentages.
enum TextTableWriter {
    static func text(of result: ReportResult) -> String {
        var text = caption(of: result.request) + "\n\n"
        text += table(of: result, within: result.request.tableWidth)
        let hasMarks = result.table.rows.contains { $0.last == .flag(false) }
        if hasMarks || !result.request.methods.isEmpty { text += "\n" }
        if hasMarks { text += ReportColumn.incompleteNote + "\n" }
        for method in result.request.methods { text += footnote(method) }
        return text
    }

    /// The table alone.
    ///
    /// - Parameter names: how many characters of a text are shown; nil for all.
    static func table(of result: ReportResult, within width: Int?, names: Int? = nil) -> String {
        let marked = markingIncomplete(result.table, result.request.report.rowPeriods)
        var columns = displayColumns(of: marked.showing(result.request.shownColumns))
        if let names {
            for position in columns.indices where columns[position].isText { columns[position].cut(to: names) }
        }
        return TextTable(columns: columns).text(within: width)
    }

    /// The table with an asterisk after the name of each period that is not complete, in place of the last column.
    static func markingIncomplete(_ table: ReportTable, _ periods: RowPeriods?) -> ReportTable {
        guard let periods, table.columns.last?.name == ReportColumn.complete.name else { return table }
        var table = table
        table.columns.removeLast()
        table.rows = table.rows.map { row in
            var row = row
            if row.removeLast() == .flag(false) {
                row[periods.column] = .text((row[periods.column].plainText ?? "") + "*")
            }
            return row
        }
        return table
    }

    /// `p_value: two-proportion z-test, pooled variance, two-sided`
    private static func footnote(_ method: StatisticalMethod) -> String {
        var method = method
        if let header = header(ofInterval: method.columns) { method.columns = [header] }
        return method.text + "\n"
    }

    /// `channels · game · 2026-10-01 00:00 to 2026-10-31 00:00 (Europe/Berlin) · lookback 7d · value in USD`
    private static func caption(of request: ReportRequest) -> String {
        let from = ReportInstant.localText(of: request.range.from, in: request.zone)
        let to = ReportInstant.localText(of: request.range.to, in: request.zone)
        let head = [
            request.name, TextTable.printable(request.app.profile.id), "\(from) to \(to) (\(request.zone.name))",
        ]
        // The name of a flag says everything.
        let flags = (type(of: request.report).parameters + ReportParameter.common).filter(\.valueName.isEmpty).map(
            \.name
        )
        let parameters = request.parameters.map { name, value in
            flags.contains(name) ? name : "\(name) \(TextTable.printable(value))"
        }
        // The unit of `value_per_person` begins with it, too.
        let hasValue = request.report.columns.contains { $0.unit?.hasPrefix(ReportColumn.currency) ?? false }
        let currency = hasValue ? ["value in \(request.app.profile.currency)"] : []
        let previous = request.previous.map { range in
            let ends = [range.from, range.to].map { ReportInstant.localText(of: $0, in: request.zone) }
            return ["beside \(ends[0]) to \(ends[1])"]
        }
        return (head + parameters + currency + (previous ?? [])).joined(separator: " · ")
    }

    /// The header above both ends of an interval, `ci_low` and `ci_high` or `…_ci_low` and `…_ci_high`; nil for other
    /// columns.
    private static func header(ofInterval columns: [String]) -> String? {
        guard columns.count == 2, columns[0].hasSuffix("ci_low") else { return nil }
        let prefix = columns[0].dropLast("ci_low".count)
        guard columns[1] == prefix + "ci_high" else { return nil }
        return prefix.isEmpty ? "95% interval" : "\(prefix.dropLast()) 95% interval"
    }

    /// The columns as shown: both ends of an interval share one, and so do a change and its share.
    private static func displayColumns(of table: ReportTable) -> [TextTable.Column] {
        var columns: [TextTable.Column] = []
        for (position, column) in table.columns.enumerated() {
            let cells = table.rows.map { shown($0[position], of: column) }
            if let last = columns.indices.last,
                let header = header(ofInterval: [columns[last].header ?? "", column.name])
            {
                columns[last].header = header
                columns[last].cells = zip(columns[last].cells, cells).map { low, high in
                    low.isEmpty ? "" : "\(low) – \(high)"
                }
            } else if let last = columns.indices.last, column.name.hasPrefix("change_share_"),
                columns[last].header == column.name.replacing("change_share_", with: "change_", maxReplacements: 1)
            {
                columns[last].cells = zip(columns[last].cells, cells).map { $1.isEmpty ? $0 : "\($0) (\($1))" }
            } else {
                columns.append(
                    TextTable.Column(
                        header: column.name,
                        isText: column.kind == .text,
                        isKey: column.isKey,
                        cells: cells
                    )
                )
            }
        }
        return columns
    }

    static func shown(_ cell: ReportCell, of column: ReportColumn) -> String {
        switch (cell, column.kind) {
        case (.probability(let value), _): ReportCell.shortText(ofProbability: value)
        case (.fraction(let millionths), .rate) where column.isDifference:
            hundredths(Int128(millionths) * 100) + " points"
        case (.fraction(let millionths), .rate): hundredths(Int128(millionths) * 100) + "%"
        case (.fraction(let millionths), _): hundredths(Int128(millionths))
        case (.decimal(let millionths), _) where !millionths.isMultiple(of: 1_000_000): hundredths(millionths)
        case (.text(let text), _): text
        default: cell.plainText ?? ""
        }
    }

    private static func hundredths(_ millionths: Int128) -> String {
        let hundredths = roundedQuotient(millionths, by: 10_000)
        let (whole, fraction) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(hundredths < 0 ? "-" : "")\(whole).\(padded(Int(fraction), 2))"
    }
}
