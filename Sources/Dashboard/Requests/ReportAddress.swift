import Reporting

/// A report with all its parameters: where its CSV is, and where it is saved as a question.
struct ReportAddress {
    /// Where a report is saved as a question.
    static let newQuestion = "/questions/new"

    var report: String
    var parameters: [(name: String, value: String)]

    /// The same with some of the report's columns alone. Columns that name a row stay. Those that only a page has are
    /// no choice of the report's.
    func limited(to names: [String]) -> ReportAddress {
        let known = ReportCatalogue.columns(of: report)
        let own = Set(known.map(\.name))
        guard names.allSatisfy({ own.contains($0.replacing(/^previous_/, with: "")) || own.contains($0) }) else {
            return self
        }
        let naming = known.filter {
            [.text, .time].contains($0.kind) && $0.condition == nil
        }
        var limited = self
        let columns = naming.map(\.name).filter { !names.contains($0) } + names
        limited.parameters.append((View.columnsField, columns.joined(separator: ",")))
        return limited
    }

    var csv: String { "/csv/\(report).csv?" + FormFields.encode(parameters) }
    var save: String { Self.newQuestion + "?" + FormFields.encode([("report", report)] + parameters) }
}
