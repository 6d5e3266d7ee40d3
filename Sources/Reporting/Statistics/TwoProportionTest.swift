import Foundation

/// Whether two rates differ by more than chance: the two-proportion z-test.
struct TwoProportionTest: Equatable {
    /// The 95 % interval of the difference a − b. Each rate has its own variance. Not limited to ±1.
    var low: Double
    var high: Double
    /// Two-sided, with the pooled variance. Nil if the variance is 0, because nobody or everybody succeeded.
    var pValue: Double?

    /// Nil if one of the two has no trials.
    init?(successes: (a: Int64, b: Int64), trials: (a: Int64, b: Int64)) {
        guard trials.a > 0, trials.b > 0 else { return nil }
        let rates = (a: Double(successes.a) / Double(trials.a), b: Double(successes.b) / Double(trials.b))
        let difference = rates.a - rates.b
        func variance(_ rate: Double, _ trials: Int64) -> Double { rate * (1 - rate) / Double(trials) }

        let margin =
            WilsonInterval.quantile * (variance(rates.a, trials.a) + variance(rates.b, trials.b)).squareRoot()
        low = difference - margin
        high = difference + margin

        let pooled = Double(successes.a + successes.b) / Double(trials.a + trials.b)
        let pooledVariance = variance(pooled, trials.a) + variance(pooled, trials.b)
        pValue = pooledVariance > 0 ? erfc(abs(difference) / pooledVariance.squareRoot() / 2.0.squareRoot()) : nil
    }
}
