/// A report's result with what it answers to, ready to be written.
package struct ReportResult: Sendable {
    package let request: ReportRequest
    package let table: ReportTable

    /// The whole text, its last line ended.
    package func text(as format: ReportFormat) -> String {
        switch format {
        case .table: TextTableWriter.text(of: self)
        case .csv: CSVWriter.text(of: table)
        case .json: JSONReportWriter.text(of: self)
        }
    }
}
