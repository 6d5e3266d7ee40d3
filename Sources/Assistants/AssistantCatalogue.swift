import JSONReading
import Reporting
import Text

/// What reports and columns mean, as JSON. Everything comes from the catalogue of reports.
enum AssistantCatalogue {
    /// All reports in short, or one in full.
    static func text(of name: String?) -> String {
        var json = JSONWriter()
        if let name, let report = ReportCatalogue.descriptions.first(where: { $0.name == name }) {
            json.object { json in
                json.member("report", report.name)
                json.member("summary", report.summary)
                json.key("parameters")
                write(AssistantParameters.offers(of: report.parameters + ReportParameter.common), to: &json)
                json.key("columns")
                write(shown(report.columns), to: &json)
                let examples = report.examples.filter { example in
                    !ReportResult.peopleColumns.contains { example.contains($0) }
                }
                json.member("examples", examples.map { "tributary report \(report.name) \($0)" })
            }
            return json.text
        }
        json.object { json in
            json.key("reports")
            json.array { json in
                for report in ReportCatalogue.descriptions {
                    json.object { json in
                        json.member("report", report.name)
                        json.member("summary", report.summary)
                        json.member("parameters", AssistantParameters.offers(of: report.parameters).map(\.name))
                        json.member("columns", shown(report.columns).map(\.name))
                    }
                }
            }
            json.key("parameters_of_every_report")
            write(AssistantParameters.offers(of: ReportParameter.common), to: &json)
        }
        return json.text
    }

    /// Every meaning of a column.
    ///
    /// - Throws: `ToolFailure` with the names that were likely meant.
    static func explanation(of name: String, in report: String?) throws(ToolFailure) -> String {
        let all = DataDictionary.meanings.filter { report == nil || $0.output == "report \(report ?? "")" }
        let meanings = all.filter { $0.column.name == name }
        guard !meanings.isEmpty else {
            var names: [String] = []
            for meaning in all where !names.contains(meaning.column.name) { names.append(meaning.column.name) }
            let nearest = closestNames(to: name, among: names).prefix(3).map { "'\($0)'" }
            let hint = nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: ", "))?"
            throw ToolFailure("no \(report.map { "column of \($0)" } ?? "column") is called '\(name)'\(hint)")
        }
        var json = JSONWriter()
        json.object { json in
            json.member("column", name)
            json.key("meanings")
            json.array { json in
                for (output, column) in meanings {
                    json.object { json in
                        json.member("output", output)
                        write(column, to: &json)
                    }
                }
            }
        }
        return json.text
    }

    /// What the columns of an answer mean.
    static func writeDefinition(of result: ReportResult, to json: inout JSONWriter) {
        json.object { json in
            json.member(
                "summary",
                ReportCatalogue.descriptions.first { $0.name == result.request.name }?.summary
            )
            json.member("caution", AssistantTool.caution)
            json.key("columns")
            write(result.shownColumns, to: &json)
        }
    }

    /// Without those that answers do not have.
    private static func shown(_ columns: [ReportColumn]) -> [ReportColumn] {
        columns.filter { !ReportResult.peopleColumns.contains($0.name) }
    }

    private static func write(_ columns: [ReportColumn], to json: inout JSONWriter) {
        json.object { json in
            for column in columns {
                json.key(column.name)
                json.object { json in write(column, to: &json) }
            }
        }
    }

    private static func write(_ column: ReportColumn, to json: inout JSONWriter) {
        json.member("type", column.kind.rawValue)
        if let unit = column.unit { json.member("unit", unit) }
        json.member("meaning", column.meaning)
        if let condition = column.condition { json.member("only", condition.replacing("--", with: "")) }
    }

    private static func write(_ parameters: [AssistantParameters.Offer], to json: inout JSONWriter) {
        json.object { json in for parameter in parameters { json.member(parameter.name, parameter.text) } }
    }
}
