import Foundation

/// Whether two rates differ by more than chance: the two-proportion z-test.
struct TwoProportionTest: Equatable {
    /// The 95 % interval of the difference a − b: Newcombe's hybrid score interval (R. G. Newcombe, "Interval
    /// estimation for the difference between independent proportions", Statistics in Medicine 17, 1998, method 10). It
    /// is never narrow only because nobody or everybody succeeded, and it stays within ±1.
    var low: Double
    var high: Double
    /// Two-sided, with the pooled variance. Nil if the variance is 0, because nobody or everybody succeeded.
    var pValue: Double?

    /// Nil if one of the two has no trials.
    ///
    /// - Parameter quantile: that of the interval.
    init?(
        successes: (a: Int64, b: Int64),
        trials: (a: Int64, b: Int64),
        quantile: Double = WilsonInterval.quantile
    ) {
        guard trials.a > 0, trials.b > 0 else { return nil }
        let rates = (a: Double(successes.a) / Double(trials.a), b: Double(successes.b) / Double(trials.b))
        let difference = rates.a - rates.b
        func variance(_ rate: Double, _ trials: Int64) -> Double { rate * (1 - rate) / Double(trials) }

        guard let a = WilsonInterval(successes: successes.a, trials: trials.a, quantile: quantile),
            let b = WilsonInterval(successes: successes.b, trials: trials.b, quantile: quantile)
        else { return nil }
        func margin(_ first: Double, _ second: Double) -> Double { (first * first + second * second).squareRoot() }
        low = difference - margin(rates.a - a.low, b.high - rates.b)
        high = difference + margin(a.high - rates.a, rates.b - b.low)

        let pooled = Double(successes.a + successes.b) / Double(trials.a + trials.b)
        let pooledVariance = variance(pooled, trials.a) + variance(pooled, trials.b)
        pValue = pooledVariance > 0 ? erfc(abs(difference) / pooledVariance.squareRoot() / 2.0.squareRoot()) : nil
    }
}
