/// Base64 as HTTP headers have it (RFC 4648 section 4).
enum Base64 {
    /// The decoded bytes; nil if the text is not Base64. Padding may be absent.
    static func bytes(of text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var gathered: UInt32 = 0
        var bits = 0
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let padding = text.utf8.count - digits.count
        guard padding == 0 ? digits.count % 4 != 1 : padding <= 2 && (digits.count + padding) % 4 == 0 else {
            return nil
        }
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            gathered = gathered << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: gathered >> UInt32(bits)))
            }
        }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
