package import Events
package import InboundLinks
package import Time

/// A touch on a person's timeline (docs/reports.md, *Words*).
package struct TimelineTouch: Equatable, Sendable {
    /// The touch's time t, which for a deferred link is not when it came in.
    package var time: Timestamp
    package var id: EventID
    /// Position of its event in `PersonTimeline.events`.
    package var event: Int
    package var channel: Channel
    /// A list of the dictionary's.
    package var refs: Code
    /// A click on a link; otherwise an inbound link, be it one that came with an install.
    package var isLinkClick: Bool
    package var isDeferred: Bool
    package var isAuthenticated: Bool
}
