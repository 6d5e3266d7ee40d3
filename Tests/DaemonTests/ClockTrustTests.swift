import Testing

@testable import tributaryd

@Suite("Trust in the clock")
struct ClockTrustTests {
    private static let hour: Int64 = 3_600_000_000
    private static let day = 24 * hour
    private var trust = ClockTrust(wall: 0)

    @Test mutating func followsSmallSteps() {
        for hours: Int64 in 1...100 {
            #expect(trust.isStillTrusted(wall: hours * Self.hour))
            #expect(trust.examine(wall: hours * Self.hour) == [])
        }
    }

    @Test(arguments: [3 * day, -3 * day, hour + 1, -hour - 1])
    mutating func doesNotTrustAJump(by jump: Int64) {
        #expect(!trust.isStillTrusted(wall: jump))
        #expect(trust.examine(wall: jump) == [.distrusted(.jumped(by: jump))])
        // Said once.
        #expect(trust.examine(wall: jump) == [])
        #expect(trust.state == .jumped(by: jump))
    }

    @Test mutating func trustsAClockThatReturns() {
        _ = trust.examine(wall: Self.day)
        #expect(!trust.isStillTrusted(wall: 5))
        #expect(trust.examine(wall: 5) == [.returned])
        #expect(trust.isStillTrusted(wall: 5))
    }

    @Test mutating func trustsATimeThatTheDatabaseConfirms() {
        trust.compare(database: 0)
        _ = trust.examine(wall: 0)
        let changes = trust.examine(wall: Self.day)
        #expect(changes == [.distrusted(.jumped(by: Self.day)), .skewed(by: Self.day)])
        trust.compare(database: Self.day - 1_000)
        #expect(trust.examine(wall: Self.day) == [.confirmed(by: Self.day), .unskewed])
        // The former time would now be a jump.
        #expect(trust.examine(wall: 0).contains(.distrusted(.jumped(by: -Self.day))))
    }

    /// The first comparison shows that one of the clocks is wrong.
    @Test mutating func trustsNeitherOfTwoThatNeverAgreed() {
        trust.compare(database: -Self.day)
        #expect(trust.examine(wall: 0) == [.distrusted(.differs(by: Self.day)), .skewed(by: Self.day)])
        #expect(trust.examine(wall: 0) == [])
        // The clock of this machine was wrong.
        var corrected = trust
        #expect(corrected.examine(wall: -Self.day) == [.confirmed(by: -Self.day), .unskewed])
        // The database's clock was wrong.
        trust.compare(database: 0)
        #expect(trust.examine(wall: 0) == [.agreed, .unskewed])
    }

    @Test mutating func trustsItselfIfTheDatabasesClockIsSet() {
        trust.compare(database: 0)
        _ = trust.examine(wall: 0)
        trust.compare(database: Self.day)
        #expect(trust.examine(wall: 0) == [.skewed(by: -Self.day)])
        #expect(trust.state == .trusted)
    }

    @Test mutating func tellsOfASkewOnce() {
        let second: Int64 = 1_000_000
        trust.compare(database: 0)
        #expect(trust.examine(wall: 5 * second) == [])
        #expect(trust.examine(wall: 6 * second) == [.skewed(by: 6 * second)])
        #expect(trust.examine(wall: 7 * second) == [])
        #expect(trust.examine(wall: 4 * second) == [])
        #expect(trust.examine(wall: second) == [.unskewed])
        #expect(trust.examine(wall: -6 * second) == [.skewed(by: -6 * second)])
        #expect(trust.skew(wall: -6 * second) == -6 * second)
    }

    @Test mutating func survivesAnyClock() {
        let walls: [Int64] = [.max / 2, .min / 2, 0]
        for wall in walls { _ = trust.examine(wall: wall) }
        #expect(trust.state == .trusted)
    }
}
