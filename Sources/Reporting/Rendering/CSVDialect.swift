import InboundLinks
import Time

/// How a CSV looks to the program that opens it.
package enum CSVDialect: String, CaseIterable, Sendable {
    /// RFC 4180, for programs: commas, `.` as the decimal point, RFC 3339.
    case standard
    /// Excel with German settings: semicolons, decimal commas, `31.01.2026`.
    case excelGerman = "excel-de"
    /// Excel with English settings: a byte order mark, and times without `T` and `Z`.
    case excelEnglish = "excel-en"

    var separator: UInt8 { UInt8(ascii: self == .excelGerman ? ";" : ",") }

    /// Without it, Excel takes UTF-8 for the system's code page.
    var beginning: String { self == .standard ? "" : "\u{FEFF}" }

    /// A number, as `ReportCell.plainText` spells it.
    func number(_ text: String) -> String {
        self == .excelGerman ? text.replacing(".", with: ",") : text
    }

    /// A text that may be a date or a time in UTC, which Excel then takes for one.
    func text(_ text: String) -> String {
        guard self != .standard else { return text }
        if text.utf8.count == 10, CivilDate(text) != nil { return date(text) }
        guard text.utf8.count >= 20, text.utf8.last == UInt8(ascii: "Z"), Timestamp(rfc3339: text) != nil else {
            return text
        }
        return date(String(text.prefix(10))) + " " + text.dropFirst(11).prefix(8)
    }

    private func date(_ text: String) -> String {
        self == .excelGerman ? text.split(separator: "-").reversed().joined(separator: ".") : text
    }
}
