import Reporting
import Time

/// A report's rows, whose cells are found by the name of the column.
struct ReportRows {
    struct Row {
        fileprivate let positions: [String: Int]
        let cells: [ReportCell]

        /// Empty if there is no such column.
        subscript(_ column: String) -> ReportCell { positions[column].map { cells[$0] } ?? .empty }

        func text(_ column: String) -> String { self[column].plainText ?? "" }
        func number(_ column: String) -> Double { self[column].number ?? 0 }
        /// A count; 0 for another cell.
        func integer(_ column: String) -> Int64 { if case .integer(let count) = self[column] { count } else { 0 } }
    }

    let columns: [ReportColumn]
    let rows: [Row]
    /// Why there are no rows: the report cannot mean a condition of the view.
    var unmet: Unmet?
    /// Why some columns are empty.
    private(set) var remark: String?
    /// The column that a small picture shows.
    var drawn: String?
    /// The columns that are of another report.
    private(set) var joinedColumns: Set<String> = []
    /// Why nothing can be compared with these rows, or with those of the range before beside them; nil if it can.
    private(set) var incomparability: String?
    private var request: ReportRequest?
    /// What carries a change, in words; nil if it is chance, or the report does not tell it.
    private(set) var carrier: String?

    init(_ result: ReportResult) {
        self.init(result.table)
        carrier = ChangeCarrier(of: result)?.words { NumberText.grouped($0) }
        drawn = result.drawnColumn
        let request = result.request
        self.request = request
        incomparability = request.incomparability(of: request.previous ?? request.range)
    }

    init(_ table: ReportTable) {
        self.init(columns: table.columns, rows: table.rows)
    }

    init(columns: [ReportColumn], rows: [[ReportCell]]) {
        self.columns = columns
        let positions = Dictionary(
            columns.enumerated().map { ($0.element.name, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
        self.rows = rows.map { Row(positions: positions, cells: $0) }
    }

    /// The same rows without the figures of some columns and of their counterparts in the range before, because they
    /// cannot mean the conditions of the view.
    func emptied(_ names: Set<String>, _ unmet: Unmet) -> ReportRows {
        let emptied = columns.map { names.contains($0.name.replacing(/^(previous|change_share|change)_/, with: "")) }
        var others = ReportRows(
            columns: columns,
            rows: rows.map { row in zip(row.cells, emptied).map { $1 ? .empty : $0 } }
        )
        others.incomparability = incomparability
        others.remark = unmet.sentence(of: columns.filter { names.contains($0.name) }.map(\.words))
        return others
    }

    /// Whether a row's name is none of an app's: `total`, `direct`, `(none)`, `(others)`.
    static func isSyntheticName(_ name: String) -> Bool {
        ["total", "direct", "(none)", "(others)"].contains(name)
    }

    /// Why nothing can be compared with a period that begins on a date; nil if it can.
    func incomparability(from day: String) -> String? {
        guard let day = CivilDate(day) else { return nil }
        return request?.incomparability(from: day)
    }

    /// The day of the app's first event, if the rows are of earlier days, too.
    var firstDayOfApp: String? { request?.firstDayWithin?.description }

    /// The row of all groups together.
    func total(named column: String) -> Row? {
        rows.last { $0.text(column) == "total" }
    }

    /// The rows of all groups together, one for each period, without the column of the groups.
    func totals(named column: String) -> ReportRows {
        var totals = filtered { $0.text(column) == "total" }.without(column)
        totals.unmet = unmet
        return totals
    }

    /// Some of the rows.
    func filtered(_ isKept: (Row) -> Bool) -> ReportRows {
        with(columns, rows.filter(isKept).map(\.cells))
    }

    /// The same rows with other cells in a column.
    func replacing(_ column: String, _ cell: (Row) -> ReportCell) -> ReportRows {
        guard let position = columns.firstIndex(where: { $0.name == column }) else { return self }
        return with(
            columns,
            rows.map { row in
                var cells = row.cells
                cells[position] = cell(row)
                return cells
            }
        )
    }

    private func with(_ columns: [ReportColumn], _ rows: [[ReportCell]]) -> ReportRows {
        var other = ReportRows(columns: columns, rows: rows)
        (other.unmet, other.remark, other.incomparability) = (unmet, remark, incomparability)
        other.request = request
        return other
    }

    /// The same rows with some columns alone, in the order of the names.
    func limited(to names: [String]) -> ReportRows {
        let kept = names.compactMap { name in columns.first { $0.name == name } }
        return with(kept, rows.map { row in kept.map { row[$0.name] } })
    }

    /// The same rows with columns of another report, from its rows of the same names; empty where it has none.
    ///
    /// - Parameter key: the column with the names there.
    func joined(_ names: [String], of other: ReportRows, named key: String) -> ReportRows {
        let added = names.compactMap { name in other.columns.first { $0.name == name } }
        let found = Dictionary(other.rows.map { ($0.text(key), $0) }) { first, _ in first }
        var joined = with(
            columns + added,
            rows.map { row in
                let match = row.cells.first?.plainText.flatMap { found[$0] }
                return row.cells + added.map { match?[$0.name] ?? .empty }
            }
        )
        joined.joinedColumns = Set(names)
        return joined
    }

    /// The same rows without a column.
    func without(_ column: String) -> ReportRows {
        guard let position = columns.firstIndex(where: { $0.name == column }) else { return self }
        func dropped<Element>(_ elements: [Element]) -> [Element] {
            Array(elements[..<position] + elements[(position + 1)...])
        }
        return ReportRows(columns: dropped(columns), rows: rows.map { dropped($0.cells) })
    }
}
