/// Credit in whole units, so that sums are exact in whatever order they are made.
enum CreditUnits {
    /// The credit of one event: 5 × 720720², where 720720 is the least common multiple of 1…16. So a split among up to 16
    /// touches, in fifths (the `position` model), of up to 16 refs each leaves no remainder.
    static let one: Int64 = 5 * 720_720 * 720_720

    /// The part of `units` that falls to the `index`-th of `count` equal shares, from 0. The parts sum to `units`; where
    /// it does not divide, they differ by at most one unit.
    static func share(_ index: Int, of count: Int, of units: Int64) -> Int64 {
        let (quotient, remainder) = units.quotientAndRemainder(dividingBy: Int64(count))
        return quotient + (Int64(index) < remainder ? 1 : 0)
    }
}
