import InboundLinks
import JSONReading
import Text
import Time

/// How libraries write the time of a tap that they do not know: an empty text, a word, 0, or the beginning of their
/// calendar (`1970-01-01`, `0001-01-01`, `0000-00-00`), which need not be a valid time.
enum UnknownTime {
    static let isEarly = "it is before 2008-07-10, when no store was open"

    /// Why a value says that no time is known, as the end of a sentence; nil if it may be a time.
    static func reason(_ node: JSONNode) -> String? {
        switch node.kind {
        case .number: return isEarly(seconds: node.number ?? "") ? isEarly : nil
        case .string:
            let text = (node.string ?? "").trimmedOfBlanks
            if text.isEmpty { return "it is empty" }
            if isEarly(seconds: String(text)) || year(of: text).map({ $0 < 2008 }) == true { return isEarly }
            return JunkID.matches(String(text)) ? "it stands for a time that is not known" : nil
        case .null, .true, .false, .invalidString, .array, .object: return nil
        }
    }

    /// Whether a number is before ``ClickTime/earliest`` as seconds, and so in smaller units, too.
    private static func isEarly(seconds: String) -> Bool {
        Double(seconds).map { $0 < Double(ClickTime.earliest.microseconds / 1_000_000) } ?? false
    }

    /// The year of a text that begins as a date does, `-0001-11-30` too.
    private static func year(of text: Substring) -> Int? {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard digits.dropFirst(4).first == UInt8(ascii: "-"), digits.prefix(4).allSatisfy(\.isASCIIDigit),
            let year = Int(Substring(digits.prefix(4)))
        else { return nil }
        return text.utf8.first == UInt8(ascii: "-") ? -year : year
    }
}
