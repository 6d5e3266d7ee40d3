/// A report with all its parameters: where its CSV is, and where it is saved as a question.
struct ReportAddress {
    /// Where a report is saved as a question.
    static let newQuestion = "/questions/new"

    var report: String
    var parameters: [(name: String, value: String)]

    var csv: String { "/csv/\(report).csv?" + FormFields.encode(parameters) }
    var save: String { Self.newQuestion + "?" + FormFields.encode([("report", report)] + parameters) }
}
