/// The Wilson score interval of a proportion.
struct WilsonInterval: Equatable {
    /// The 97.5 % quantile of the standard normal distribution.
    static let quantile = 1.959963984540054

    var low: Double
    var high: Double

    /// Nil if there were no trials.
    ///
    /// - Parameter quantile: of the standard normal distribution. The interval is that of 95 % unless told otherwise.
    init?(successes: Int64, trials: Int64, quantile: Double = Self.quantile) {
        guard trials > 0 else { return nil }
        let count = Double(trials)
        let rate = Double(successes) / count
        let square = quantile * quantile
        let centre = (rate + square / (2 * count)) / (1 + square / count)
        let margin =
            quantile / (1 + square / count)
            * (rate * (1 - rate) / count + square / (4 * count * count)).squareRoot()
        // If none or all succeeded, one end is exact, and floating point would miss it slightly.
        low = successes == 0 ? 0 : max(0, centre - margin)
        high = successes == trials ? 1 : min(1, centre + margin)
    }
}
