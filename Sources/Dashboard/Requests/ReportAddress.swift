/// A report with all its parameters: where its CSV is, and where it is saved as a question.
struct ReportAddress {
    var report: String
    var parameters: [(name: String, value: String)]

    var csv: String { "/csv/\(report).csv?" + FormFields.encode(parameters) }
    var save: String { QuestionDraft.path + "?" + FormFields.encode([("report", report)] + parameters) }
}
