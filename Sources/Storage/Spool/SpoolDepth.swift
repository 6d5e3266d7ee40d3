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
        let (age, overflows) = now.microseconds.subtractingReportingOverflow(oldestReceivedAt)
        return overflows ? 0 : max(0, age / 1_000_000)
    }

    mutating func append(bytes count: Int, events eventCount: Int, at receivedAt: Int64) {
        batches += 1
        events += eventCount
        bytes += count
        oldestReceivedAt = oldestReceivedAt ?? receivedAt
    }

    mutating func remove(_ removed: SpoolDepth, oldestLeft: Int64?) {
        batches -= removed.batches
        events -= removed.events
        bytes -= removed.bytes
        oldestReceivedAt = oldestLeft
        // A deletion by another process may have changed what the requests hold.
        if batches <= 0 { self = SpoolDepth() }
    }
}
