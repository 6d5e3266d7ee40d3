import Events

/// How long what is kept.
package struct RetentionPolicy: Equatable, Sendable {
    /// Events that happened longer ago go; nil: they stay.
    package var events: Duration?
    /// Dead letters that were received longer ago go; nil: they stay until they are purged.
    package var rejectedEvents: Duration?

    package static let defaultRejectedEvents = Duration.seconds(30 * 86_400)

    package init(
        events: Duration? = EventLimits.defaultRetention,
        rejectedEvents: Duration? = RetentionPolicy.defaultRejectedEvents
    ) {
        self.events = events
        self.rejectedEvents = rejectedEvents
    }

    /// How long after its receipt the key of an event is kept.
    ///
    /// An id is stored once for at least 30 days after its first receipt, and for ever where `occurred_at` is the same
    /// (docs/events.md, *Once*). A retry with the same `occurred_at` is refused as too old once that lies behind the
    /// retention; and `occurred_at` is at most an hour ahead of the receipt. So a key is of use for the retention and that
    /// hour. Never less than the default retention: `tributary import` may run with another configuration.
    ///
    /// Nil: they stay.
    package var eventKeys: Duration? {
        events.map { max($0, EventLimits.defaultRetention, .seconds(30 * 86_400)) + EventLimits.futureTolerance }
    }
}
