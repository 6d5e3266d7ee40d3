import Foundation

/// Whether a sum of amounts, such as money, differs from sums of the same kind by more than they differ among each
/// other.
///
/// A few large amounts are most of the spread of a sum, and make it skewed. So sums are compared by their logarithms,
/// with a t-test for one further value. Their variance is never less than if all amounts were equal and only their
/// number a matter of chance (Poisson). `WatchSimulationTests` shows for which amounts that is good enough.
struct SumChange {
    /// How many times as likely a rise counts: one large amount makes a rise, and none a fall.
    private static let caution = 4.0

    /// The mean of the earlier sums.
    let mean: Double
    let pValue: Double
    /// The p-value that a sum of nothing would have had, as of counts: a logarithm knows no nothing.
    let pValueOfNothing: Double
    private let amount: Double
    private let centre: Double
    private let deviation: Double
    private let freedom: Double

    /// Nil for fewer than two earlier sums, or if these are of nothing.
    ///
    /// - Parameter events: how many amounts the earlier sums have.
    init?(_ sum: Double, after earlier: [Double], events: Double) {
        let all = earlier.reduce(0, +)
        guard earlier.count > 1, all > 0, events > 0 else { return nil }
        // In amounts of the mean size, sums are like counts.
        let amount = all / events
        let size = Double(earlier.count)
        guard let counts = CountChange(sum / amount, after: earlier.map { $0 / amount }) else { return nil }
        let values = earlier.map { Self.logarithm($0 / amount) }
        let centre = values.reduce(0, +) / size
        let variance = values.reduce(0) { $0 + ($1 - centre) * ($1 - centre) } / (size - 1)
        let deviation = (max(size / events, variance) * (1 + 1 / size)).squareRoot()
        mean = all / size
        let distance = (Self.logarithm(sum / amount) - centre) / deviation
        let chance = StudentT.twoSidedPValue(distance, freedom: size - 1)
        pValue = distance > 0 ? min(1, Self.caution * chance) : chance
        pValueOfNothing = counts.pValueOfNothing
        (self.amount, self.centre, self.deviation, freedom) = (amount, centre, deviation, size - 1)
    }

    /// The 95 % interval in which the sum was to be expected.
    var expected: (low: Double, high: Double) {
        let margin = StudentT.quantile(twoSided: significanceLevel, freedom: freedom) * deviation
        func sum(_ logarithm: Double) -> Double { max(0, exp(logarithm) - 0.375) * amount }
        return (sum(centre - margin), sum(centre + margin))
    }

    private static func logarithm(_ count: Double) -> Double { log(max(0, count) + 0.375) }
}
