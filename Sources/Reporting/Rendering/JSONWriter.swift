import InboundLinks
import Storage

/// A report as one JSON object. Numbers keep their digits; an empty cell is null.
enum JSONWriter {
    static func text(of result: ReportResult) -> String {
        let request = result.request
        let columns = result.table.columns
        var text = "{\n"
        text += "  \"report\": \(string(request.name)),\n"
        text += "  \"app\": \(string(request.app.profile.id)),\n"
        text += "  \"from\": \(string(request.range.from.rfc3339)),\n"
        text += "  \"to\": \(string(request.range.to.rfc3339)),\n"
        text += "  \"time_zone\": \(string(request.zone.name)),\n"
        let parameters = request.parameters.map { "\(string($0.name)): \(string($0.value))" }
        text += "  \"parameters\": {\(parameters.joined(separator: ", "))},\n"
        text += "  \"columns\": [\(columns.map { string($0.name) }.joined(separator: ", "))],\n"
        text += "  \"rows\": ["
        for (position, row) in result.table.rows.enumerated() {
            let cells = zip(columns, row).map { "\(string($0.name)): \(value($1))" }
            text += "\(position == 0 ? "" : ",")\n    {\(cells.joined(separator: ", "))}"
        }
        text += result.table.rows.isEmpty ? "]\n}\n" : "\n  ]\n}\n"
        return text
    }

    private static func value(_ cell: ReportCell) -> String {
        if case .text(let text) = cell { return string(text) }
        return cell.plainText ?? "null"
    }

    /// A JSON string (RFC 8259 section 7).
    static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
