/// Exact sums of credits: how many, and their value.
///
/// With amounts of at most 10^12 (see `DecimalValue`), more than sixty million conversions of the highest amount fit.
struct CreditSum: Equatable, Sendable {
    /// In `CreditUnits`.
    var units: Int128 = 0
    /// In millionths of the currency × `CreditUnits`.
    var value: Int128 = 0

    /// - Parameter value: the value of the whole event, in millionths of the currency.
    mutating func add(units: Int64, value: Int64) {
        self.units += Int128(units)
        // Multiplying two 64-bit numbers gives 128 bits.
        if value != 0 { self.value += Int128(units) &* Int128(value) }
    }

    static func += (sum: inout CreditSum, other: CreditSum) {
        sum.units += other.units
        sum.value += other.value
    }

    /// The number of events, in millionths.
    var millionths: Int128 { roundedQuotient(units * 1_000_000, by: Int128(CreditUnits.one)) }

    var unitsCell: ReportCell { .decimal(millionths: millionths) }

    /// The value, in millionths.
    var valueMillionths: Int128 { roundedQuotient(value, by: Int128(CreditUnits.one)) }

    var valueCell: ReportCell { .decimal(millionths: valueMillionths) }
}
