import Markup
import Storage

/// Answers as mail programs show them. These run no script, load nothing and show no SVG, so a picture is a table with
/// coloured cells, whose width says the value. A picture of pixels would need a font for its names.
struct MailPage {
    /// How many rows and columns of a table stand in a mail: a month by day. The text beside it and the CSV have more.
    private static let (rowLimit, columnLimit) = (32, 8)
    /// How many characters of a name are shown. Mail programs widen the page for a long word.
    private static let nameLimit = 40

    let text: String

    /// - Parameters:
    ///   - head: two lines: what it is, and about which days.
    ///   - pieces: notices and notes.
    ///   - page: where the dashboard shows it.
    ///   - hasCSV: whether the CSV is attached.
    ///   - foot: what sends it, and how to end that.
    init(
        _ parts: [AnsweredPart],
        isBoard: Bool,
        head: String,
        _ pieces: [String],
        _ freshness: String?,
        page: SentAnswer.Page?,
        hasCSV: Bool = true,
        foot: String
    ) {
        let heads = head.split(separator: "\n").map(String.init)
        let link: HTML? = page.map { "<p><a href=\"\($0.address)\">\($0.words)</a></p>" }
        let remarks = Self.joined((pieces + [freshness].compactMap(\.self)).map { "<p>\($0)</p>" })
        let html: HTML = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(heads.first ?? "")</title></head>
            <body style="font-family: sans-serif; font-size: 14px; color: #1f2937">
            <h1 style="font-size: 20px">\(heads.first ?? "")</h1><p>\(heads.dropFirst().first ?? "")</p>
            \(link)
            \(Self.joined(parts.map { Self.section($0, isNamed: isBoard, hasCSV: hasCSV) }))
            \(remarks)
            <pre style="color: #6b7280">\(foot)</pre>
            </body></html>

            """
        text = HTMLText.showingDirections(in: html.text)
    }

    private static func joined(_ parts: [HTML]) -> HTML { HTML(markup: parts.map(\.text).joined(separator: "\n")) }

    private static func section(_ part: AnsweredPart, isNamed: Bool, hasCSV: Bool) -> HTML {
        let name: HTML? = isNamed ? "<h2 style=\"font-size: 16px\">\(part.name)</h2>" : nil
        guard let result = part.result else { return "\(name)<p>\(part.failure ?? "")</p>" }
        let warnings = joined(part.warnings.map { "<p>Warning: \($0)</p>" } + part.remarks.map { "<p>\($0)</p>" })
        let total: HTML? = result.totalLine(before: part.earlier).map { "<p><b>\($0)</b></p>" }
        return "\(name)\(total)\(table(result, hasCSV: hasCSV))\(warnings)"
    }

    /// The first rows, and the last, which is often the total. A bar beside the first figure draws it.
    private static func table(_ result: ReportResult, hasCSV: Bool) -> HTML {
        let marked = TextTableWriter.markingIncomplete(result.table, result.request.report.rowPeriods)
        let table = marked.showing(result.request.shownColumns)
        let columns = table.columns
        let shown = columns.mostTelling(columnLimit, drawn: result.drawnColumn)
        let drawn = shown.first { columns[$0].name == result.drawnColumn }
        let count = table.rows.count
        let all = Array(table.rows.indices)
        let rows = count > rowLimit ? all.prefix(rowLimit - 1) + all.suffix(1) : all[...]
        func number(_ row: Int) -> Double {
            let cells = table.rows[row]
            return cells.contains(.text(ReportNames.total)) ? 0 : drawn.flatMap { cells[$0].measure } ?? 0
        }
        let largest = rows.map(number).max() ?? 0
        func text(_ row: Int, _ position: Int) -> String {
            let cell = table.rows[row][position]
            let text = TextTableWriter.shown(cell, of: columns[position])
            if case .text = cell { return cut(text) }
            return text
        }
        func line(_ tag: HTML, bar: HTML, _ text: (Int) -> String) -> HTML {
            let cells = shown.map { position -> HTML in
                let align = columns[position].isKey ? "left" : "right"
                let cell: HTML = "<\(tag) align=\"\(align)\">\(text(position))</\(tag)>"
                return position == drawn && largest > 0 ? "\(cell)\(bar)" : cell
            }
            return "<tr>\(joined(cells))</tr>"
        }
        let lines = rows.map { row in
            let bar = bar(largest > 0 ? number(row) / largest : 0)
            return line("td", bar: bar) { text(row, $0) }
        }
        let currency = result.request.app.profile.currency
        let head = line("th", bar: "<th></th>") { position in
            let isMoney = columns[position].unit?.hasPrefix(ReportColumn.currency) ?? false
            return cut(columns[position].name) + (isMoney ? " (\(currency))" : "")
        }
        var remarks: [HTML] = []
        if count > rows.count { remarks.append("<p>\(String(rows.count)) of \(String(count)) rows.</p>") }
        if shown.count < columns.count {
            let place = hasCSV ? "CSV" : "text of this mail"
            remarks.append(
                "<p>\(String(shown.count)) of \(String(columns.count)) columns; all are in the \(place).</p>"
            )
        }
        if rows.contains(where: { result.table.rows[$0].last == .flag(false) }) {
            remarks.append("<p>\(ReportColumn.incompleteNote)</p>")
        }
        return """
            <table cellpadding="4" cellspacing="0" style="font-size: 13px">\(head)
            \(joined(lines))</table>\(joined(remarks))
            """
    }

    /// The beginning and the end, where some names have a period.
    private static func cut(_ name: String) -> String {
        name.count > nameLimit ? "\(name.prefix(nameLimit - 14))…\(name.suffix(13))" : name
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

extension [ReportColumn] {
    /// The positions of the columns that say most, in their order: those that name the row, the drawn one, people and
    /// what they are worth, then the first others. ``ReportColumn/complete`` is none: an asterisk says it.
    ///
    /// - Parameters:
    ///   - limit: how many there are at most, at least 4.
    ///   - drawn: the name of the column that is drawn.
    package func mostTelling(_ limit: Int, drawn: String?) -> [Int] {
        let known = indices.filter { self[$0].name != ReportColumn.complete.name }
        guard known.count > limit else { return known }
        // Names alone would say nothing.
        let keys = [Int](known.filter { self[$0].isKey }.prefix(limit - 3))
        let names = [drawn, "people", "installs", "conversions", "value"].compactMap(\.self)
        let figures = names.compactMap { name in known.first { self[$0].name == name } }
        var chosen: [Int] = []
        for position in keys + figures + known where chosen.count < limit && !chosen.contains(position) {
            chosen.append(position)
        }
        return chosen.sorted()
    }
}
