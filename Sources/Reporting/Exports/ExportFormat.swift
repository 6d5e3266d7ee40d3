/// How an export is written.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// As in reports, see `CSVWriter`.
    case csv
    /// One JSON object a line, with all columns.
    case ndjson
}
