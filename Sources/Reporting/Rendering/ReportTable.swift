/// A report's result: typed columns, and rows with a cell for each.
package struct ReportTable: Equatable, Sendable {
    package var columns: [ReportColumn]
    package var rows: [[ReportCell]]
    /// What no `value` contains, because it is in other currencies: of the range, and of the preceding one if the rows
    /// have that, too.
    var otherCurrencies: [[OtherCurrencies.Amount]] = []
}
