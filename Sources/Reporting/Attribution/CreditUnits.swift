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

    /// What one row gets of the credit of one event with `--where`: by ref, each row the share of its ref; otherwise
    /// the one row what is kept of all refs.
    ///
    /// - Parameters:
    ///   - count: among how many rows the credit is divided, kept or not.
    ///   - kept: what is kept of the whole credit (`EventMatcher.kept`).
    static func share(_ index: Int, of count: Int, keeping kept: Int64) -> Int64 {
        count == 1 ? kept : share(index, of: count, of: one)
    }

    /// A part of a whole as a decimal. Parts are differences of rounded running sums, so they sum exactly to the whole.
    ///
    /// - Parameters:
    ///   - whole: has `wholeDecimals` decimals.
    ///   - given: the units of the parts before this one.
    static func part(
        of whole: Int128,
        from given: Int64,
        units: Int64,
        decimals: Int,
        whole wholeDecimals: Int = 0
    ) -> String {
        var scale: Int128 = 1
        for _ in wholeDecimals..<decimals { scale *= 10 }
        func upTo(_ units: Int64) -> Int128 {
            roundedQuotient(whole * Int128(units) * scale, by: Int128(one))
        }
        return ReportCell.decimalText(upTo(given + units) - upTo(given), decimals: decimals, trimmed: true)
    }
}
