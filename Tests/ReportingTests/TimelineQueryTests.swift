import Events
@testable import Reporting
import Testing
import Time
@testable import Timelines

@Suite("Timeline queries")
struct TimelineQueryTests {
    private static func query(
        _ types: Set<EventType> = [.conversion],
        days: ClosedRange<Double> = 2...3,
        needs: TimelineQuery.Needs = []
    ) -> TimelineQuery {
        let range = ReportRange(
            from: OracleEvents.time(days.lowerBound * OracleEvents.day),
            to: OracleEvents.time(days.upperBound * OracleEvents.day)
        )
        return TimelineQuery(types, in: range, needs: needs)
    }

    /// Each bit, so also those that are added later.
    @Test(arguments: 0..<TimelineQuery.Needs.RawValue.bitWidth)
    func needEverythingThatOneOfTheirUnionNeeds(bit: Int) {
        let needs = TimelineQuery.Needs(rawValue: 1 << TimelineQuery.Needs.RawValue(bit))
        #expect(Self.query(needs: needs).union(Self.query()).needs == needs)
        #expect(Self.query().union(Self.query(needs: needs)).needs == needs)
    }

    @Test func coverAllOfTheirUnion() {
        let union = Self.query([.install], days: 1...3).union(Self.query([.conversion], days: 2...5))
        #expect(union == Self.query([.install, .conversion], days: 1...5))
    }
}
