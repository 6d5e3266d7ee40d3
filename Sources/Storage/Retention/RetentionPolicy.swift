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

    /// How long the hash of an erased key is kept after the erasure; nil: forever.
    ///
    /// An event of the person that was received before the erasure may wait in a spool. It happened at most an hour
    /// after its receipt (`EventLimits.futureTolerance`), and is rejected as too old after the retention period. The
    /// hash is kept for at least the default retention period, since another program may have another setting.
    package var erasures: Duration? {
        events.map { max($0, EventLimits.defaultRetention) + EventLimits.futureTolerance }
    }
}
