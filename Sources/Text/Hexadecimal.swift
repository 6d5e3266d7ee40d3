extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits a byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension [UInt8] {
    /// The bytes of two hexadecimal digits each, in any case; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[start], let low = digits[start + 1] else { return nil }
            append(high << 4 | low)
        }
    }
}

extension UInt8 {
    /// The byte as a URL has it where it may not stand itself: `%C3`.
    package var percentEscape: String {
        (self < 16 ? "%0" : "%") + String(self, radix: 16, uppercase: true)
    }
}

extension UInt16 {
    /// The code unit of UTF-16 as JSON may write it: `\u00e9`.
    package var unicodeEscape: String {
        let digits = String(self, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
