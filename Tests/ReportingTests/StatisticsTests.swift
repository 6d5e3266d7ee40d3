@testable import Reporting
import Testing

/// Against the roots of the quadratic that defines the Wilson interval, and the z-test written out, worked by hand.
@Suite("Statistics")
struct StatisticsTests {
    @Test(
        arguments: [
            (0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (5, 10, 0.2365931, 0.7634069),
            (1, 1000, 0.0001765, 0.0056428),
        ] as [(Int64, Int64, Double, Double)]
    )
    func boundsARate(successes: Int64, trials: Int64, low: Double, high: Double) throws {
        let interval = try #require(WilsonInterval(successes: successes, trials: trials))
        #expect(abs(interval.low - low) < 1e-6)
        #expect(abs(interval.high - high) < 1e-6)
    }

    @Test func boundsNothingOfNoTrials() {
        #expect(WilsonInterval(successes: 0, trials: 0) == nil)
        #expect(TwoProportionTest(successes: (0, 1), trials: (0, 5)) == nil)
    }

    @Test func comparesTwoRates() throws {
        let test = try #require(TwoProportionTest(successes: (a: 45, b: 30), trials: (a: 100, b: 100)))
        #expect(abs((test.pValue ?? 0) - 0.028460) < 1e-5)
        #expect(abs(test.low - 0.017430) < 1e-5)
        #expect(abs(test.high - 0.282570) < 1e-5)
    }

    @Test func knowsNoPValueWhereNothingVaries() throws {
        let test = try #require(TwoProportionTest(successes: (a: 5, b: 7), trials: (a: 5, b: 7)))
        #expect(test.pValue == nil)
        #expect(test.low == 0 && test.high == 0)
    }

    @Test(
        arguments: [(7, 2, 4), (-7, 2, -4), (5, 3, 2), (4, 3, 1), (-4, 3, -1), (0, 9, 0), (6, -4, -2), (3, 2, 2)]
            as [(Int128, Int128, Int128)]
    )
    func roundsHalvesAwayFromZero(numerator: Int128, denominator: Int128, expected: Int128) {
        #expect(roundedQuotient(numerator, by: denominator) == expected)
    }
}
