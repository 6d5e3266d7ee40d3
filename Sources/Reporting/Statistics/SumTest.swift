import Foundation

/// A sum over the people of a range, as far as a test asks how much chance moves it.
struct PeopleSum {
    var sum: Double
    /// The sum of the squares of what each person adds.
    var squares: Double
    /// How long the range is.
    var length: Double
}

/// Whether two sums over people differ by more than chance. People come at random, and each of them brings something:
/// the sums are compound Poisson sums, and the squares of what each person brings add up to their variances.
enum SumTest {
    /// So many steps are enough for sums of a hundred million.
    private static let steps = 10_000

    /// For counts: given both together, one of two Poisson counts is binomial (J. Przyborowski and H. Wilenski,
    /// "Homogeneity of results in testing samples from Poisson series", Biometrika 31, 1940). The two-sided
    /// mid-p-value: twice the smaller tail, with half of the chance of what was seen. If people bring several each, or
    /// parts, the counts are first divided by their variance in units of their mean, as in quasi-Poisson models.
    ///
    /// Nil without any.
    static func pValue(ofCounts one: PeopleSum, _ other: PeopleSum) -> Double? {
        let squares = one.squares + other.squares
        guard squares > 0, one.sum + other.sum > 0, one.length > 0, other.length > 0 else { return nil }
        let spread = squares / (one.sum + other.sum)
        let (a, b) = (one.sum / spread, other.sum / spread)
        let share = one.length / (one.length + other.length)
        /// The chance that the first count is as large or larger.
        func upperTail(_ a: Double, _ b: Double, _ share: Double) -> Double {
            let least = a > 0 ? StudentT.regularizedBeta(share, a, b + 1, steps: steps) : 1
            let more = b > 0 ? StudentT.regularizedBeta(share, a + 1, b, steps: steps) : 0
            return (least + more) / 2
        }
        return min(1, 2 * min(upperTail(a, b, share), upperTail(b, a, 1 - share)))
    }

    /// For amounts, which may be negative: a z-test of the sums in equal times.
    ///
    /// Nil without any.
    static func pValue(ofAmounts one: PeopleSum, _ other: PeopleSum) -> Double? {
        guard one.squares + other.squares > 0, one.length > 0, other.length > 0 else { return nil }
        let ratio = one.length / other.length
        let deviation = (one.squares + other.squares * ratio * ratio).squareRoot()
        return erfc(abs(one.sum - other.sum * ratio) / deviation / 2.0.squareRoot())
    }
}
