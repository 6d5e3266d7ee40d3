package import Events
import Postgres
import Storage

extension PostDetails {
    /// A post that the details are made from.
    package struct Post {
        package var event: EventID
        /// The person, as a person's key in a timeline; nil for an anonymous post.
        package var poster: String?
        package var refs: [String] = []
        package var platform: Platform?
        package var composer: Composer?
        package var actionType: String?
        package var object: String?

        package init(event: EventID, poster: String?) {
            self.event = event
            self.poster = poster
        }
    }

    /// - Parameter dictionary: gets the refs.
    package init(_ posts: [Post], dictionary: TimelineDictionary) {
        self.init()
        for post in posts {
            append(
                post.event,
                Detail(
                    poster: post.poster.map { posters.code(of: $0) } ?? .none,
                    refs: dictionary.refList(post.refs),
                    platform: post.platform,
                    composer: post.composer,
                    actionType: post.actionType.map { actionTypes.code(of: $0) } ?? .none,
                    object: post.object.map { objects.code(of: $0) } ?? .none
                )
            )
        }
        finish()
    }

    /// Reads what timelines tell of posts, so not the posters, inside the caller's transaction. In the table of events
    /// posts lie on nearly all pages, so reading them there takes longer.
    ///
    /// - Parameter snapshot: of a query of all feed posts.
    /// - Throws: `TimelineError.tooManyPosts`.
    init(ofAllPosts snapshot: PackedSnapshot, on connection: isolated PostgresConnection) throws {
        self.init()
        let delta = try snapshot.read(.delta(.whole), sharedBy: 1, on: connection)
        let dictionary = TimelineDictionary(sharing: snapshot.texts)
        let types = snapshot.query.typeBits
        let limit = snapshot.query.postLimit
        try SnapshotPlan(snapshot, [delta]).forEachSegment(dictionary: dictionary, on: connection) { reader in
            if size + dictionary.size > limit { throw TimelineError.tooManyPosts }
            var event = TimelineEvent.blank
            var story = EventID(high: 0, low: 0)
            while !reader.isAtEnd {
                for _ in 0..<reader.head.count {
                    guard reader.read(&event, &story, of: types) else { continue }
                    append(event.id, Detail(refs: event.refs, platform: event.platform, composer: event.composer))
                }
                reader.advance()
            }
        }
        finish()
    }

    /// Reads the details inside the caller's transaction. If posters are needed, all links are joined by hash.
    ///
    /// - Parameter dictionary: gets the refs.
    init(
        _ query: TimelineQuery,
        app: App,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection
    ) throws {
        self.init()
        let statement = BoundStatement(
            TimelineSQL.postDetails,
            ["app_number": String(app.number), "needs_posters": String(query.needs.contains(.posters))]
        )
        let platforms = LabelTable<Platform>()
        let composers = LabelTable<Composer>()
        try connection.copyOut(statement.copyOut) { row in
            // A third is the hashes of texts and the events of posts, which are not kept.
            if count.isMultiple(of: 4_096), (size + dictionary.size) / 3 * 2 > query.postLimit {
                throw TimelineError.tooManyPosts
            }
            let event = try row.nextEventID()
            var detail = Detail()
            detail.poster = try row.nextUnsafeBytes().map { posters.code(of: $0) } ?? .none
            detail.actionType = try row.nextUnsafeBytes().map { actionTypes.code(of: $0) } ?? .none
            detail.object = try row.nextUnsafeBytes().map { objects.code(of: $0) } ?? .none
            detail.refs = try row.nextUnsafeBytes().map { dictionary.refList(array: $0) } ?? .none
            detail.platform = try platforms.value(row.nextUnsafeBytes())
            detail.composer = try composers.value(row.nextUnsafeBytes())
            append(event, detail)
        }
        finish()
    }
}
