import Foundation
import Timelines

/// p-values adjusted for their number, by Holm's step-down method (S. Holm, "A simple sequentially rejective multiple
/// test procedure", Scandinavian Journal of Statistics 6, 1979). The chance of even one false alarm among all of them
/// stays below the level that an adjusted value is compared with.
///
/// The smallest of m values is multiplied by m, the next by m − 1 and so on. None is smaller than the one before, and
/// none is above 1. A single value does not change.
///
/// - Returns: the adjusted values, in the order of `pValues`.
func holmAdjusted(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var atLeast = 0.0
    for (rank, position) in pValues.indices.sorted(by: { pValues[$0] < pValues[$1] }).enumerated() {
        atLeast = max(atLeast, min(1, pValues[position] * Double(pValues.count - rank)))
        adjusted[position] = atLeast
    }
    return adjusted
}

/// The same if some tests have no p-value. These do not count as tests.
func holmAdjusted(_ pValues: [Double?]) -> [Double?] {
    var adjusted = holmAdjusted(pValues.compactMap { $0 })[...]
    return pValues.map { $0 == nil ? nil : adjusted.popFirst() }
}

extension TwoProportionTest {
    /// Some tests, corrected for their number by Holm's method: the p-values, and the intervals at the levels at which
    /// the method holds the p-values against chance. So an interval and its p-value mostly say the same.
    ///
    /// Of m values, the smallest is held against 0.05 ÷ m, the next against 0.05 ÷ (m − 1) and so on. The method stops
    /// at the first that is not below its level; all others are held against the same level.
    ///
    /// - Parameter pairs: the two rates of each test.
    /// - Returns: the corrected tests; nil for a pair that lacks trials.
    static func corrected(_ pairs: [(a: Proportion, b: Proportion)?]) -> [TwoProportionTest?] {
        func test(_ pair: (a: Proportion, b: Proportion), quantile: Double) -> TwoProportionTest? {
            TwoProportionTest(
                successes: (pair.a.successes, pair.b.successes),
                trials: (pair.a.trials, pair.b.trials),
                quantile: quantile
            )
        }
        let pValues = pairs.map { pair in pair.flatMap { test($0, quantile: WilsonInterval.quantile)?.pValue } }
        let adjusted = holmAdjusted(pValues)
        let tested = pValues.compactMap(\.self).sorted()
        func level(_ pValue: Double) -> Double {
            0.05 / Double(tested.count - tested.firstPosition { $0 >= pValue })
        }
        let kept = tested.first { $0 >= level($0) } ?? .infinity
        var quantiles: [Double: Double] = [:]
        return pairs.indices.map { index in
            guard let pair = pairs[index] else { return nil }
            guard let pValue = pValues[index] else { return test(pair, quantile: WilsonInterval.quantile) }
            let chance = level(min(pValue, kept))
            let quantile = quantiles[chance] ?? normalQuantile(twoSided: chance)
            quantiles[chance] = quantile
            var corrected = test(pair, quantile: quantile)
            corrected?.pValue = adjusted[index]
            return corrected
        }
    }

    /// What a standard normal value exceeds, away from 0, with a chance.
    private static func normalQuantile(twoSided chance: Double) -> Double {
        // The constant has all digits, and a single test does not change.
        guard chance != 0.05 else { return WilsonInterval.quantile }
        var (low, high) = (0.0, 40.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) > chance { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
