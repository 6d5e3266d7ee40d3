/// The result of an export.
package struct ExportSummary: Equatable, Sendable {
    /// How many rows, without the header.
    package var rows: Int
    /// Where the next export continues; nil for a whole export, which has no successor.
    package var cursor: ExportCursor?
    /// By which rules of the app its rows were read.
    package var rules = ExportRules()
}
