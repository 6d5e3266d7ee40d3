extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits a byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
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
