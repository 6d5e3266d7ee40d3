import Events
package import Postgres
package import Storage

/// The state of an app's packed timelines in one snapshot of the database. Several connections share it.
package struct PackedSnapshot: Sendable {
    let app: App
    let state: TimelineState
    let query: TimelineQuery
    /// The texts that the events' codes refer to.
    let texts: SharedTexts
    /// What the query reads of declared properties.
    let properties: PropertyValues?

    /// How many events are packed.
    package var packedEvents: Int { state.events }

    /// Reads the state inside the caller's transaction.
    ///
    /// - Parameter texts: the texts that the events' codes will refer to.
    /// - Returns: nil if nothing is packed, or the segments lack a declared property of the query.
    package static func read(
        _ query: TimelineQuery,
        app: App,
        texts: SharedTexts,
        on connection: isolated PostgresConnection
    ) throws -> PackedSnapshot? {
        guard let state = try TimelineState.read(app: app.number, on: connection), state.serves(query) else {
            return nil
        }
        let query = try query.withClicks(of: app, on: connection)
        let properties = try PropertyCensus.values(of: query, app: app, packed: state, on: connection)
        return PackedSnapshot(app: app, state: state, query: query, texts: texts, properties: properties)
    }

    /// The parts of a plan beside the delta, those that take longest first.
    var wholeParts: [ScanPart] {
        (query.needs.contains(.postDetails) ? [.postDetails] : [])
            + (query.needs.contains(.sharedDevices) ? [.sharedDevices] : [])
            + (query.needs.contains(.storyPosts) ? [.posts] : []) + [.links]
            + (query.needs.contains(.refs) ? [.stories] : [])
    }

    /// - Parameter readers: how many connections share the plan, and the memory for its events.
    func read(
        _ part: ScanPart,
        sharedBy readers: Int,
        on connection: isolated PostgresConnection
    ) throws -> ScanPartResult {
        switch part {
        case .delta(let part):
            var events = EncodedEvents.Builder(sharedBy: readers)
            let scan = DeltaScan(
                query,
                app: app,
                from: state.packedThrough,
                part: part,
                findsUsers: false,
                hash: state.hash,
                on: connection
            )
            try scan.forEachEvent(of: app, dictionary: events.dictionary, on: connection) { events.append($0) }
            return .delta(events.finish())
        case .links:
            return .links(try ChangedLinks.read(app: app, state: state, on: connection))
        case .stories:
            let dictionary = TimelineDictionary(sharing: texts)
            return .stories(try ChangedStories.read(app: app, state: state, dictionary: dictionary, on: connection))
        case .posts:
            return .posts(try StoryPosts(app: app.number, state: state, limit: query.postLimit, on: connection))
        case .postDetails:
            return .postDetails(try postDetails(on: connection))
        case .sharedDevices:
            let limit = query.sharedDeviceLimit
            return .sharedDevices(
                try planned(.byOrder, on: connection) { try SharedDevices(app: app, limit: limit, on: connection) }
            )
        }
    }

    /// Reads many events, among parts that look up few.
    private func planned<Result>(
        _ planning: ScanPlanning,
        on connection: isolated PostgresConnection,
        _ read: () throws -> Result
    ) throws -> Result {
        try planning.apply(on: connection)
        let result = try read()
        try ScanPlanning.byLookup.apply(on: connection)
        return result
    }

    /// What is known of all posts.
    private func postDetails(on connection: isolated PostgresConnection) throws -> PostDetails {
        if query.needs.isDisjoint(with: [.posters, .openGraph]) {
            var posts = TimelineQuery.all([.feedPost], needs: [.ids, .refs])
            posts.postLimit = query.postLimit
            let snapshot = PackedSnapshot(app: app, state: state, query: posts, texts: texts, properties: nil)
            return try PostDetails(ofAllPosts: snapshot, on: connection)
        }
        let dictionary = TimelineDictionary(sharing: texts)
        return try planned(.byHash, on: connection) {
            try PostDetails(query, app: app, dictionary: dictionary, on: connection)
        }
    }
}
