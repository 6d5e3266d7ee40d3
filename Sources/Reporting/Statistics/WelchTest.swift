/// A count of each of several units: how many units there are, and what their counts add up to.
struct UnitCounts: Equatable {
    private(set) var units: Int64 = 0
    private(set) var sum: Int64 = 0
    private(set) var squares: Int128 = 0

    init() {}

    init(units: Int64, sum: Int64) { (self.units, self.sum) = (units, sum) }

    mutating func add(_ count: Int64) {
        units += 1
        sum += count
        squares += Int128(count) * Int128(count)
    }

    static func += (counts: inout UnitCounts, other: UnitCounts) {
        counts.units += other.units
        counts.sum += other.sum
        counts.squares += other.squares
    }

    /// Where every count is 0 or 1.
    var proportion: Proportion { Proportion(successes: sum, trials: units) }
    var mean: Double { Double(sum) / Double(units) }
    /// Of the mean; nil for fewer than two units.
    fileprivate var variance: Double? {
        guard units > 1 else { return nil }
        let spread = Int128(units) * squares - Int128(sum) * Int128(sum)
        return Double(spread) / Double(units) / Double(units) / Double(units - 1)
    }
}

/// Whether two means differ by more than chance: Welch's t-test (B. L. Welch, "The generalization of Student's problem
/// when several different population variances are involved", Biometrika 34, 1947).
struct WelchTest: DifferenceTest {
    var low: Double
    var high: Double
    var pValue: Double?

    /// Nil if one of the two has fewer than two units, or if no count differs from those beside it.
    ///
    /// - Parameter chance: with which the difference lies outside the interval.
    init?(_ a: UnitCounts, _ b: UnitCounts, chance: Double) {
        guard let ofA = a.variance, let ofB = b.variance, ofA + ofB > 0 else { return nil }
        let variance = ofA + ofB
        let freedom =
            variance * variance / (ofA * ofA / Double(a.units - 1) + ofB * ofB / Double(b.units - 1))
        let difference = a.mean - b.mean
        let margin = StudentT.quantile(twoSided: chance, freedom: freedom) * variance.squareRoot()
        (low, high) = (difference - margin, difference + margin)
        pValue = StudentT.twoSidedPValue(difference / variance.squareRoot(), freedom: freedom)
    }
}
