/// A report with all its parameters: where its CSV is.
struct ReportAddress {
    var report: String
    var parameters: [(name: String, value: String)]

    var csv: String { "/csv/\(report).csv?" + FormFields.encode(parameters) }
}
