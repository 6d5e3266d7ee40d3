import Events
import Time
@testable import Reporting
import Testing
import RandomTesting
import InboundLinks
@testable import Timelines

@Suite("Attribution models")
struct AttributionModelTests {
    private static let day: Int64 = 86_400_000_000

    /// The shares of touches that happened this many days before the event, as fractions of one.
    private func shares(_ model: AttributionModel, daysBefore days: [Int64]) -> [Double] {
        units(model, daysBefore: days).map { Double($0) / Double(CreditUnits.one) }
    }

    private func units(_ model: AttributionModel, daysBefore days: [Int64]) -> [Int64] {
        let touches = days.map { days in
            TimelineTouch(
                time: Timestamp(microseconds: -days * Self.day),
                id: EventID(high: 0, low: 0),
                event: 0,
                channel: .search,
                refs: .none,
                isLinkClick: false,
                isDeferred: false,
                isAuthenticated: false
            )
        }
        var shares: [Int64] = []
        model.split(among: touches, at: Timestamp(microseconds: 0), into: &shares)
        return shares
    }

    @Test(
        arguments: [
            (.last, [3, 2, 1], [0, 0, 1]),
            (.first, [3, 2, 1], [1, 0, 0]),
            (.linear, [3, 2, 1, 0], [0.25, 0.25, 0.25, 0.25]),
            (.position, [1], [1]),
            (.position, [2, 1], [0.5, 0.5]),
            (.position, [3, 2, 1], [0.4, 0.2, 0.4]),
            (.position, [4, 3, 2, 1], [0.4, 0.1, 0.1, 0.4]),
            (.decay, [5], [1]),
            (.decay, [0, 0], [0.5, 0.5]),
            // 1/4 : 1/2 : 1
            (.decay, [14, 7, 0], [1.0 / 7, 2.0 / 7, 4.0 / 7]),
        ] as [(AttributionModel, [Int64], [Double])]
    )
    func splitsCredit(model: AttributionModel, days: [Int64], expected: [Double]) {
        let shares = shares(model, daysBefore: days)
        #expect(shares.count == expected.count)
        for (share, expected) in zip(shares, expected) { #expect(abs(share - expected) < 1e-11) }
    }

    @Test(arguments: AttributionModel.allCases)
    func givesEveryEventExactlyOnce(model: AttributionModel) {
        var random = SeededRandom(seed: TestSeeds.first)
        for count in 1...120 {
            let days = (0..<count).map { _ in Int64.random(in: 0...90, using: &random) }.sorted(by: >)
            let units = units(model, daysBefore: days)
            #expect(units.count == count)
            #expect(units.reduce(0, +) == CreditUnits.one)
            #expect(units.allSatisfy { $0 >= 0 })
        }
    }

    @Test func splitsAmongUpToSixteenTouchesOfUpToSixteenRefsWithoutRemainder() {
        for touches in 1...16 {
            for refs in 1...16 {
                #expect(CreditUnits.one.isMultiple(of: Int64(touches * refs)))
                #expect((CreditUnits.one / 5).isMultiple(of: Int64(touches * refs)))
            }
        }
    }

    @Test func losesNothingWhereAShareDoesNotDivide() {
        for count in 1...50 {
            let parts = (0..<count).map { CreditUnits.share($0, of: count, of: 1_000_003) }
            #expect(parts.reduce(0, +) == 1_000_003)
            #expect((parts.max() ?? 0) - (parts.min() ?? 0) <= 1)
        }
    }
}
