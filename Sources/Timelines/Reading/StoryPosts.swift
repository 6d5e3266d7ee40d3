import Cryptography
import Events
import Time
import Postgres
import Storage

/// All posts of an app, by the stories that packed touches name: 24 bytes for each post, and 20 for each story.
///
/// If touches name posts by their ids, 20 bytes more for each post that has one, and 48 while they are read.
struct StoryPosts: Sendable {
    /// A post that touches name by its id. Such a touch may be earlier than the post.
    private struct Named {
        /// `story_of_post` of the post's id.
        var story: EventID
        var event: EventID
        var time: Timestamp
        var post = Code.none
    }

    /// The stories that are links, in order.
    private var stories: [EventID] = []
    /// For each story, where its posts end in `posts`. They begin where those of the story before end.
    private var ends: [Int32] = []
    /// The stories that are ids of posts, in order; several posts may have the same.
    private var namedStories: [EventID] = []
    /// The post of each of these.
    private var namedPosts: [Code] = []
    /// The posts of each story, ordered by (time, id), then the posts that have only an id.
    private(set) var posts = StoryPostTable()

    init() {}

    /// In bytes.
    private var size: Int { stories.count * 16 + ends.count * 4 + posts.size }

    /// Reads the posts inside the caller's transaction.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: `TimelineError.tooManyPosts`.
    init(app: Int32, state: TimelineState, limit: Int, on connection: isolated PostgresConnection) throws {
        var named = try Self.readNamed(app: app, state: state, limit: limit, on: connection)
        let statement = BoundStatement(TimelineSQL.postsByStory, ["app_number": String(app)])
        try connection.copyOut(statement.copyOut) { row in
            let story = try row.nextEventID()
            let time = Timestamp(microseconds: try row.nextTimestamp())
            let event = try row.nextEventID()
            let post = posts.append(time, event: event)
            if post.index.isMultiple(of: 4_096), size + Self.size(of: named) > limit {
                throw TimelineError.tooManyPosts
            }
            if story == stories.last {
                ends[ends.count - 1] += 1
            } else {
                stories.append(story)
                ends.append(post.rawValue + 1)
            }
            let position = named.firstPosition { $0.event >= event }
            if position < named.count, named[position].event == event { named[position].post = post }
        }
        for position in named.indices where named[position].post.isNone {
            named[position].post = posts.append(named[position].time, event: named[position].event)
        }
        named.sort { $0.story == $1.story ? $0.event < $1.event : $0.story < $1.story }
        namedStories = named.map(\.story)
        namedPosts = named.map(\.post)
    }

    private static func size(of named: [Named]) -> Int { named.count * MemoryLayout<Named>.stride }

    /// Adds what is known of all posts.
    mutating func attach(_ details: PostDetails, isAskedByEvent: Bool) {
        posts.attach(details, isAskedByEvent: isAskedByEvent)
    }

    /// Reads the posts that touches may name by their ids, ordered by event.
    private static func readNamed(
        app: Int32,
        state: TimelineState,
        limit: Int,
        on connection: isolated PostgresConnection
    ) throws -> [Named] {
        var named: [Named] = []
        let statement = BoundStatement(
            connection.text(of: TimelineSQL.postsById),
            [
                "app_number": String(app), "stored_from": String(state.packedThrough),
                "has_post_ids": String(state.hasPostIDs),
            ]
        )
        try connection.copyOut(statement.copyOut) { row in
            if named.count.isMultiple(of: 4_096), size(of: named) > limit { throw TimelineError.tooManyPosts }
            guard let id = try row.nextUnsafeBytes() else { return }
            let story = EventID(storyOfPost: id)
            let event = try row.nextEventID()
            named.append(Named(story: story, event: event, time: Timestamp(microseconds: try row.nextTimestamp())))
        }
        named.sort { $0.event < $1.event }
        return named
    }

    /// The post that a touch of a story came from: the latest at or before it, or `none`.
    func post(of story: EventID, at time: Timestamp) -> Code {
        let post = latestPost(of: story, at: time)
        return post.isNone ? latestPost(of: story.overriddenByOwnRefs, at: time) : post
    }

    private func latestPost(of story: EventID, at time: Timestamp) -> Code {
        let position = stories.firstPosition { $0 >= story }
        if position < stories.count, stories[position] == story {
            let start = position > 0 ? Int(ends[position - 1]) : 0
            return posts.latest(of: start..<Int(ends[position]), at: time)
        }
        let next = namedStories.firstPosition { $0 > story }
        return next > 0 && namedStories[next - 1] == story ? namedPosts[next - 1] : .none
    }
}

extension EventID {
    /// `story_of_post` of a post's id, which costs PostgreSQL 2 µs and more.
    fileprivate init(storyOfPost id: UnsafeRawBufferPointer) {
        let digest = SHA256.hash(Array("post ".utf8) + id)
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(digest[..<8]), low: half(digest[8..<16]))
    }

    /// The story of a touch that has refs of its own and names a post. It differs from the post's story, so that
    /// looking up refs by story does not find it. Stories are hashes, and no two differ only in their last bit.
    var overriddenByOwnRefs: EventID { EventID(high: high, low: low ^ 1) }
}
