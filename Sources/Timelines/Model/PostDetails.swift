package import Events
import InboundLinks
import Postgres
import Storage

/// What is known of each post that touches may have come from. It is read once for a report, and the report's readers
/// share it: 32 bytes for each post, and the texts.
package struct PostDetails: Sendable {
    /// What is known of one post.
    package struct Detail: Sendable {
        /// A code of `posters`; none for an anonymous post, and for a query that does not need posters.
        package var poster = Code.none
        /// A list of the dictionary's refs.
        package var refs = Code.none
        package var platform: Platform?
        package var composer: Composer?
        /// A code of `actionTypes`.
        package var actionType = Code.none
        /// A code of `objects`.
        package var object = Code.none
    }

    private struct Entry {
        var event: EventID
        var poster = Code.none
        var refs: Code
        /// The position in `stories`; −1: it is no Open Graph story.
        var story: Int32 = -1
        var platform: Platform?
        var composer: Composer?
    }

    /// People who posted, as the keys of people.
    package private(set) var posters = CodeTable()
    package private(set) var actionTypes = CodeTable()
    package private(set) var objects = CodeTable()
    /// Ordered by event.
    private var entries: [Entry] = []
    /// What Open Graph stories say.
    private var stories: [(actionType: Code, object: Code)] = []

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
        for post in posts {
            entries.append(
                Entry(
                    event: post.event,
                    poster: post.poster.map { posters.code(of: $0) } ?? .none,
                    refs: dictionary.refList(post.refs),
                    platform: post.platform,
                    composer: post.composer
                )
            )
            addStory(
                post.actionType.map { actionTypes.code(of: $0) } ?? .none,
                post.object.map { objects.code(of: $0) } ?? .none
            )
        }
        finish()
    }

    /// Reads what timelines tell of posts, so not the posters, inside the caller's transaction. In the table of events
    /// posts lie on nearly all pages, so reading them there takes longer.
    ///
    /// - Parameter snapshot: of a query of all feed posts.
    init(ofAllPosts snapshot: PackedSnapshot, on connection: isolated PostgresConnection) throws {
        let delta = try snapshot.read(.delta(.whole), sharedBy: 1, on: connection)
        let dictionary = TimelineDictionary(sharing: snapshot.texts)
        let types = snapshot.query.typeBits
        try SnapshotPlan(snapshot, [delta]).forEachSegment(dictionary: dictionary, on: connection) { reader in
            var story = EventID(high: 0, low: 0)
            while !reader.isAtEnd {
                for _ in 0..<reader.head.count {
                    guard let event = reader.event(&story, of: types) else { continue }
                    entries.append(
                        Entry(event: event.id, refs: event.refs, platform: event.platform, composer: event.composer)
                    )
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
        let statement = BoundStatement(
            TimelineSQL.postDetails,
            ["app_number": String(app.number), "needs_posters": String(query.needs.contains(.posters))]
        )
        let platforms = LabelTable<Platform>()
        let composers = LabelTable<Composer>()
        try connection.copyOut(statement.copyOut) { row in
            let event = try row.nextEventID()
            let poster = try row.nextUnsafeBytes().map { posters.code(of: $0) } ?? .none
            let actionType = try row.nextUnsafeBytes().map { actionTypes.code(of: $0) } ?? .none
            let object = try row.nextUnsafeBytes().map { objects.code(of: $0) } ?? .none
            entries.append(
                Entry(
                    event: event,
                    poster: poster,
                    refs: try row.nextUnsafeBytes().map { dictionary.refList(array: $0) } ?? .none,
                    platform: try platforms.value(row.nextUnsafeBytes()),
                    composer: try composers.value(row.nextUnsafeBytes())
                )
            )
            addStory(actionType, object)
        }
        finish()
    }

    /// Adds what the last entry's story says.
    private mutating func addStory(_ actionType: Code, _ object: Code) {
        if actionType.isNone, object.isNone { return }
        if stories.last.map({ $0.actionType == actionType && $0.object == object }) != true {
            stories.append((actionType, object))
        }
        entries[entries.count - 1].story = Int32(stories.count - 1)
    }

    private mutating func finish() {
        entries.sort { $0.event < $1.event }
        posters.forgetHashes()
        actionTypes.forgetHashes()
        objects.forgetHashes()
    }

    /// Where a post's details are, nil if there are none.
    package func place(of event: EventID) -> Int32? {
        let position = entries.firstPosition { $0.event >= event }
        return position < entries.count && entries[position].event == event ? Int32(position) : nil
    }

    /// What is known of the post of an event, nil if nothing is.
    package func detail(of event: EventID) -> Detail? { place(of: event).map { self[$0] } }

    /// - Parameter place: of ``place(of:)``.
    package subscript(place: Int32) -> Detail {
        let entry = entries[Int(place)]
        var detail = Detail(
            poster: entry.poster,
            refs: entry.refs,
            platform: entry.platform,
            composer: entry.composer
        )
        if entry.story >= 0 { (detail.actionType, detail.object) = stories[Int(entry.story)] }
        return detail
    }
}
