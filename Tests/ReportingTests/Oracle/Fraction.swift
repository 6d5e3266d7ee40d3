extension Oracle {
    /// An exact fraction, so that no rate, credit or value of the oracle depends on the order of a summation.
    struct Fraction: Hashable, Comparable {
        let numerator: Int128
        /// Above zero, and without a divisor common to the numerator.
        let denominator: Int128

        static let zero = Fraction(0)
        static let one = Fraction(1)

        init(_ numerator: Int128, _ denominator: Int128 = 1) {
            precondition(denominator != 0, "a fraction with denominator 0")
            let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
            let sign: Int128 = denominator < 0 ? -1 : 1
            self.numerator = sign * numerator / Int128(divisor)
            self.denominator = sign * denominator / Int128(divisor)
        }

        init(_ count: Int) {
            self.init(Int128(count))
        }

        /// Of a cell; nil if it is empty.
        init?(text: String) {
            let parts = text.split(separator: ".", maxSplits: 1)
            let decimals = parts.count == 2 ? parts[1] : ""
            guard let whole = parts.first, let digits = Int128(whole + decimals) else { return nil }
            self.init(digits, decimals.reduce(Int128(1)) { power, _ in power * 10 })
        }

        private static func greatestCommonDivisor(_ first: UInt128, _ second: UInt128) -> UInt128 {
            second == 0 ? max(first, 1) : greatestCommonDivisor(second, first % second)
        }

        static func + (left: Fraction, right: Fraction) -> Fraction {
            let divisor = Int128(greatestCommonDivisor(left.denominator.magnitude, right.denominator.magnitude))
            return Fraction(
                left.numerator * (right.denominator / divisor) + right.numerator * (left.denominator / divisor),
                left.denominator / divisor * right.denominator
            )
        }

        static func - (left: Fraction, right: Fraction) -> Fraction {
            left + Fraction(-right.numerator, right.denominator)
        }

        static func * (left: Fraction, right: Fraction) -> Fraction {
            let crossed = Fraction(left.numerator, right.denominator)
            let other = Fraction(right.numerator, left.denominator)
            return Fraction(crossed.numerator * other.numerator, crossed.denominator * other.denominator)
        }

        static func / (left: Fraction, right: Fraction) -> Fraction {
            left * Fraction(right.denominator, right.numerator)
        }

        static func < (left: Fraction, right: Fraction) -> Bool {
            (left - right).numerator < 0
        }

        static func sum(_ fractions: some Sequence<Fraction>) -> Fraction {
            fractions.reduce(.zero, +)
        }

        var double: Double {
            Double(numerator) / Double(denominator)
        }

        /// ⌊millionths + ½⌋: half up, towards positive infinity.
        var millionthsHalfUp: Int128 {
            let doubled = 2 * denominator
            let scaled = 2_000_000 * numerator + denominator
            let quotient = scaled / doubled
            return scaled % doubled < 0 ? quotient - 1 : quotient
        }
    }
}
