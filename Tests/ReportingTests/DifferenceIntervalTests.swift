import Testing

@testable import Reporting

/// The examples of R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics
/// in Medicine 17, 1998, table II, method 10.
@Suite("Interval of a difference")
struct DifferenceIntervalTests {
    @Test(
        arguments: [
            ((56, 70), (48, 80), (0.0524, 0.3339)), ((9, 10), (3, 10), (0.1705, 0.8090)),
            ((5, 56), (0, 29), (-0.0381, 0.1926)), ((0, 10), (0, 20), (-0.1611, 0.2775)),
            ((10, 10), (0, 20), (0.6791, 1)), ((10, 10), (0, 10), (0.6075, 1)),
        ] as [((Int64, Int64), (Int64, Int64), (Double, Double))]
    )
    func isNewcombes(a: (Int64, Int64), b: (Int64, Int64), interval: (low: Double, high: Double)) throws {
        let test = try #require(TwoProportionTest(successes: (a.0, b.0), trials: (a.1, b.1)))
        #expect(abs(test.low - interval.low) < 0.00005)
        #expect(abs(test.high - interval.high) < 0.00005)
    }

    /// Two people prove nothing.
    @Test func holdsZeroIfHardlyAnybodyStarted() throws {
        let test = try #require(TwoProportionTest(successes: (10, 0), trials: (81, 2)))
        #expect(test.low < 0 && test.high > 0)
    }

    /// Of 20 and 20, 0 and 4: the p-value is 0.035, and the interval reaches just above 0.
    @Test(arguments: [(0, 4, Verdict.borderline), (0, 5, .moreThanChance), (0, 3, .mayBeChance), (0, 0, .none)])
    func isInNoWordAgainstThePValue(a: Int64, b: Int64, verdict: Verdict) throws {
        let test = try #require(TwoProportionTest(successes: (a, b), trials: (20, 20)))
        #expect(Verdict(pValue: test.pValue, low: test.low, high: test.high) == verdict)
    }
}
