import Text

/// A money amount: whole millionths of the currency's unit, within ±10^12, so that sums of a billion of them cannot
/// overflow.
package struct DecimalValue: Hashable, Sendable {
    package var millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }
}

extension DecimalValue: LosslessStringConvertible {
    /// Reads a spelling such as `12.50`, `-3` or `1.2e3`.
    ///
    /// Fractions of a millionth are rounded, halves away from zero: programs that add binary fractions send
    /// `0.30000000000000004`. Nil if the text is not a decimal number or is outside of ±10^12.
    package init?(_ spelling: String) {
        var spelling = spelling
        guard let millionths = spelling.withUTF8({ Self.millionths(of: $0) }) else { return nil }
        self.init(millionths: millionths)
    }

    private static let limit: UInt64 = 1_000_000_000_000_000_000

    private static func millionths(of bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var position = start
        var digits = 0
        var point: Int?
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "."), point == nil, digits > 0 {
                point = digits
            } else if bytes[position].decimalValue != nil {
                digits += 1
            } else {
                break
            }
            position += 1
        }
        guard digits > 0, point != digits else { return nil }
        guard let exponent = Self.exponent(of: bytes[position...]) else { return nil }
        // How many digits count millionths or more. Digits after the spelling are zeros.
        let kept = (point ?? digits) + exponent + 6
        guard let magnitude = magnitude(of: bytes[start..<position], digits: kept) else { return nil }
        return isNegative ? -Int64(magnitude) : Int64(magnitude)
    }

    /// The number that the first `kept` digits spell, rounded by the next digit; nil above the limit.
    private static func magnitude(of bytes: Slice<UnsafeBufferPointer<UInt8>>, digits kept: Int) -> UInt64? {
        var magnitude: UInt64 = 0
        var count = 0
        for byte in bytes {
            guard let digit = byte.decimalValue else { continue }
            if count >= kept {
                if count == kept, digit >= 5 { magnitude += 1 }
                return magnitude <= limit ? magnitude : nil
            }
            magnitude = magnitude * 10 + UInt64(digit)
            guard magnitude <= limit else { return nil }
            count += 1
        }
        while count < kept, magnitude > 0 {
            magnitude *= 10
            guard magnitude <= limit else { return nil }
            count += 1
        }
        return magnitude
    }

    /// The power of ten in an exponent such as `e-6`; 0 if the text is empty; nil if it is not an exponent.
    private static func exponent(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let mark = bytes.first else { return 0 }
        guard mark.lowercasedASCII == UInt8(ascii: "e") else { return nil }
        var rest = bytes.dropFirst()
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        var exponent = 0
        for byte in rest {
            guard let digit = byte.decimalValue else { return nil }
            // Larger exponents are out of range anyway; the limit prevents an overflow.
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
