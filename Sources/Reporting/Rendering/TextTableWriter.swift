import Storage
import Time

/// A report for people: a caption, then aligned columns, with numbers to the right and rates as percentages. A table
/// that is wider than the terminal is divided into blocks below each other, each with the columns that name the rows.
enum TextTableWriter {
    private static let gap = "  "

    static func text(of result: ReportResult) -> String {
        var text = caption(of: result.request) + "\n\n"
        let marked = markingIncomplete(result.table, result.request.report.rowPeriods)
        let columns = displayColumns(of: marked.showing(result.request.shownColumns))
        let blocks = result.request.tableWidth.map { Self.blocks(of: columns, within: $0) } ?? [columns]
        text += blocks.map { block(of: $0, rows: result.table.rows.indices) }.joined(separator: "\n")
        let hasMarks = result.table.rows.contains { $0.last == .flag(false) }
        if hasMarks || !result.request.methods.isEmpty { text += "\n" }
        if hasMarks { text += ReportColumn.incompleteNote + "\n" }
        for method in result.request.methods { text += footnote(method) }
        return text
    }

    private static func block(of columns: [Column], rows: Range<Int>) -> String {
        let widths = columns.map(\.width)
        var text = line(columns.map(\.header), columns: columns, widths: widths)
        text += widths.map { String(repeating: "─", count: $0) }.joined(separator: gap) + "\n"
        for row in rows { text += line(columns.map { $0.cells[row] }, columns: columns, widths: widths) }
        return text
    }

    /// The columns of blocks that are no wider than `limit`, if the columns that name the rows leave room for a figure.
    /// Names are cut if they take more than half.
    private static func blocks(of columns: [Column], within limit: Int) -> [[Column]] {
        func width(_ columns: [Column]) -> Int { columns.reduce(-gap.count) { $0 + $1.width + gap.count } }
        guard width(columns) > limit else { return [columns] }
        var names = Array(columns.prefix { $0.isKey })
        let nameLimit = max(1, limit / 2 - gap.count * names.count)
        while width(names) > limit / 2, let widest = names.indices.max(by: { names[$0].width < names[$1].width }),
            names[widest].width > 8
        {
            names[widest].cut(to: max(8, names[widest].width - (width(names) - nameLimit)))
        }
        var blocks: [[Column]] = []
        for column in columns.dropFirst(names.count) {
            if let last = blocks.last, width(last + [column]) <= limit {
                blocks[blocks.count - 1].append(column)
            } else {
                blocks.append(names + [column])
            }
        }
        return blocks.isEmpty ? [names] : blocks
    }

    /// The table with an asterisk after the name of each period that is not complete, in place of the last column.
    private static func markingIncomplete(_ table: ReportTable, _ periods: RowPeriods?) -> ReportTable {
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
        let head = [request.name, printable(request.app.profile.id), "\(from) to \(to) (\(request.zone.name))"]
        // The name of a flag says everything.
        let flags = (type(of: request.report).parameters + ReportParameter.common).filter(\.valueName.isEmpty).map(
            \.name
        )
        let parameters = request.parameters.map { name, value in
            flags.contains(name) ? name : "\(name) \(printable(value))"
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

    private struct Column {
        var header: String
        var isText: Bool
        /// Whether it names the row.
        var isKey: Bool
        var cells: [String]

        var width: Int { ([header] + cells).map(TextTableWriter.width).max() ?? 0 }

        mutating func cut(to width: Int) {
            func cut(_ text: String) -> String { text.count > width ? text.prefix(width - 1) + "…" : text }
            (header, cells) = (cut(header), cells.map(cut))
        }
    }

    /// The columns as shown: both ends of an interval share one.
    private static func displayColumns(of table: ReportTable) -> [Column] {
        var columns: [Column] = []
        for (position, column) in table.columns.enumerated() {
            let cells = table.rows.map { shown($0[position], of: column) }
            if let last = columns.indices.last,
                let header = header(ofInterval: [columns[last].header, column.name])
            {
                columns[last].header = header
                columns[last].cells = zip(columns[last].cells, cells).map { low, high in
                    low.isEmpty ? "" : "\(low) – \(high)"
                }
            } else {
                columns.append(
                    Column(header: column.name, isText: column.kind == .text, isKey: column.isKey, cells: cells)
                )
            }
        }
        return columns
    }

    private static func shown(_ cell: ReportCell, of column: ReportColumn) -> String {
        switch (cell, column.kind) {
        case (.probability(let value), _): ReportCell.shortText(ofProbability: value)
        case (.fraction(let millionths), .rate): hundredths(Int128(millionths) * 100) + "%"
        case (.fraction(let millionths), _): hundredths(Int128(millionths))
        case (.decimal(let millionths), _) where !millionths.isMultiple(of: 1_000_000): hundredths(millionths)
        case (.text(let text), _): printable(text)
        default: cell.plainText ?? ""
        }
    }

    private static func line(_ cells: [String], columns: [Column], widths: [Int]) -> String {
        var line = zip(zip(cells, columns), widths).map { pair, width in
            let padding = String(repeating: " ", count: max(0, width - Self.width(pair.0)))
            return pair.1.isText ? pair.0 + padding : padding + pair.0
        }.joined(separator: gap)
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }

    private static func hundredths(_ millionths: Int128) -> String {
        let hundredths = roundedQuotient(millionths, by: 10_000)
        let (whole, fraction) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(hundredths < 0 ? "-" : "")\(whole).\(padded(Int(fraction), 2))"
    }

    private static func width(_ text: String) -> Int { text.count }

    /// Names come from outside. Characters that would move the cursor or colour the terminal are replaced by a mark.
    static func printable(_ text: String) -> String {
        var printable = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: printable += "\u{FFFD}"
            default: printable.unicodeScalars.append(scalar)
            }
        }
        return printable
    }
}
