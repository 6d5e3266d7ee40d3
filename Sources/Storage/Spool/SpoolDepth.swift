import GRDB
import InboundLinks
package import Time

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

    mutating func append(bytes count: Int, events eventCount: Int, at receivedAt: Int64) {
        batches += 1
        events += eventCount
        bytes += count
        oldestReceivedAt = oldestReceivedAt ?? receivedAt
    }

    /// - Parameter oldestLeft: as the file had it when these were removed. What was appended since may already be counted
    ///   here, so it only says something where there was a request.
    mutating func remove(_ removed: SpoolDepth, oldestLeft: Int64?) {
        batches -= removed.batches
        events -= removed.events
        bytes -= removed.bytes
        oldestReceivedAt = batches == 0 ? nil : oldestLeft ?? oldestReceivedAt
    }

    /// - Parameter position: the last request that counts.
    static func read(_ database: Database, through position: Int64 = .max) throws -> SpoolDepth {
        guard let row = try Row.fetchOne(database, sql: StoredSQL.readSpoolDepth, arguments: [position]) else {
            return SpoolDepth()
        }
        return SpoolDepth(
            batches: row["batches"],
            events: row["events"],
            bytes: row["bytes"],
            oldestReceivedAt: row["oldest_received_at"]
        )
    }
}
