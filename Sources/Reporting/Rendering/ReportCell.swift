/// One value of a report, exact to the digit that is shown.
package enum ReportCell: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    /// Up to 6 decimals, without trailing zeros.
    case decimal(millionths: Int128)
    /// Always 6 decimals.
    case fraction(millionths: Int64)
    /// A p-value, all its digits: `1e-12` is not 0.
    case probability(Double)
    case flag(Bool)
    /// No value: an undefined rate, for example.
    case empty

    /// A quotient with 6 decimals, or `empty` if the denominator is 0. Halves are rounded away from zero.
    static func fraction(_ numerator: some BinaryInteger, of denominator: some BinaryInteger) -> ReportCell {
        guard denominator != 0 else { return .empty }
        let millionths = roundedQuotient(Int128(numerator) * 1_000_000, by: Int128(denominator))
        return .fraction(millionths: Int64(clamping: millionths))
    }

    static func fraction(_ value: Double) -> ReportCell {
        guard value.isFinite else { return .empty }
        return .fraction(millionths: Int64((value * 1_000_000).rounded(.toNearestOrAwayFromZero)))
    }

    /// As shown in CSV and JSON; nil for `empty`.
    package var plainText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let millionths): Self.decimalText(millionths, decimals: 6, trimmed: true)
        case .fraction(let millionths): Self.decimalText(Int128(millionths), decimals: 6, trimmed: false)
        case .probability(let value): value.description
        case .flag(let isTrue): isTrue ? "true" : "false"
        case .empty: nil
        }
    }

    /// A p-value for people: `0.0284`; `<0.0001` if it rounds to 0.
    package static func shortText(ofProbability value: Double) -> String {
        let tenThousandths = Int128((value * 10_000).rounded(.toNearestOrAwayFromZero))
        return tenThousandths == 0 ? "<0.0001" : decimalText(tenThousandths, decimals: 4, trimmed: false)
    }

    /// A number given in units of its last decimal.
    static func decimalText(_ number: Int128, decimals: Int, trimmed: Bool) -> String {
        var one: UInt128 = 1
        for _ in 0..<decimals { one *= 10 }
        let (whole, fraction) = number.magnitude.quotientAndRemainder(dividingBy: one)
        var text = (number < 0 ? "-" : "") + String(whole)
        if trimmed, fraction == 0 { return text }
        // The leading 1 keeps the zeros after the point.
        var digits = String(fraction + one).dropFirst()
        while trimmed, digits.last == "0" { digits.removeLast() }
        text += "." + digits
        return text
    }
}

/// A quotient rounded to the nearest integer, halves away from zero. The denominator is not 0.
func roundedQuotient(_ numerator: Int128, by denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard remainder.magnitude >= denominator.magnitude - remainder.magnitude else { return quotient }
    return quotient + ((numerator < 0) == (denominator < 0) ? 1 : -1)
}
