package import Events
package import InboundLinks
package import Time

/// A touch on a person's timeline (docs/reports.md, *Words*).
package struct TimelineTouch: Equatable, Sendable {
    /// The touch's time t. For a deferred link, this is not the time of its arrival.
    package var time: Timestamp
    package var id: EventID
    /// Position of its event in `PersonTimeline.events`.
    package var event: Int
    package var channel: Channel
    /// The code of a list in the dictionary.
    package var refs: Code
    /// Whether the touch is a click on a link. Otherwise it is an inbound link, or one that came with an install.
    package var isLinkClick: Bool
    package var isDeferred: Bool
    /// Whether nobody knows when the link was tapped: a deferred link that does not say so. Then `time` is the best
    /// guess, and durations from or to the touch are unknown.
    package var isTimeInferred = false
    package var isAuthenticated: Bool
    /// Position of the event of the click on a short link that the inbound link came from; nil if there is none. The
    /// touch has the click's time.
    package var click: Int?

    /// Whether the touch is a click, alone or together with the open that followed it.
    package var isClick: Bool { isLinkClick || click != nil }
}
