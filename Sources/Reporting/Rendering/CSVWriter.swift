/// RFC 4180: a header, CRLF after every line, quotes where needed, nothing for an empty cell.
package enum CSVWriter {
    static func text(of table: ReportTable) -> String {
        var text = ""
        append(table.columns.map { .text($0.name) }, to: &text)
        for row in table.rows { append(row, to: &text) }
        return text
    }

    private static func append(_ row: [ReportCell], to text: inout String) {
        for (position, cell) in row.enumerated() {
            if position > 0 { text += "," }
            if case .text(let value) = cell {
                text += field(value)
            } else {
                text += cell.plainText ?? ""
            }
        }
        text += "\r\n"
    }

    /// A text that a spreadsheet would run as a formula gets an apostrophe in front: `=cmd` is shown, not run.
    package static func field(_ text: String) -> String {
        var field = text
        if let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { field = "'" + text }
        guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
