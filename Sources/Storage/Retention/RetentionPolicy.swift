import Events

/// How long data is kept.
package struct RetentionPolicy: Equatable, Sendable {
    /// Events that happened longer ago are deleted; nil: none is.
    package var events: Duration?
    /// Dead letters that were received longer ago are deleted; nil: they stay until they are purged.
    package var rejectedEvents: Duration?

    package static let defaultRejectedEvents = Duration.seconds(30 * 86_400)

    package init(
        events: Duration? = EventLimits.defaultRetention,
        rejectedEvents: Duration? = RetentionPolicy.defaultRejectedEvents
    ) {
        self.events = events
        self.rejectedEvents = rejectedEvents
    }

    /// How long an event's idempotency key is kept after its receipt; nil: forever.
    ///
    /// An id is stored once for at least 30 days after its first receipt, and forever if `occurred_at` is the same
    /// (docs/events.md, *Once*). A retry with the same `occurred_at` is rejected as too old when that time is older
    /// than the retention period. As `occurred_at` is at most an hour after the receipt, a key is useful for the
    /// retention period and that hour. It is kept for at least the default retention period, since `tributary import`
    /// may run with another configuration.
    package var eventKeys: Duration? {
        events.map { max($0, EventLimits.defaultRetention, .seconds(30 * 86_400)) + EventLimits.futureTolerance }
    }
}
