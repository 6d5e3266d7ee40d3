/// Credit in whole units, so that sums are exact and do not depend on their order.
enum CreditUnits {
    /// The credit of one event: 5 × 720720², where 720720 is the least common multiple of 1…16. So splitting it among
    /// up to 16 touches, in fifths (the `position` model), and among up to 16 refs each leaves no remainder.
    static let one: Int64 = 5 * 720_720 * 720_720

    /// The `index`-th of `count` equal shares of `units`, from 0. The shares sum to `units`. If `units` is not
    /// divisible, they differ by at most one unit.
    static func share(_ index: Int, of count: Int, of units: Int64) -> Int64 {
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Int64(count))
        return quotient + (Int64(index) < remainder ? 1 : 0)
    }
}
