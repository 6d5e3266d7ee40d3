package enum ReportFormat: String, CaseIterable, Sendable {
    case json, csv
}
