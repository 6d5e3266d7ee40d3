package import Time
import Text

/// `fb_click_time_utc`: seconds since 1970. Numbers from 10^11 on are milliseconds, from 10^14 on microseconds.
package enum ClickTime {
    /// 2008-07-10: before, no store was open, and nobody tapped. An earlier time means that none is known.
    package static let earliest = Timestamp(microseconds: 1_215_648_000_000_000)

    /// Nil if the text is not a time, or one before ``earliest``.
    static func read(_ text: String) -> Timestamp? {
        time(text).flatMap { $0 < earliest ? nil : $0 }
    }

    private static func time(_ text: String) -> Timestamp? {
        var whole: Int64 = 0
        var digits = 0
        var fraction: Int64 = 0
        var fractionUnit: Int64 = 100_000
        var inFraction = false
        for byte in text.trimmed.utf8 {
            if byte == UInt8(ascii: "."), !inFraction, digits > 0 {
                inFraction = true
                continue
            }
            guard byte.isASCIIDigit else { return nil }
            let digit = Int64(byte - UInt8(ascii: "0"))
            if inFraction {
                fraction += digit * fractionUnit
                fractionUnit /= 10
            } else {
                digits += 1
                guard digits <= 17 else { return nil }
                whole = whole * 10 + digit
            }
        }
        switch whole {
        case 1..<100_000_000_000: return Timestamp(microseconds: whole * 1_000_000 + fraction)
        case 100_000_000_000..<100_000_000_000_000: return Timestamp(microseconds: whole * 1_000)
        case 100_000_000_000_000...: return Timestamp(microseconds: whole)
        default: return nil
        }
    }
}
