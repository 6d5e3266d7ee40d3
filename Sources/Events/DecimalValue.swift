/// A money amount, exact: whole millionths of the currency's unit. Amounts with more than 6 decimals or above ±10^12 are
/// not accepted, so that sums of a billion of them cannot overflow.
package struct DecimalValue: Hashable, Sendable {
    package var millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }
}
