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

/// Below it, a p-value says that chance alone would rarely cause a difference; intervals are of 1 minus it.
let significanceLevel = 0.05

/// A test of the difference of two rates or means.
protocol DifferenceTest {
    /// The interval of the difference a − b.
    var low: Double { get }
    var high: Double { get }
    /// Nil if it is undefined.
    var pValue: Double? { get set }
}

/// Some tests, corrected for their number by Holm's method: the p-values, and the intervals at the levels at which the
/// method holds the p-values against chance. So an interval and its p-value mostly say the same.
///
/// Of m values, the smallest is held against 0.05 ÷ m, the next against 0.05 ÷ (m − 1) and so on. The method stops at
/// the first that is not below its level; all others are held against the same level.
///
/// - Parameter tests: each makes a test with an interval outside of which the difference lies with a chance; nil for
///   one that must not be made.
func holmCorrected<Test: DifferenceTest>(_ tests: [((_ chance: Double) -> Test?)?]) -> [Test?] {
    let pValues = tests.map { test in test.flatMap { $0(significanceLevel)?.pValue } }
    let adjusted = holmAdjusted(pValues)
    let tested = pValues.compactMap(\.self).sorted()
    func level(_ pValue: Double) -> Double {
        significanceLevel / Double(tested.count - tested.firstPosition { $0 >= pValue })
    }
    let kept = tested.first { $0 >= level($0) } ?? .infinity
    return tests.indices.map { index in
        guard let pValue = pValues[index] else { return tests[index]?(significanceLevel) }
        var corrected = tests[index]?(level(min(pValue, kept)))
        corrected?.pValue = adjusted[index]
        return corrected
    }
}

extension TwoProportionTest: DifferenceTest {
    /// - Parameter chance: with which the difference lies outside the interval.
    init?(_ a: Proportion, _ b: Proportion, chance: Double) {
        self.init(
            successes: (a.successes, b.successes),
            trials: (a.trials, b.trials),
            quantile: Self.normalQuantile(twoSided: chance)
        )
    }

    /// Tests that are corrected together (``holmCorrected(_:)``).
    ///
    /// - Parameter pairs: the two rates of each test.
    /// - Returns: the corrected tests; nil for a pair that lacks trials.
    static func corrected(_ pairs: [(a: Proportion, b: Proportion)?]) -> [TwoProportionTest?] {
        holmCorrected(
            pairs.map { pair in
                pair.map { pair in { chance in TwoProportionTest(pair.a, pair.b, chance: chance) } }
            }
        )
    }

    /// What a standard normal value exceeds, away from 0, with a chance.
    private static func normalQuantile(twoSided chance: Double) -> Double {
        // The constant has all digits, and a single test does not change.
        guard chance != significanceLevel else { return WilsonInterval.quantile }
        var (low, high) = (0.0, 40.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) > chance { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
