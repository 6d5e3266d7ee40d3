/// How an export is written.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// As reports are, see `CSVWriter`.
    case csv
    /// A JSON object a line, with every column in it.
    case ndjson
}
