import InboundLinks
import Time
import JSONReading
import Storage

/// A report as one JSON object. Numbers keep their digits; an empty cell is null.
enum JSONReportWriter {
    static func text(of result: ReportResult) -> String {
        let table = result.table.showing(result.request.shownColumns)
        return beginning(of: result) + text(of: table, isFirst: true) + end(hasRows: !table.rows.isEmpty)
    }

    /// Everything before the rows.
    static func beginning(of result: ReportResult) -> String {
        let request = result.request
        let columns = result.table.showing(request.shownColumns).columns
        var text = "{\n"
        text += "  \"report\": \(string(request.name)),\n"
        text += "  \"app\": \(string(request.app.profile.id)),\n"
        text += "  \"from\": \(string(request.range.from.rfc3339)),\n"
        text += "  \"to\": \(string(request.range.to.rfc3339)),\n"
        if let previous = request.previous {
            text += "  \"previous_from\": \(string(previous.from.rfc3339)),\n"
            text += "  \"previous_to\": \(string(previous.to.rfc3339)),\n"
        }
        text += "  \"time_zone\": \(string(request.zone.name)),\n"
        text += "  \"currency\": \(string(request.app.profile.currency)),\n"
        text += "  \"parameters\": {\(parameters(of: request).joined(separator: ", "))},\n"
        text += "  \"methods\": [\(request.methods.map(object).joined(separator: ", "))],\n"
        text += "  \"warnings\": [\(result.warnings.map(object).joined(separator: ", "))],\n"
        if let freshness = result.freshness {
            text += "  \"freshness\": \(freshness.json),\n"
        }
        if let standby = result.standby {
            text += "  \"standby\": \(standby.json),\n"
        }
        text += "  \"columns\": [\(columns.map { string($0.name) }.joined(separator: ", "))],\n"
        return text + "  \"rows\": ["
    }

    /// - Parameter isFirst: whether no rows were written before.
    static func text(of table: ReportTable, isFirst: Bool) -> String {
        var text = ""
        for (position, row) in table.rows.enumerated() {
            let cells = zip(table.columns, row).map { "\(string($0.name)): \(value($1))" }
            text += "\(isFirst && position == 0 ? "" : ",")\n    {\(cells.joined(separator: ", "))}"
        }
        return text
    }

    static func end(hasRows: Bool) -> String { hasRows ? "\n  ]\n}\n" : "]\n}\n" }

    /// Conditions, of which there may be several, are one array.
    private static func parameters(of request: ReportRequest) -> [String] {
        let repeated = ["where"] + [ReportParameter.with, .without].map(\.name)
        let others = request.parameters.filter { !repeated.contains($0.name) }
        return others.map { "\(string($0.name)): \(string($0.value))" }
            + repeated.compactMap { name in
                let values = request.parameters.filter { $0.name == name }.map { string($0.value) }
                return values.isEmpty ? nil : "\(string(name)): [\(values.joined(separator: ", "))]"
            }
    }

    private static func object(_ method: StatisticalMethod) -> String {
        let columns = method.columns.map(string).joined(separator: ", ")
        return "{\"columns\": [\(columns)], \"method\": \(string(method.name))}"
    }

    private static func object(_ warning: ReportWarning) -> String {
        let nearest = warning.nearest.map(string).joined(separator: ", ")
        let sums = warning.sums.map { "\(string($0.currency)): \(value($0.amount))" }.joined(separator: ", ")
        return "{\"parameter\": \(warning.parameter.map(string) ?? "null"), "
            + "\"value\": \(warning.value.map(string) ?? "null"), \"nearest\": [\(nearest)], "
            + (sums.isEmpty ? "" : "\"sums\": {\(sums)}, ")
            + "\"message\": \(string(warning.message.text(for: .http)))}"
    }

    private static func value(_ cell: ReportCell) -> String {
        if case .text(let text) = cell { return string(text) }
        return cell.plainText ?? "null"
    }

    private static func string(_ text: String) -> String {
        JSONWriter.quoted(text)
    }
}
