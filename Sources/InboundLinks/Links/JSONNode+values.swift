import JSONReading
import Text

extension JSONNode {
    /// The text of a string; nil if it is empty or contains U+0000, which PostgreSQL cannot store.
    var filledText: String? {
        guard let text = string, !text.isEmpty, !text.utf8.contains(0) else { return nil }
        return text
    }

    /// An id: a string as it is, leading zeros included, or a number as its decimal string.
    var identifier: String? {
        filledText ?? number.map { DecimalSpelling.of($0) }
    }

    /// Whether the value is not null, false, 0 or empty.
    var isFilled: Bool {
        switch kind {
        case .null, .false: false
        case .true, .invalidString: true
        case .number: number.map { DecimalSpelling.of($0) } != "0"
        case .string: string?.isEmpty == false
        case .array, .object: count > 0
        }
    }

    /// Whether the value means yes: it is filled, and is not a word for no.
    var isTruthy: Bool {
        string.map { Truth.isTruthy($0) } ?? isFilled
    }

    /// The refs in one comma-separated string, or in an array of such strings.
    var refs: [String] {
        if let text = filledText { return text.commaSeparated }
        return kind == .array ? elements.flatMap { $0.filledText?.commaSeparated ?? [] } : []
    }
}

enum Truth {
    /// Whether a parameter's value means yes: everything but the words for no.
    static func isTruthy(_ text: String) -> Bool {
        switch text.trimmed.lowercasedASCII {
        case "", "0", "false", "no", "off", "null", "nil", "undefined": false
        default: true
        }
    }
}

enum DecimalSpelling {
    /// The decimal digits of a JSON number: `414127799907383` stays the same, `4e2` becomes `400`, `5.0` becomes `5`. A
    /// number that is not whole keeps its spelling.
    static func of(_ number: String) -> String {
        guard number.utf8.contains(where: { !$0.isASCIIDigit }) else { return number }
        if let whole = Int64(number) { return String(whole) }
        guard let value = Double(number), value.rounded() == value, value.magnitude < 0x1p53 else { return number }
        return String(Int64(value))
    }
}
