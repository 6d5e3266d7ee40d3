import GRDB
import InboundLinks
package import Time

/// How much waits in a spool.
package struct SpoolDepth: Equatable, Sendable {
    /// The number of requests.
    package var batches = 0
    package var events = 0
    package var bytes = 0
    /// When the oldest request was received: microseconds since 1970, UTC.
    package var oldestReceivedAt: Int64?

    /// How long the oldest request has been waiting, in seconds; 0 if none waits.
    package func ageSeconds(at now: Timestamp) -> Int64 {
        oldestReceivedAt.map { max(0, (now.microseconds - $0) / 1_000_000) } ?? 0
    }

    mutating func append(bytes count: Int, events eventCount: Int, at receivedAt: Int64) {
        batches += 1
        events += eventCount
        bytes += count
        oldestReceivedAt = oldestReceivedAt ?? receivedAt
    }

    /// - Parameter oldestLeft: when the oldest request was received that the file still had after the removal. Nil says
    ///   nothing: requests that were appended since may already be counted here.
    mutating func remove(_ removed: SpoolDepth, oldestLeft: Int64?) {
        batches -= removed.batches
        events -= removed.events
        bytes -= removed.bytes
        oldestReceivedAt = batches == 0 ? nil : oldestLeft ?? oldestReceivedAt
    }

    /// Counts the requests in the file.
    ///
    /// - Parameter position: the position of the last request to count.
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
