/// What an export has written.
package struct ExportSummary: Equatable, Sendable {
    /// Without the header.
    package var rows: Int
    /// Where the next one goes on; nil for a whole export, which begins no series.
    package var cursor: ExportCursor?
}
