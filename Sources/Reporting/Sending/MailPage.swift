import Markup

/// Answers as mail programs show them. These run no script, load nothing and show no SVG, so a picture is a table with
/// coloured cells, whose width says the value. A picture of pixels would need a font for its names.
struct MailPage {
    /// How many rows and columns of a table stand in a mail: a month by day. The text beside it and the CSV have more.
    private static let (rowLimit, columnLimit) = (32, 8)

    let text: String

    /// - Parameters:
    ///   - head: two lines: what it is, and about which days.
    ///   - pieces: notices and notes.
    ///   - page: where the dashboard shows it.
    ///   - foot: what sends it, and how to end that.
    init(
        _ parts: [AnsweredPart],
        isBoard: Bool,
        head: String,
        _ pieces: [String],
        _ freshness: String?,
        page: String?,
        foot: String
    ) {
        let heads = head.split(separator: "\n").map(String.init)
        let link: HTML? = page.map { "<p><a href=\"\($0)\">Open it in the dashboard</a></p>" }
        let remarks = Self.joined((pieces + [freshness].compactMap(\.self)).map { "<p>\($0)</p>" })
        let html: HTML = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(heads.first ?? "")</title></head>
            <body style="font-family: sans-serif; font-size: 14px; color: #1f2937">
            <h1 style="font-size: 20px">\(heads.first ?? "")</h1><p>\(heads.dropFirst().first ?? "")</p>
            \(link)
            \(Self.joined(parts.map { Self.section($0, isNamed: isBoard) }))
            \(remarks)
            <pre style="color: #6b7280">\(foot)</pre>
            </body></html>

            """
        text = html.text
    }

    private static func joined(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.text).joined(separator: "\n")) }

    private static func section(_ part: AnsweredPart, isNamed: Bool) -> HTML {
        let name: HTML? = isNamed ? "<h2 style=\"font-size: 16px\">\(part.name)</h2>" : nil
        guard let result = part.result else { return "\(name)<p>\(part.failure ?? "")</p>" }
        let warnings = joined(part.warnings.map { "<p>Warning: \($0)</p>" })
        let total: HTML? = result.totalLine(before: part.earlier).map { "<p><b>\($0)</b></p>" }
        return "\(name)\(total)\(table(result))\(warnings)"
    }

    /// The first rows, and the last, which is often the total. A bar beside the first figure draws it.
    private static func table(_ result: ReportResult) -> HTML {
        let table = result.table.showing(result.request.shownColumns)
        let columns = table.columns.prefix(columnLimit).filter { $0.name != ReportColumn.complete.name }
        let drawn = columns.firstIndex { $0.name == result.drawnColumn }
        let count = table.rows.count
        let rows = count > rowLimit ? table.rows.prefix(rowLimit - 1) + table.rows.suffix(1) : table.rows[...]
        func number(_ row: [ReportCell]) -> Double {
            row.contains(.text(ReportNames.total)) ? 0 : drawn.flatMap { row[$0].measure } ?? 0
        }
        let largest = rows.map(number).max() ?? 0
        func line(_ tag: HTML, bar: HTML, _ text: (Int) -> String) -> HTML {
            let cells = columns.indices.map { position -> HTML in
                let align = columns[position].isKey ? "left" : "right"
                let cell: HTML = "<\(tag) align=\"\(align)\">\(text(position))</\(tag)>"
                return position == drawn && largest > 0 ? "\(cell)\(bar)" : cell
            }
            return "<tr>\(joined(cells))</tr>"
        }
        let lines = rows.map { row in
            let bar = bar(largest > 0 ? number(row) / largest : 0)
            return line("td", bar: bar) { TextTableWriter.shown(row[$0], of: columns[$0]) }
        }
        let rest: HTML? = count > rows.count ? "<p>\(String(rows.count)) of \(String(count)) rows.</p>" : nil
        return """
            <table cellpadding="4" cellspacing="0" style="font-size: 13px">\(line("th", bar: "<th></th>") { columns[$0].name })
            \(joined(lines))</table>\(rest)
            """
    }

    private static func bar(_ part: Double) -> HTML {
        let width = String(Int((min(max(part, 0), 1) * 100).rounded()))
        let cell = width == "0" ? "<td>" : "<td width=\"\(width)%\" bgcolor=\"#0d9488\">"
        return """
            <td width="120"><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>\
            \(HTML(markup: cell))&nbsp;</td><td></td></tr></table></td>
            """
    }
}
