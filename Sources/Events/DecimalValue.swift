/// A money amount, exact: whole millionths of the currency's unit. Amounts with more than 6 decimals or above ±10^12 are
/// not accepted, so that sums of a billion of them cannot overflow.
package struct DecimalValue: Hashable, Sendable {
    package var millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }
}

extension DecimalValue: LosslessStringConvertible {
    /// Reads a spelling such as `12.50`, `-3` or `1.2e3`, exactly.
    ///
    /// Digits may stand after the point without end as long as the amount is a whole number of millionths
    /// (`1.0000000` is one). Nil for what is no decimal number, has smaller parts or is above ±10^12.
    package init?(_ spelling: String) {
        var spelling = spelling
        guard let millionths = spelling.withUTF8({ Self.millionths(of: $0) }) else { return nil }
        self.init(millionths: millionths)
    }

    private static let limit: UInt64 = 1_000_000_000_000_000_000

    private static func millionths(of bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var position = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { position += 1 }

        // The amount is `significand` × 10^(pending zeros − fraction digits + exponent).
        var significand: UInt64 = 0
        var pendingZeros = 0
        var fractionDigits = 0
        var isTooLong = false
        var digits = 0
        var point: Int?
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "."), point == nil, digits > 0 {
                point = digits
            } else if let digit = bytes[position].decimalDigit {
                digits += 1
                if point != nil { fractionDigits += 1 }
                if digit == 0 {
                    pendingZeros += significand == 0 ? 0 : 1
                } else {
                    // An amount in range has at most 18 significant digits.
                    for _ in 0..<min(pendingZeros + 1, 20) where significand <= limit {
                        significand *= 10
                    }
                    significand += UInt64(digit)
                    isTooLong = isTooLong || significand > limit
                    pendingZeros = 0
                }
            } else {
                break
            }
            position += 1
        }
        guard digits > 0, point != digits else { return nil }
        guard let exponent = Self.exponent(of: bytes[position...]) else { return nil }
        guard significand > 0 else { return 0 }
        var power = pendingZeros - fractionDigits + exponent + 6
        guard !isTooLong, power >= 0, power <= 18 else { return nil }
        while power > 0, significand <= limit {
            significand *= 10
            power -= 1
        }
        guard significand <= limit else { return nil }
        return isNegative ? -Int64(significand) : Int64(significand)
    }

    /// The power of ten of `e-6` and the like, 0 where nothing is left to read, nil where it is something else.
    private static func exponent(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let mark = bytes.first else { return 0 }
        guard mark.lowercasedASCII == UInt8(ascii: "e") else { return nil }
        var rest = bytes.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        var exponent = 0
        for byte in rest {
            guard let digit = byte.decimalDigit else { return nil }
            // Far outside of every amount already; kept from overflowing.
            if exponent < 1_000_000 { exponent = exponent * 10 + Int(digit) }
        }
        return isNegative ? -exponent : exponent
    }

    /// The shortest plain spelling: `12.5`, `-3`, `0`. PostgreSQL's `numeric` reads it.
    package var description: String {
        let magnitude = millionths.magnitude
        let (units, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var text = (millionths < 0 ? "-" : "") + String(units)
        if fraction > 0 {
            var digits = String(fraction)
            digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
            while digits.hasSuffix("0") { digits.removeLast() }
            text += "." + digits
        }
        return text
    }
}
