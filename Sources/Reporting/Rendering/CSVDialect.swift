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
    var separatorText: String { self == .excelGerman ? ";" : "," }

    /// Without it, Excel takes UTF-8 for the system's code page.
    var beginning: String { self == .standard ? "" : "\u{FEFF}" }

    /// A number, as `ReportCell.plainText` spells it.
    func number(_ text: String) -> String {
        self == .excelGerman ? text.replacing(".", with: ",") : text
    }

    /// A text as a field: as it is, or, if Excel would make a number, a date or a truth of it, as a formula that is it.
    ///
    /// - Parameter isDated: whether the column has dates (``ReportColumn/isDated``), which are written as Excel reads
    ///   them.
    func field(_ text: String, isDated: Bool) -> String {
        guard self != .standard else { return CSVWriter.field(text, separator: separator) }
        if isDated, let time = time(text) { return CSVWriter.field(time, separator: separator) }
        let isKept = Self.isConverted(text)
        return CSVWriter.field(isKept ? "=\"\(text)\"" : text, separator: separator, isSafe: isKept)
    }

    /// A date, or a time in UTC, as Excel reads it; nil for any other text.
    private func time(_ text: String) -> String? {
        if text.utf8.count == 10, CivilDate(text) != nil { return date(text) }
        guard text.utf8.count >= 20, text.utf8.last == UInt8(ascii: "Z"), Timestamp(rfc3339: text) != nil else {
            return nil
        }
        return date(String(text.prefix(10))) + " " + text.dropFirst(11).prefix(8)
    }

    /// Whether Excel may read a text as something else: one with a digit and with no words but those of dates, times
    /// and powers of ten. One too many is no harm: it stays what it is.
    private static func isConverted(_ text: String) -> Bool {
        // Excel knows no longer texts in formulas.
        guard text.utf8.count <= 255 else { return false }
        var words = text.lowercased().split { !$0.isLetter }.map(String.init)
        if words.count == 1, truths.contains(words[0]), text.utf8.count == words[0].utf8.count { return true }
        words.removeAll { dateWords.contains($0) || months.contains($0) }
        // `2026-11-30T10:00:00Z`, with seconds or without, in any zone.
        if CivilDate(String(text.prefix(10))) != nil { words.removeAll { $0 == "t" || $0 == "z" } }
        return words.isEmpty && text.contains(where: \.isNumber)
            && text.allSatisfy { $0.isNumber || $0.isLetter || $0.isCurrencySymbol || " +-.,:/%()'".contains($0) }
    }

    private static let truths: Set = ["true", "false", "wahr", "falsch"]
    private static let months: Set = [
        "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
        "december", "januar", "februar", "märz", "juni", "juli", "oktober", "dezember", "sept",
    ]
    private static let dateWords: Set = [
        "e", "a", "p", "am", "pm", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        "mär", "mrz", "mai", "okt", "dez",
    ]

    private func date(_ text: String) -> String {
        self == .excelGerman ? text.split(separator: "-").reversed().joined(separator: ".") : text
    }
}
