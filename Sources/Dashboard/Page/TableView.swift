import InboundLinks
import Markup
import Reporting

/// The column by which the rows of a table are sorted, and where a click on another leads.
struct Sorting {
    /// Nil: the report's own order.
    var order: SortOrder?
    /// Those by which rows can be sorted.
    var columns: [String]
    /// Whether the report has sorted the rows.
    var isOfReport: Bool
    /// The URL of the table in another order.
    private var href: (SortOrder) -> String

    /// - Parameter field: of the URL.
    init(
        _ request: ViewRequest,
        _ order: SortOrder?,
        columns: [String],
        field: String = "sort",
        isOfReport: Bool = true
    ) {
        (self.order, self.columns, self.isOfReport) = (order, columns, isOfReport)
        href = { order in
            request.href(request.view, request.given.filter { $0.name != field } + [(field, order.text)])
        }
    }

    /// Where a click on a heading leads: to the column's usual order, or to the opposite one.
    func heading(_ column: String) -> String? {
        guard columns.contains(column) else { return nil }
        return href(SortOrder(column, isReversed: order == SortOrder(column, isReversed: false)))
    }

    /// Rows of a report that has one order, sorted for the page.
    ///
    /// - Parameters:
    ///   - field: of the URL.
    ///   - usual: the column of the largest numbers first, unless the URL names another; nil: the report's own order.
    /// - Throws: `DashboardFailure.invalid` for a column that the table does not have.
    static func ofPage(
        _ request: ViewRequest,
        _ figures: ReportRows,
        field: String = "sort",
        usual: String? = nil
    ) throws(DashboardFailure) -> Sorting {
        let columns = figures.columns.map(\.name)
        let order = (request[field] ?? usual).map { SortOrder($0) }
        if let order, !columns.isEmpty, !columns.contains(order.column) {
            throw .invalid("‘\(field)’ must be one of: \(columns.joined(separator: ", ")).")
        }
        return Sorting(request, order, columns: columns, field: field, isOfReport: false)
    }

    /// The place of a row among those that stay at the end; nil for a row with a name of its own.
    static func end(_ row: ReportRows.Row) -> Int? {
        let ends = ["(others)", "direct", "total"]
        return row.cells.lazy.compactMap { cell in ends.firstIndex { cell == .text($0) } }.first
    }

    /// The largest numbers first, or names by their letters; rows that stand for no name of their own stay at the end.
    func sorted(_ figures: ReportRows) -> [ReportRows.Row] {
        guard !isOfReport, let order else { return figures.rows }
        let column = order.column
        let isNumber = figures.columns.contains { $0.name == column && ![.text, .time].contains($0.kind) }
        func place(_ row: ReportRows.Row) -> Int { Self.end(row) ?? -1 }
        return figures.rows.enumerated()
            .sorted { one, other in
                let (first, second) = (place(one.element), place(other.element))
                if first != second { return first < second }
                if isNumber {
                    // What has no number comes last in either order.
                    let none = order.isReversed ? Double.infinity : -.infinity
                    let numbers = [one, other].map { $0.element[column].number ?? none }
                    if numbers[0] != numbers[1] { return (numbers[0] > numbers[1]) != order.isReversed }
                } else {
                    let names = [one, other].map { $0.element.text(column) }
                    if names[0] != names[1] { return (names[0] < names[1]) != order.isReversed }
                }
                return one.offset < other.offset
            }
            .map(\.element)
    }
}

/// A report's figures as an HTML table, for the template `table`.
struct TableView {
    struct Head {
        /// The report's column.
        var column: String
        var name: String
        var isNumber: Bool
        /// What it counts, from the data dictionary.
        var meaning: String
        /// The URL of the table sorted by the column; nil if it cannot be.
        var sort: String?
        /// `ascending` or `descending` if the rows are sorted by the column.
        var order: String?
    }

    struct Cell {
        /// As HTML; names have places to break.
        var text: String
        /// A long text, of which the table may show only the beginning.
        var hint: String?
        var isNumber: Bool
        /// The first column names the row.
        var isHead: Bool
        /// A drawing, or empty.
        var meter: String
        /// The number by which rows are sorted, if the text is another.
        var value: String?
        /// The URL of the cell's own figures; nil if it has none.
        var drill: String?
    }

