package import Events
package import Postgres
package import Storage
package import Time

/// The events and fields that a report needs. A source returns all of them, and may return more.
package struct TimelineQuery: Equatable, Sendable {
    package var types: Set<EventType>
    /// Touches with a time t from this instant on.
    package var touchesFrom: Timestamp
    /// Other events from this instant on. Installs are an exception: if installs or deferred links count, all installs
    /// from the beginning are needed, because earlier ones decide which later ones count.
    package var eventsFrom: Timestamp
    /// Touches (by their t) and other events up to this instant, which is included.
    package var through: Timestamp
    package var needsRefs: Bool
    package var needsReferers: Bool
    package var needsTargets: Bool
    /// Whether the short link of each touch is needed.
    package var needsLinks: Bool
    /// Whether the form of each link is needed, and whether it came from an ad.
    package var needsForms: Bool
    /// Whether the post of each touch is needed (`TimelineEvent.storyPost`).
    package var needsStoryPosts: Bool
    /// Whether each touch comes with its story's key in place of its post, as a code of the dictionary's `storyPosts`.
    /// Only for the check of packed timelines: this needs no list of all posts.
    package var needsStoryKeys = false
    /// Whether it is needed what is known of each post (`StoryPostTable.detail(of:)`).
    package var needsPostDetails: Bool
    /// Whether these details are to say who posted.
    package var needsPosters: Bool
    /// Whether the order of two events of one instant matters.
    package var needsIDs: Bool

    /// Limits times to the years 1 to 9999. A range may begin in the year 1 with a lookback before it, or end in 9999
    /// with a window after it. Nothing happens in other years, and PostgreSQL does not read them in RFC 3339's form.
    package init(
        types: Set<EventType>,
        touchesFrom: Timestamp,
        eventsFrom: Timestamp,
        through: Timestamp,
        needsRefs: Bool = false,
        needsReferers: Bool = false,
        needsTargets: Bool = false,
        needsLinks: Bool = false,
        needsForms: Bool = false,
        needsStoryPosts: Bool = false,
        needsPostDetails: Bool = false,
        needsPosters: Bool = false,
        needsIDs: Bool = true
    ) {
        self.types = types
        self.touchesFrom = touchesFrom.spelled
        self.eventsFrom = eventsFrom.spelled
        self.through = through.spelled
        self.needsRefs = needsRefs
        self.needsReferers = needsReferers
        self.needsTargets = needsTargets
        self.needsLinks = needsLinks
        self.needsForms = needsForms
        self.needsStoryPosts = needsStoryPosts
        self.needsPostDetails = needsPostDetails
        self.needsPosters = needsPosters
        self.needsIDs = needsIDs
    }

    /// The query with all clicks on short links, and all opens of the app that name one, that decide about a touch of
    /// its range: an open may lie up to ``PersonTimeline/clickWindow`` after its click.
    package func withClicks() -> TimelineQuery {
        let links: Set<EventType> = [.inboundLink, .linkClick]
        guard !types.isDisjoint(with: links) else { return self }
        var query = self
        query.types.formUnion(TimelineQuery.touchTypes)
        query.touchesFrom = touchesFrom.advanced(by: .zero - PersonTimeline.clickWindow).spelled
        query.through = through.advanced(by: PersonTimeline.clickWindow).spelled
        query.needsIDs = true
        return query
    }

    /// The same for an app that has or had short links. Other apps have no such clicks.
    package func withClicks(of app: App, on connection: isolated PostgresConnection) throws -> TimelineQuery {
        let found = try connection.query(
            "select exists (select from link where app_number = $1)",
            [.int(Int64(app.number))]
        )
        return try found[0].bool(0) ? withClicks() : self
    }

    /// Installs decide the time of deferred links, so a report about touches needs them, too.
    package static let touchTypes: Set<EventType> = [.inboundLink, .linkClick, .install]
}
