import JSONReading
import Text

/// An answer as a chat shows it: the total first, then what a reader should know of it and how to end it, then as much
/// of the rows as there is room for. Chats cut what is longer, from the end.
struct ChatText {
    /// What chats show at once, in characters.
    static let limit = 3_500
    /// The room for warnings and notes.
    private static let remarksLimit = 900
    /// The longest piece of a text that others wrote.
    private static let pieceLimit = 200
    /// What fits beside each other on a small screen.
    private static let width = 72
    private static let nameLimit = 28

    private var text = ""

    /// The answer to a question.
    ///
    /// - Parameter earlier: the answer about the period before.
    init(_ result: ReportResult, before earlier: ReportResult?, remarks: [String], last: String?, foot: String) {
        let total = result.total
        if let total = result.totalLine(before: earlier) { text += "\(total)\n" }
        add(remarks, last, foot)
        var rest = result
        // It stands above.
        if total != nil { rest.table.rows.removeLast() }
        let count = rest.table.rows.count
        guard count > 0 else { return }
        for shown in stride(from: min(count, Self.limit / 20), through: 1, by: -1) {
            rest.table.rows = Array(rest.table.rows.prefix(shown))
            let more = shown < count ? "… \(count - shown) more rows\n" : ""
            let table = "\n" + TextTableWriter.table(of: rest, within: Self.width, names: Self.nameLimit) + more
            guard text.count + table.count > Self.limit else {
                text += table
                return
            }
        }
        text += "\n\(count) rows, too wide to show here\n"
    }

    /// What a watch found, or a line for each question of a board.
    init(_ findings: [String], remarks: [String], last: String?, foot: String) {
        text = Self.cut(findings, to: Self.limit / 2).joined(separator: "\n") + "\n"
        add(remarks, last, foot)
    }

    private mutating func add(_ remarks: [String], _ last: String?, _ foot: String) {
        let lines = Self.cut(remarks, to: Self.remarksLimit) + [last].compactMap(\.self)
        if !lines.isEmpty { text += "\n" + lines.joined(separator: "\n") + "\n" }
        text += foot
    }

    /// The first ones, in a line each, and how many are left out.
    private static func cut(_ pieces: [String], to limit: Int) -> [String] {
        var room = limit
        let lines = pieces.map { short($0) }.prefix { line in
            room -= line.count + 1
            return room >= 0
        }
        return lines + (lines.count < pieces.count ? ["… \(pieces.count - lines.count) more"] : [])
    }

    private static func short(_ text: String) -> String {
        let text = text.escapingControls(keepsLines: true)
        return text.count > pieceLimit ? text.prefix(pieceLimit - 1) + "…" : text
    }

    fileprivate static func line(_ total: [ReportCell], _ earlier: [ReportCell]?, of result: ReportResult) -> String {
        let shown = Set(result.shownColumns.map(\.name))
        let figures = result.table.columns.indices.compactMap { position -> String? in
            let column = result.table.columns[position]
            guard shown.contains(column.name), !column.isKey, column.kind != .probability,
                ![.empty, .flag(true), .flag(false)].contains(total[position])
            else { return nil }
            let before = earlier.flatMap {
                position < $0.count ? change(of: total[position], since: $0[position], column) : nil
            }
            return "\(column.name) \(TextTableWriter.shown(total[position], of: column))"
                + (before.map { " (\($0))" } ?? "")
        }
        return "total: " + figures.joined(separator: ", ")
    }

    private static func change(of cell: ReportCell, since earlier: ReportCell, _ column: ReportColumn) -> String? {
        if cell == earlier { return "as before" }
        // A thousand times as much is better said by both figures.
        guard let now = cell.measure, let then = earlier.measure, column.kind != .rate, then > 0, now < 1_000 * then
        else {
            return earlier == .empty ? nil : "\(TextTableWriter.shown(earlier, of: column)) before"
        }
        return "\(now < then ? "−" : "+")\(WatchedFigure.percent(abs(now - then) / then))"
    }

    /// The message that chats take, with the subject in bold.
    func json(_ subject: String) -> String {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        }
        // Three of them would end the block.
        let block = escaped(text).replacing("```", with: "'''")
        return "{\"text\": \(JSONWriter.quoted("*\(escaped(Self.short(subject)))*\n```\n\(block)```"))}"
    }
}

extension AnsweredPart {
    /// One line: the total with its change, or what else there is.
    var summary: String {
        result.map { $0.totalLine(before: earlier) ?? "\($0.table.rows.count) rows" } ?? failure ?? ""
    }
}

extension ReportResult {
    /// `total: touches 120 (+20.0 %), post_rate 12.50% (10.00% before)`; nil without a total.
    func totalLine(before earlier: ReportResult?) -> String? {
        total.map { ChatText.line($0, earlier?.total, of: self) }
    }

    /// The row about all; nil if the table has none, or one for each of its parts.
    fileprivate var total: [ReportCell]? {
        let keys = table.columns.indices.filter { table.columns[$0].isKey }
        func isTotal(_ row: [ReportCell]) -> Bool { keys.contains { row[$0] == .text(ReportNames.total) } }
        guard let last = table.rows.last, isTotal(last), table.rows.count(where: isTotal) == 1 else { return nil }
        return last
    }
}

extension ReportCell {
    var measure: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let millionths): Double(millionths) / 1_000_000
        case .fraction(let millionths): Double(millionths) / 1_000_000
        case .text, .probability, .flag, .empty: nil
        }
    }
}