    struct Row {
        var cells: [Cell]
        var isTotal: Bool
        /// The place among the rows that stay at the end, however the others are sorted; nil for others.
        var end: String?
    }

    var caption: String
    var heads: [Head]
    var rows: [Row]
    /// Nil on a page that leads nowhere.
    var csv: String?
    /// Where the report is saved as a question; nil for somebody who may not.
    var save: String?
    /// What the asterisks mean; nil if there are none.
    var note: String?
    /// How many rows are shown; nil if all are.
    var rest: String?
    /// Why some columns are empty.
    var remark: String?
    /// Whether it has so many columns that they need to be narrow.
    var isWide: Bool
    /// Whether even narrow columns would not fit.
    var isVeryWide: Bool
    /// Whether the table is the panel's chart, and not hidden below one.
    var isShown = false
    /// Whether a heading with a link leads to other rows, so that sorting these would be another order.
    var isPartial: Bool
    /// The channels among the names, which need an explanation.
    var channels: Set<String> = []
    private var address: ReportAddress
    /// The columns that the address does not have.
    private var joinedColumns: Set<String>

    static let rowLimit = 60
    /// With more columns, they are narrow.
    private static let wideFrom = 10
    /// From more characters on, a text may be cut.
    private static let longText = 16

    /// - Parameters:
    ///   - meter: a column whose numbers are drawn as well.
    ///   - drills: where cells lead.
    ///   - group: what the rows of a column `group` are.
    ///   - sorting: nil if the rows have one order.
    ///   - remark: what is to say of a row, beside its name.
    ///   - limit: how many rows are shown, beside those that stay at the end.
    init(
        _ figures: ReportRows,
        caption: String,
        address: ReportAddress,
        meter: String? = nil,
        isShown: Bool = false,
        remark: (ReportRows.Row) -> String? = { _ in nil },
        drills: [Drill] = [],
        group: String? = nil,
        sorting: Sorting? = nil,
        limit: Int = Self.rowLimit
    ) {
        joinedColumns = figures.joinedColumns
        let group = group == "none" ? nil : group
        self.remark = figures.remark
        let all = sorting?.sorted(figures) ?? figures.rows
        let marked = Set(all.indices.filter { all[$0]["complete"] == .flag(false) })
        let figures = ReportRows(columns: figures.columns, rows: all.map(\.cells)).without("complete")
        let sorted = figures.rows
        self.isShown = isShown
        isWide = figures.columns.count > Self.wideFrom
        isVeryWide = figures.columns.count > 14
        self.caption = caption
        self.address = address
        (csv, save) = Self.places(of: address)
        heads = figures.columns.map { column in
            Head(
                column: column.name,
                name: column.name == "group" ? Choice.words(group ?? column.name) : column.words,
                isNumber: ![.text, .time].contains(column.kind),
                meaning: column.meaning.replacing("`", with: ""),
                sort: sorting?.heading(column.name),
                order: sorting?.order.flatMap { order in
                    guard order.column == column.name else { return nil }
                    return (column.kind == .text) != order.isReversed ? "ascending" : "descending"
                }
            )
        }
        let meterPosition = figures.columns.firstIndex { $0.name == meter }
        // A report without groups has nothing but totals.
        let hasOthers = figures.rows.contains { !$0.cells.contains(.text("total")) }
        func isTotal(_ row: ReportRows.Row) -> Bool {
            hasOthers ? row.cells.contains(.text("total")) : row.cells.first == .text("total")
        }
        let largest =
            figures.rows.filter { !isTotal($0) }
            .compactMap { row in meterPosition.flatMap { row.cells[$0].number } }.max() ?? 0
        let isWhole = figures.columns.indices.map { position in
            figures.rows.allSatisfy { row in row.cells[position].number.map { $0 == $0.rounded() } ?? true }
        }
        let numbered = Array(sorted.enumerated())
        // What has no name may be most of the total. Of many periods, the totals are enough.
        let keyCount = figures.columns.prefix { $0.kind == .text }.count
        let hasOneTotal = sorted.count(where: isTotal) == 1
        func isAlwaysShown(_ row: ReportRows.Row) -> Bool {
            let names = row.cells.prefix(keyCount)
            let isNameless =
                names.first == .text("(none)")
                && names.allSatisfy { [.text("(none)"), .text(""), .empty].contains($0) }
            return isTotal(row) || hasOneTotal && (Sorting.end(row) != nil || isNameless)
        }
        let shown =
            numbered.prefix(limit) + numbered.dropFirst(limit).filter { isAlwaysShown($0.element) }
        note = marked.isEmpty ? nil : ReportColumn.incompleteNote
        let isCut = shown.count < figures.rows.count
        isPartial = isCut || sorting?.isOfReport == true
        rest =
            isCut
            ? "\(shown.count) of \(figures.rows.count) rows\(csv == nil ? "" : "; the CSV has all")."
                + (sorting == nil ? " A heading sorts the rows that are shown." : "") : nil
        for (column, position) in zip(figures.columns, figures.columns.indices) {
            let key = column.name == "group" ? group ?? "" : column.name
            let isOfChannels =
                ["channel", "path"].contains(key)
                || ["a", "b"].contains(key) && address.parameters.contains { $0 == ("by", "channel") }
            guard isOfChannels else { continue }
            for row in shown {
                let names = row.element.cells[position].plainText?.split(separator: " > ") ?? []
                channels.formUnion(names.map { String($0.split(separator: " × ").first ?? $0) })
            }
        }
        rows = shown.map { number, row in
            let total = isTotal(row)
            return Row(
                cells: zip(figures.columns, row.cells).enumerated().map { position, pair in
                    let (column, cell) = pair
                    let isMetered = position == meterPosition && !total && largest > 0
                    let text = NumberText.text(of: cell, in: column, isWhole: isWhole[position])
                    let html = column.kind == .time ? BreakableText.time(text) : BreakableText.html(text)
                    let remark = position == 0 ? remark(row) : nil
                    // A remark says more.
                    let mark = position == 0 && remark == nil && marked.contains(number) ? "*" : ""
                    let isNumber = ![.text, .time].contains(column.kind)
                    return Cell(
                        text: html + mark + (remark.map { " · \(HTMLText.escaped($0))" } ?? ""),
                        hint: (column.name == "group" ? group : column.name) == "channel"
                            ? Channel.meaning(of: text) : isNumber || text.count <= Self.longText ? nil : text,
                        isNumber: isNumber,
                        isHead: position == 0,
                        meter: isMetered ? Meter.drawing((cell.number ?? 0) / largest) : "",
                        value: cell.number.flatMap { _ in cell.plainText },
                        drill: drills.first { $0.column == column.name }?.href(row)
                            ?? address.people(behind: column.name, of: row)
                    )
                },
                isTotal: total,
                end: Sorting.end(row).map(String.init)
            )
        }
    }

    private static func places(of address: ReportAddress) -> (csv: String?, save: String?) {
        (Caller.current.map { _ in address.csv }, Caller.may(.analyst) ? address.save : nil)
    }

    /// Takes off the columns of numbers that are not among these, here and in the CSV. A table that would have no
    /// number stays as it is.
    mutating func keep(_ columns: Set<String>) {
        let kept = heads.indices.filter { $0 == 0 || !heads[$0].isNumber || columns.contains(heads[$0].column) }
        guard kept.count < heads.count, kept.contains(where: { $0 > 0 && heads[$0].isNumber }) else { return }
        heads = kept.map { heads[$0] }
        for row in rows.indices {
            let cells = rows[row].cells
            rows[row].cells = kept.map { cells[$0] }
        }
        isWide = heads.count > Self.wideFrom
        isVeryWide = heads.count > 14
        let address = address.limited(to: heads.map(\.column).filter { !joinedColumns.contains($0) })
        (csv, save) = Self.places(of: address)
    }

    /// Gives columns other headings.
    mutating func rename(_ names: [String: String]) {
        for position in heads.indices { heads[position].name = names[heads[position].column] ?? heads[position].name }
    }
}
