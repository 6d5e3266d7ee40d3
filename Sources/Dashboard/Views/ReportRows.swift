import Reporting

/// A report's rows, whose cells are found by the name of the column.
struct ReportRows {
    struct Row {
        fileprivate let positions: [String: Int]
        let cells: [ReportCell]

        /// Empty if there is no such column.
        subscript(_ column: String) -> ReportCell { positions[column].map { cells[$0] } ?? .empty }

        func text(_ column: String) -> String { self[column].plainText ?? "" }
        func number(_ column: String) -> Double { self[column].number ?? 0 }
    }

    let columns: [ReportColumn]
    let rows: [Row]

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

    /// The row of all groups together.
    func total(named column: String) -> Row? {
        rows.last { $0.text(column) == "total" }
    }
}
