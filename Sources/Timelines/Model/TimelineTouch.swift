import Events
import InboundLinks
import Time

/// A touch on a person's timeline (docs/reports.md, *Words*).
struct TimelineTouch: Equatable, Sendable {
    /// The touch's time t, which for a deferred link is not when it came in.
    var time: Timestamp
    var id: EventID
    /// Position of its event in `PersonTimeline.events`.
    var event: Int
    var channel: Channel
    /// A list of the dictionary's.
    var refs: Code
    /// A click on a link; otherwise an inbound link, be it one that came with an install.
    var isLinkClick: Bool
    var isDeferred: Bool
    var isAuthenticated: Bool
}
