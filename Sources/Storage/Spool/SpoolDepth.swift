import GRDB
package import InboundLinks

/// How much waits in a spool.
package struct SpoolDepth: Equatable, Sendable {
    /// Requests.
    package var batches = 0
    package var events = 0
    package var bytes = 0
    /// When the oldest was received: microseconds since 1970, UTC.
    package var oldestReceivedAt: Int64?

    /// How long the oldest has been waiting; 0 where nothing waits.
    package func ageSeconds(at now: Timestamp) -> Int64 {
        oldestReceivedAt.map { max(0, (now.microseconds - $0) / 1_000_000) } ?? 0
    }

    static func read(_ database: Database) throws -> SpoolDepth {
        guard let row = try Row.fetchOne(database, sql: StoredSQL.readSpoolDepth) else { return SpoolDepth() }
        return SpoolDepth(
            batches: row["batches"],
            events: row["events"],
            bytes: row["bytes"],
            oldestReceivedAt: row["oldest_received_at"]
        )
    }
}
