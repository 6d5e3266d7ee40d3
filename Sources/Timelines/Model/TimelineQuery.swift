package import Events
package import Time

/// What a report needs to see. A source hands over all of it, and may hand over more.
package struct TimelineQuery: Equatable, Sendable {
    package var types: Set<EventType>
    /// Touches by their t, from here on.
    package var touchesFrom: Timestamp
    /// Everything else from here on, save installs, which are wanted from the beginning wherever they or deferred links
    /// count: what counts as an install depends on all before it.
    package var eventsFrom: Timestamp
    /// Touches (by their t) and everything else up to here, the instant included.
    package var through: Timestamp
    package var needsRefs: Bool
    package var needsReferers: Bool
    package var needsTargets: Bool
    /// Which post a touch came from (`TimelineEvent.storyPost`).
    package var needsStoryPosts: Bool
    /// Whether it matters which of two events of one instant is the first.
    package var needsIDs: Bool

    /// A range may begin in the year 1, with a lookback before it, or end in 9999, with a window after it. Nothing happens in other
    /// years, and PostgreSQL does not read them as RFC 3339 has them: times are held to those that can be spelled.
    package init(
        types: Set<EventType>,
        touchesFrom: Timestamp,
        eventsFrom: Timestamp,
        through: Timestamp,
        needsRefs: Bool = false,
        needsReferers: Bool = false,
        needsTargets: Bool = false,
        needsStoryPosts: Bool = false,
        needsIDs: Bool = true
    ) {
        self.types = types
        self.touchesFrom = touchesFrom.spelled
        self.eventsFrom = eventsFrom.spelled
        self.through = through.spelled
        self.needsRefs = needsRefs
        self.needsReferers = needsReferers
        self.needsTargets = needsTargets
        self.needsStoryPosts = needsStoryPosts
        self.needsIDs = needsIDs
    }

    /// Installs decide on the time of deferred links, so that whoever wants touches needs them too.
    package static let touchTypes: Set<EventType> = [.inboundLink, .linkClick, .install]
}
