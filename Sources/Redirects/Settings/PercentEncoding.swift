import Text

/// Percent-encoding (RFC 3986 section 2.1).
enum PercentEncoding {
    /// Every byte but letters, digits, `-`, `.`, `_` and `~` is encoded.
    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text as a header or an attribute may hold it: blanks, control characters and bytes outside of ASCII are
    /// encoded. Everything else stays as it is.
    static func headerSafe(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x21...0x7E ~= $0) }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if 0x21...0x7E ~= byte { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        if byte.isASCIILetter || byte.isASCIIDigit { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return true
        default: return false
        }
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        let digits: StaticString = "0123456789ABCDEF"
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits.utf8Start[Int(byte >> 4)])
        bytes.append(digits.utf8Start[Int(byte & 15)])
    }
}
