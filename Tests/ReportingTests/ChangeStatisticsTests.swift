import Testing

@testable import Reporting

/// The values are those of scipy 1.17: `stats.t`, `stats.hypergeom`.
@Suite("Statistics of changes")
struct ChangeStatisticsTests {
    private func isClose(_ value: Double, _ expected: Double) -> Bool {
        abs(value - expected) <= 1e-9 * max(1e-3, abs(expected))
    }

    @Test(
        arguments: [
            (0.5, 1, 0.7048327646991335), (3.5, 7, 0.009993040881885549), (2, 3, 0.13932596855884305),
            (10, 7, 2.1394202890772802e-05), (0, 5, 1), (40, 2, 0.0006244146721847406),
            (-3.5, 7, 0.009993040881885549),
        ] as [(Double, Double, Double)]
    )
    func studentsTailIsThatOfScipy(value: Double, freedom: Double, expected: Double) {
        #expect(isClose(StudentT.twoSidedPValue(value, freedom: freedom), expected))
    }

    @Test(
        arguments: [(0.05, 7, 2.3646242515927844), (0.01, 3, 5.840909309733357), (0.05, 1, 12.706204736174705)]
            as [(Double, Double, Double)]
    )
    func studentsQuantileIsThatOfScipy(chance: Double, freedom: Double, expected: Double) {
        #expect(isClose(StudentT.quantile(twoSided: chance, freedom: freedom), expected))
    }

    @Test(
        arguments: [
            ([80, 400, 960, 3200], 1.8686039641721363e-05), ([0, 20, 30, 160], 0.0207340943603331),
            ([5, 10, 300, 1000], 0.20054738596025945), ([400, 400, 3100, 3200], 6.435896297267829e-06),
            ([30, 100, 240, 800], 0.9905596987848316),
        ] as [([Int64], Double)]
    )
    func exactTestIsThatOfScipy(_ counts: [Int64], expected: Double) {
        let value = ShareChange.exactPValue(
            Proportion(successes: counts[0], trials: counts[1]),
            Proportion(successes: counts[2], trials: counts[3])
        )
        #expect(isClose(value, expected), "\(value)")
    }

    @Test func countsAreComparedWithTheirOwnSpread() throws {
        let quiet: [Double] = [400, 410, 395, 380, 420, 405, 390, 400]
        let fall = try #require(CountChange(280, after: quiet))
        #expect(isClose(fall.pValue, 0.0004663388977776454) && fall.mean == 400)
        #expect(isClose(fall.expected.low, 351.3109691442077) && isClose(fall.expected.high, 451.6702158563871))
        // As far above as that is below, and yet nothing: the weeks before were as far apart.
        let wild = try #require(CountChange(600, after: [400, 600, 350, 300, 500, 450, 700, 420]))
        #expect(isClose(wild.pValue, 0.3596088571535822))
        #expect(isClose(wild.expected.low, 192.3349034863254) && isClose(wild.expected.high, 834.7239502974345))
        #expect(CountChange(3, after: [4]) == nil)
    }

    @Test func meansAreComparedAsByScipy() throws {
        func counts(_ all: [Int64]) -> UnitCounts { all.reduce(into: UnitCounts()) { $0.add($1) } }
        let (a, b) = (counts([0, 1, 1, 2, 4, 0, 3]), counts([0, 0, 1, 0, 0, 2, 0, 0, 1]))
        let test = try #require(WelchTest(a, b, chance: 0.05))
        #expect(isClose(try #require(test.pValue), 0.10622892448105702))
        #expect(isClose(test.low, -0.2995598881127832) && isClose(test.high, 2.553528142081037))
        #expect(WelchTest(a, counts([1]), chance: 0.05) == nil)
        #expect(WelchTest(counts([1, 1]), counts([2, 2]), chance: 0.05) == nil)
    }

    /// Against the same weekdays, a weekend is no fall; a few days, or days that differ as much before, tell nothing.
    @Test func rangesAreComparedWeekdayByWeekday() throws {
        let week: [Double] = [400, 410, 395, 405, 390, 120, 110]
        func pValue(_ now: [Double], change: Double) -> Double? {
            ChangeTest.counts(zip(now, week).map { (now: $0, before: $1) }, change: change).pValue
        }
        #expect(try #require(pValue(week.map { $0 * 1.2 }, change: 1)) < 0.001)
        #expect(try #require(pValue(week.map { $0 * 1.01 }, change: 1)) > 0.5)
        #expect(try #require(pValue([700, 200, 600, 250, 640, 90, 160], change: 1)) > 0.3)
        // The whole range rose, the days that can be compared did not.
        #expect(pValue(week.map { $0 * 0.8 }, change: 1) == 1)
        #expect(pValue([800, 800, 800], change: 1) == nil)
        // Poisson counts of 1 and 0 spread by more than these differ among each other.
        let few = ChangeTest.counts(Array(repeating: (now: 1, before: 0), count: 7), change: 7)
        #expect(try #require(few.pValue) > 0.05)
    }

    @Test func changesAreCorrectedForTheirNumber() {
        let shares = ChangeTest.shares(now: (60, 400), before: (40, 400))
        #expect(ChangeTest.mayBeChance([shares]) == [false])
        #expect(ChangeTest.mayBeChance([shares, nil, shares]) == [true, false, true])
        #expect(
            ChangeTest.mayBeChance([.shares(now: (0, 9), before: (0, 9)), .shares(now: (1, 0), before: (1, 9))]) == [
                false, false,
            ]
        )
    }

    @Test func ratesAreComparedWithTheBinomialSpreadOrTheirOwn() throws {
        func shares(_ counts: [Int64]) -> [Proportion] { counts.map { Proportion(successes: $0, trials: 400) } }
        let fall = Proportion(successes: 80, trials: 400)
        let even = try #require(ShareChange(fall, after: shares([120, 120, 120, 120, 120, 120, 120, 120])))
        #expect(isClose(even.pValue, 1.8686039641721363e-05) && even.earlier.trials == 3_200)
        #expect(even.difference.low < -0.1 && even.difference.high < 0 && even.difference.high > -0.1)
        let wild = try #require(ShareChange(fall, after: shares([120, 60, 180, 100, 140, 90, 150, 120])))
        #expect(isClose(wild.pValue, 0.32202308277190506))
        #expect(ShareChange(Proportion(successes: 0, trials: 0), after: shares([1, 2])) == nil)
        #expect(ShareChange(fall, after: [Proportion(successes: 1, trials: 2), .init(successes: 0, trials: 0)]) == nil)
        // Everybody, always: no spread, and no fault.
        let all = try #require(ShareChange(.init(successes: 400, trials: 400), after: shares([400, 400, 400])))
        #expect(all.pValue == 1 && all.pValueOfNothing < 1e-100)
    }
}
