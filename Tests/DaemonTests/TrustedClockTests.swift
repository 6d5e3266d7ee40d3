import Ingest
import Logging
import Postgres
import PostgresTesting
import Storage
import Synchronization
import Testing
import Time

@testable import tributaryd

/// The clock with times that the tests choose, and the clock of a real database.
@Suite("The clock at the door")
struct TrustedClockTests {
    private final class Times: Sendable {
        /// Microseconds: the wall clock, and the clock that nobody sets.
        let state = Mutex((wall: Timestamp.now.microseconds, elapsed: Int64(0)))

        func pass(_ microseconds: Int64) {
            state.withLock { $0 = ($0.wall + microseconds, $0.elapsed + microseconds) }
        }
        func set(by microseconds: Int64) {
            state.withLock { $0.wall += microseconds }
        }
        var wall: Timestamp { Timestamp(microseconds: state.withLock { $0.wall }) }
        var elapsed: Int64 { state.withLock { $0.elapsed } }
    }

    private static let day: Int64 = 86_400_000_000
    private let times = Times()
    private let log = CollectedLog()

    private var clock: TrustedClock {
        let log = log
        return TrustedClock(
            wall: { [times] in times.wall },
            elapsed: { [times] in times.elapsed },
            logger: Logger(label: "test") { _ in log }
        )
    }

    @Test func tellsTheTimeUntilItIsSet() throws {
        let clock = clock
        times.pass(30 * Self.day)
        #expect(try clock.now() == times.wall)
        times.set(by: 3 * Self.day + 7_265_000_000)
        let fault = ClockFault(
            reason: "the clock of this machine was set by 3 days 2 h 1 min 5 s, and nothing confirms the new time"
        )
        #expect(throws: fault) { try clock.now() }
        #expect(throws: fault) { try clock.now() }
        #expect(clock.fault == fault)
        times.set(by: -3 * Self.day)
        #expect(throws: ClockFault.self) { try clock.now() }
        times.set(by: -7_265_000_000)
        #expect(try clock.now() == times.wall)
        #expect(
            log.lines == [
                "error this machine's clock was set; events are refused until the database confirms the time "
                    + "[\"by\": 3 days 2 h 1 min 5 s]",
                "notice this machine's clock shows the earlier time again; events are accepted",
            ]
        )
    }

    @Test(arguments: [(0, "0 s"), (-5_000_000, "-5 s"), (-3_600_000_000, "-1 h 0 min 0 s")] as [(Int64, String)])
    func spellsADifference(microseconds: Int64, text: String) {
        #expect("\(TimeDifference(microseconds: microseconds))" == text)
    }

    @Test func asksTheDatabase() async throws {
        try await TestDatabases.withDatabase(template: "Empty") { database in
            let pool = PostgresPool(address: database.address, size: 1)
            let clock = clock
            #expect(clock.skewSeconds == nil)
            try await clock.compare { try await DatabaseClock.lead(over: $0, on: pool) }
            #expect(abs(try #require(clock.skewSeconds)) < 3_600)
            #expect(clock.fault == nil)

            // Wrong, as the database says.
            times.set(by: -2 * Self.day)
            #expect(throws: ClockFault.self) { try clock.now() }
            try await clock.compare { try await DatabaseClock.lead(over: $0, on: pool) }
            #expect(clock.fault != nil)
            #expect(abs(try #require(clock.skewSeconds) + 172_800) < 3_600)
            times.set(by: 2 * Self.day)
            #expect(try clock.now() == times.wall)

            // The machine slept, and the clock that nobody sets did not count it.
            times.set(by: -2 * Self.day)
            let late = TrustedClock(
                wall: { [times] in times.wall },
                elapsed: { [times] in times.elapsed },
                logger: Logger(label: "test") { [log] _ in log }
            )
            times.set(by: 2 * Self.day)
            #expect(throws: ClockFault.self) { try late.now() }
            try await late.compare { try await DatabaseClock.lead(over: $0, on: pool) }
            #expect(try late.now() == times.wall)
            #expect(log.lines.contains { $0.contains("so the earlier time was wrong; events are accepted") })
            await pool.close()
        }
    }
}
