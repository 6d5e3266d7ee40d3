import Events
import InboundLinks

/// What a report needs to see. A source hands over all of it, and may hand over more.
struct TimelineDemand: Equatable, Sendable {
    var types: Set<EventType>
    /// Touches by their t, from here on.
    var touchesFrom: Timestamp
    /// Everything else from here on, save installs, which are wanted from the beginning wherever they or deferred links
    /// count: what counts as an install depends on all before it.
    var eventsFrom: Timestamp
    /// Touches (by their t) and everything else up to here, the instant included.
    var through: Timestamp
    var needsRefs = false
    var needsReferers = false
    var needsTargets = false
    /// Which post a touch came from (`TimelineEvent.storyPost`).
    var needsStoryPosts = false
    /// Whether it matters which of two events of one instant is the first.
    var needsIDs = true

    /// Installs decide on the time of deferred links, so that whoever wants touches needs them too.
    static let touchTypes: Set<EventType> = [.inboundLink, .linkClick, .install]
}
