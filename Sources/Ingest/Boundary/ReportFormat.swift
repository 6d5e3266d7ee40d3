/// What a report is sent as.
package enum ReportFormat: String, CaseIterable, Sendable {
    case json, csv
}
