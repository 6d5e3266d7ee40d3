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
    package var needs: Needs
    /// The declared properties that are needed, by their places among those of the app.
    package var properties: [Int: AppProperty] = [:]
    /// How many bytes a list of all posts may take, and how many what is known of them, where the query needs these.
    package var postLimit = Int.max
    /// The same for the installs from shared devices.
    var sharedDeviceLimit: Int { postLimit / 2 }
    /// How many bytes the texts may take that one dictionary reads.
    package var textLimit = Int.max

    /// What is needed of these events beside their types and times.
    package struct Needs: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let refs = Needs(rawValue: 1 << 0)
        package static let referers = Needs(rawValue: 1 << 1)
        package static let targets = Needs(rawValue: 1 << 2)
        /// The short link of each touch.
        package static let links = Needs(rawValue: 1 << 3)
        /// The form of each link, and whether it came from an ad.
        package static let forms = Needs(rawValue: 1 << 4)
        /// The post of each touch (`TimelineEvent.storyPost`).
        package static let storyPosts = Needs(rawValue: 1 << 5)
        /// The key of each touch's story in place of its post, as a code of the dictionary's `storyPosts`. Only for the
        /// check of packed timelines: this needs no list of all posts.
        package static let storyKeys = Needs(rawValue: 1 << 6)
        /// What is known of each post (`StoryPostTable.detail(of:)`): its refs, platform and composer.
        package static let postDetails = Needs(rawValue: 1 << 7)
        /// Who posted, as a part of these details.
        package static let posters = Needs(rawValue: 1 << 8)
        /// What Open Graph stories say, as a part of these details.
        package static let openGraph = Needs(rawValue: 1 << 13)
        /// The ids of events, which order two events of one instant.
        package static let ids = Needs(rawValue: 1 << 9)
        package static let appVersions = Needs(rawValue: 1 << 10)
        package static let countries = Needs(rawValue: 1 << 11)
        package static let languages = Needs(rawValue: 1 << 12)
        /// The names of conversions.
        package static let goals = Needs(rawValue: 1 << 14)
        /// The devices that had installs of several people (`TimelineDictionary.sharedDevices`).
        package static let sharedDevices = Needs(rawValue: 1 << 15)
        /// How each touch came to its refs.
        package static let refOrigins = Needs(rawValue: 1 << 16)

        /// What packed timelines keep of events.
        static let packed: Needs = [
            .refs, .referers, .targets, .links, .forms, .ids, .appVersions, .countries, .languages, .goals,
            .refOrigins,
        ]
    }

    /// Limits times to the years 1 to 9999. A range may begin in the year 1 with a lookback before it, or end in 9999
    /// with a window after it. Nothing happens in other years, and PostgreSQL does not read them in RFC 3339's form.
    package init(
        types: Set<EventType>,
        touchesFrom: Timestamp,
        eventsFrom: Timestamp,
        through: Timestamp,
        needs: Needs = .ids
    ) {
        self.types = types
        self.touchesFrom = touchesFrom.spelled
        self.eventsFrom = eventsFrom.spelled
        self.through = through.spelled
        self.needs = needs
    }

    /// A query that returns all that either query needs.
    package func union(_ other: TimelineQuery) -> TimelineQuery {
        var union = TimelineQuery(
            types: types.union(other.types),
            touchesFrom: min(touchesFrom, other.touchesFrom),
            eventsFrom: min(eventsFrom, other.eventsFrom),
            through: max(through, other.through),
            needs: needs.union(other.needs)
        )
        union.properties = properties.merging(other.properties) { $1 }
        union.postLimit = min(postLimit, other.postLimit)
        union.textLimit = min(textLimit, other.textLimit)
        return union
    }

    /// The types, one bit for each at its `position`.
    var typeBits: UInt64 { types.reduce(0) { $0 | 1 << UInt64($1.position) } }

    /// What `timeline_state.properties` calls its properties.
    var propertyIDs: [String] { properties.values.map(\.id).sorted() }

    /// Asks for a declared property.
    ///
    /// - Parameter place: its place among those of the app.
    package mutating func need(_ property: AppProperty, at place: Int) {
        properties[place] = property
        guard property.kind == .person else { return }
        // The earliest event of a person that has a value decides, whatever it is.
        self = union(.all(Set(EventType.allCases), needs: .ids))
    }

    /// All events of some types, whenever they happened.
    static func all(_ types: Set<EventType>, needs: Needs) -> TimelineQuery {
        let ever = Timestamp.spellable
        return TimelineQuery(
            types: types,
            touchesFrom: ever.lowerBound,
            eventsFrom: ever.lowerBound,
            through: ever.upperBound,
            needs: needs
        )
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
        query.needs.insert(.ids)
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
