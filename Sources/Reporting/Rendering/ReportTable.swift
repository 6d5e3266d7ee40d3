/// A report's result: typed columns, and rows with a cell for each.
package struct ReportTable: Equatable, Sendable {
    package var columns: [ReportColumn]
    package var rows: [[ReportCell]]
    /// What no `value` contains, because it is in other currencies: of the range, and of the preceding one if the rows
    /// have that, too.
    var otherCurrencies: [[OtherCurrencies.Amount]] = []

    /// The table with these columns alone, in this order.
    ///
    /// - Parameter names: nil for all. Those that the table does not have are left out.
    func showing(_ names: [String]?) -> ReportTable {
        guard let names else { return self }
        let positions = names.compactMap { name in columns.firstIndex { $0.name == name } }
        var table = self
        table.columns = positions.map { columns[$0] }
        table.rows = rows.map { row in positions.map { row[$0] } }
        return table
    }
}
