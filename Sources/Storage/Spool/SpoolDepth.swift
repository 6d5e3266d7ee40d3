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
        guard let oldestReceivedAt else { return 0 }
        // A damaged file may hold any number.
        let (age, overflows) = now.microseconds.subtractingReportingOverflow(oldestReceivedAt)
        return overflows ? 0 : max(0, age / 1_000_000)
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
    /// - Parameters:
    ///   - start: the position before the first request to count.
    ///   - end: the position of the last request to count.
    static func read(_ database: Database, after start: Int64 = 0, through end: Int64 = .max) throws -> SpoolDepth {
        guard let row = try Row.fetchOne(database, sql: StoredSQL.readSpoolDepth, arguments: [start, end]),
            let batches = Int.fromDatabaseValue(row["batches"]), let events = Int.fromDatabaseValue(row["events"]),
            let bytes = Int.fromDatabaseValue(row["bytes"])
        else { throw SpoolDamage("its counters are no numbers") }
        return SpoolDepth(
            batches: batches,
            events: max(0, min(events, Int(Int32.max))),
            bytes: bytes,
            oldestReceivedAt: Int64.fromDatabaseValue(row["oldest_received_at"])
        )
    }
}
