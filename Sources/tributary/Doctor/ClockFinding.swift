import Postgres
import Time

/// The check of another clock: the database's or a daemon's.
enum ClockFinding {
    /// The difference between two clocks that is usual and harmless.
    private static let tolerance: Duration = .seconds(5)

    /// Keys expire by both clocks, and events without a time get the time of this machine: the clocks should agree.
    static func make(_ pool: PostgresPool) async throws -> DoctorFinding {
        let (before, theirs, after) = try await pool.withConnection { connection in
            let before = Timestamp.now.microseconds
            let theirs = try connection.query("select clock_timestamp()")[0].timestamp(0)
            return (before, theirs, Timestamp.now.microseconds)
        }
        return make(of: "the database", theirs: theirs, between: before, and: after)
    }

    /// - Parameters:
    ///   - theirs: what the other clock showed at some moment between `before` and `after`. All in microseconds.
    static func make(of owner: String, theirs: Int64, between before: Int64, and after: Int64) -> DoctorFinding {
        let difference = theirs < before ? theirs - before : max(0, theirs - after)
        let text = "clocks: \(owner)'s is \(Double(difference / 1000) / 1000) s ahead of this machine's"
        if difference.magnitude <= Self.tolerance.wholeMicroseconds.magnitude { return DoctorFinding(.good, text) }
        return DoctorFinding(.warning, text, advice: "Synchronise both clocks with a time server (NTP).")
    }
}
