/// How a report is written.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// Aligned columns for people.
    case table
    case csv
    case json
}
