/// Whether a figure of a range of days differs from that of the range before by more than chance.
package enum ChangeTest {
    /// A count: a paired t-test of the counts of single periods, each beside that of the same weekday before, on the
    /// scale of ``CountChange``. Their differences never spread less than those of Poisson counts.
    ///
    /// - Parameter change: of the whole ranges. If the periods changed in the other direction, the test tells nothing.
    case counts([(now: Double, before: Double)], change: Double)
    /// A rate: the two-proportion test of `compare`.
    case shares(now: (part: Int64, whole: Int64), before: (part: Int64, whole: Int64))

    /// Of fewer pairs of periods, nothing is said.
    package static let fewestPairs = Watch.fewestWeeks

    /// Nil if it cannot be told.
    var pValue: Double? {
        switch self {
        case .counts(let pairs, let change):
            guard pairs.count >= Self.fewestPairs else { return nil }
            let size = Double(pairs.count)
            let differences = pairs.map { CountChange.root($0.now) - CountChange.root($0.before) }
            let mean = differences.reduce(0, +) / size
            let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (size - 1)
            guard mean * change > 0 else { return 1 }
            return StudentT.twoSidedPValue(mean / (max(2, variance) / size).squareRoot(), freedom: size - 1)
        case .shares(let now, let before):
            return TwoProportionTest(successes: (now.part, before.part), trials: (now.whole, before.whole))?.pValue
        }
    }

    /// Which of several changes may be chance, corrected for their number by Holm's method. Of those of which it cannot
    /// be told, nothing is said.
    package static func mayBeChance(_ tests: [ChangeTest?]) -> [Bool] {
        holmAdjusted(tests.map { $0?.pValue }).map { pValue in pValue.map { $0 >= significanceLevel } ?? false }
    }
}
