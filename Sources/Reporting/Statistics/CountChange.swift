import Foundation

/// Whether a count differs from counts of the same kind by more than they differ among each other.
///
/// Counts are compared as 2·√(count + ⅜), whose variance is about 1 for Poisson counts of any size (F. J. Anscombe,
/// "The transformation of Poisson, binomial and negative-binomial data", Biometrika 35, 1948). The variance of the
/// earlier counts, and never less than that of a Poisson distribution, is the yardstick of a t-test for one further
/// value.
struct CountChange {
    /// The mean of the earlier counts.
    let mean: Double
    let pValue: Double
    /// The p-value that no events at all would have had.
    let pValueOfNothing: Double
    private let centre: Double
    private let deviation: Double
    private let freedom: Double

    /// Nil for fewer than two earlier counts.
    init?(_ count: Double, after earlier: [Double]) {
        guard earlier.count > 1 else { return nil }
        let values = earlier.map(Self.root)
        let size = Double(values.count)
        let centre = values.reduce(0, +) / size
        let variance = values.reduce(0) { $0 + ($1 - centre) * ($1 - centre) } / (size - 1)
        let deviation = (max(1, variance) * (1 + 1 / size)).squareRoot()
        func pValue(_ count: Double) -> Double {
            StudentT.twoSidedPValue((Self.root(count) - centre) / deviation, freedom: size - 1)
        }
        mean = earlier.reduce(0, +) / size
        self.pValue = pValue(count)
        pValueOfNothing = pValue(0)
        (self.centre, self.deviation, freedom) = (centre, deviation, size - 1)
    }

    /// The 95 % interval in which the count was to be expected.
    var expected: (low: Double, high: Double) {
        let margin = StudentT.quantile(twoSided: significanceLevel, freedom: freedom) * deviation
        return (Self.count(ofRoot: centre - margin), Self.count(ofRoot: centre + margin))
    }

    /// A count on a scale on which all counts spread alike.
    static func root(_ count: Double) -> Double { 2 * (max(0, count) + 0.375).squareRoot() }

    private static func count(ofRoot root: Double) -> Double {
        let half = max(0, root) / 2
        return max(0, half * half - 0.375)
    }
}
