import Postgres
import Storage
import Time

/// Keeps a command from dating or deleting events by a clock that may be wrong.
enum ClockCheck {
    /// Microseconds, as for the daemon.
    private static let tolerance: Int64 = 3_600_000_000

    /// - Throws: `CommandFailure` if this machine's clock and the database's differ by more than an hour.
    static func run(_ pool: PostgresPool) async throws {
        let lead = try await DatabaseClock.lead(over: { Timestamp.now.microseconds }, on: pool)
        guard let lead, lead.magnitude > tolerance.magnitude else { return }
        throw CommandFailure(
            .databaseUnavailable,
            "the database's clock is \(TimeDifference(microseconds: lead)) ahead of this machine's, and events are dated "
                + "by a clock; set the wrong one, best with a time server, and try again"
        )
    }
}
