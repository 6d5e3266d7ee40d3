import Foundation

/// `successes` out of `trials`.
struct Proportion: Equatable {
    var successes: Int64
    var trials: Int64

    var rate: Double { Double(successes) / Double(trials) }
    /// The rate on a scale on which rates of as many trials spread alike.
    var angle: Double { 2 * asin(((Double(successes) + 0.375) / (Double(trials) + 0.75)).squareRoot()) }
}

/// Whether a rate differs from earlier ones by more than chance.
///
/// The test is Fisher's exact one of this period against all earlier ones together, as a mid-p-value (H. O. Lancaster,
/// "Significance tests in discrete distributions", Journal of the American Statistical Association 56, 1961). If the
/// earlier rates differ among each other more than the binomial distribution explains, their own spread is the
/// yardstick of a t-test instead.
struct ShareChange {
    /// All earlier periods together.
    let earlier: Proportion
    /// The 95 % interval of the difference to the earlier rate: Newcombe's.
    let difference: (low: Double, high: Double)
    let pValue: Double
    /// The p-value that no success at all would have had.
    let pValueOfNothing: Double

    /// The normal quantile beyond which the earlier rates are said to differ: one-sided, 5 %.
    private static let spreadQuantile = 1.6448536269514722

    /// Nil without trials, or with fewer than two earlier rates.
    init?(_ share: Proportion, after earlier: [Proportion]) {
        let periods = earlier.filter { $0.trials > 0 }
        let all = Proportion(
            successes: periods.reduce(0) { $0 + $1.successes },
            trials: periods.reduce(0) { $0 + $1.trials }
        )
        guard periods.count > 1,
            let test = TwoProportionTest(
                successes: (share.successes, all.successes),
                trials: (share.trials, all.trials)
            )
        else { return nil }
        self.earlier = all
        difference = (test.low, test.high)
        let spread = Self.spread(of: periods, around: all)
        func pValue(_ share: Proportion) -> Double {
            guard let spread else { return Self.exactPValue(share, all) }
            let variance = spread * (1 / Double(share.trials) + 1 / Double(all.trials))
            return StudentT.twoSidedPValue(
                (share.angle - all.angle) / variance.squareRoot(),
                freedom: Double(periods.count - 1)
            )
        }
        self.pValue = pValue(share)
        pValueOfNothing = pValue(Proportion(successes: 0, trials: share.trials))
    }

    /// How many times more the periods spread than the binomial distribution explains; nil if it explains the spread.
    private static func spread(of periods: [Proportion], around all: Proportion) -> Double? {
        let variance = all.rate * (1 - all.rate)
        guard variance > 0 else { return nil }
        let freedom = Double(periods.count - 1)
        let sum = periods.reduce(0.0) { sum, period in
            sum + Double(period.trials) * (period.rate - all.rate) * (period.rate - all.rate) / variance
        }
        // Wilson and Hilferty's normal approximation of the chi-square distribution.
        let scale = 2 / (9 * freedom)
        let normal = (cbrt(sum / freedom) - (1 - scale)) / scale.squareRoot()
        return normal > spreadQuantile ? sum / freedom : nil
    }

    /// The two-sided mid-p-value of Fisher's exact test: twice the smaller tail, with half of the chance of what was
    /// seen.
    static func exactPValue(_ share: Proportion, _ other: Proportion) -> Double {
        let (successes, trials) = (share.successes + other.successes, share.trials + other.trials)
        func logChoose(_ n: Int64, _ k: Int64) -> Double {
            lgamma(Double(n) + 1) - lgamma(Double(k) + 1) - lgamma(Double(n - k) + 1)
        }
        let chance = exp(
            logChoose(successes, share.successes)
                + logChoose(trials - successes, share.trials - share.successes) - logChoose(trials, share.trials)
        )
        func tail(_ step: Int64) -> Double {
            var (sum, term, seen) = (chance / 2, chance, share.successes)
            while true {
                // The ratio of neighbours of the hypergeometric distribution.
                let ratio: Double
                if step > 0 {
                    guard seen < successes, seen < share.trials else { break }
                    ratio =
                        Double(successes - seen) * Double(share.trials - seen)
                        / (Double(seen + 1) * Double(trials - successes - share.trials + seen + 1))
                } else {
                    guard seen > 0, trials - successes - share.trials + seen > 0 else { break }
                    ratio =
                        Double(seen) * Double(trials - successes - share.trials + seen)
                        / (Double(successes - seen + 1) * Double(share.trials - seen + 1))
                }
                term *= ratio
                sum += term
                seen += step
                // Beyond its mode, the distribution falls faster and faster.
                if ratio < 1, term < sum * 1e-15 { break }
            }
            return sum
        }
        return min(1, 2 * min(tail(-1), tail(1)))
    }
}
