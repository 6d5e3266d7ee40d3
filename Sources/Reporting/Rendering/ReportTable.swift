/// A report's result: typed columns, and rows with a cell for each.
package struct ReportTable: Equatable, Sendable {
    package var columns: [ReportColumn]
    package var rows: [[ReportCell]]
}
