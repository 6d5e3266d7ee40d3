package import Time

/// What a currency is worth in an app's from a day on (docs/money.md): one unit of it is worth `numerator` ÷
/// `denominator` units of the app's. Both are above 0.
package struct ExchangeRate: Equatable, Sendable {
    /// ISO 4217.
    package var currency: String
    package var day: CivilDate
    package var numerator: Int64
    package var denominator: Int64

    package init(currency: String, day: CivilDate, numerator: Int64, denominator: Int64) {
        self.currency = currency
        self.day = day
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The quotient with up to 12 decimals, for people.
    package var text: String {
        guard denominator > 0 else { return "" }
        let decimals = 12
        let one = Int128(1_000_000_000_000)
        let (whole, rest) = Int128(numerator).quotientAndRemainder(dividingBy: Int128(denominator))
        let fraction = (rest * one + Int128(denominator) / 2) / Int128(denominator)
        let (shown, digits) = fraction == one ? (whole + 1, "") : (whole, fraction == 0 ? "" : String(fraction))
        guard !digits.isEmpty else { return String(shown) }
        var padded = String(repeating: "0", count: decimals - digits.utf8.count) + digits
        while padded.hasSuffix("0") { padded.removeLast() }
        return "\(shown).\(padded)"
    }
}
