import Events
import Time
import Postgres
import Storage

/// All posts of an app, by the stories that packed touches name: 8 bytes for each, and 20 for each story.
///
/// Where touches name posts by their ids, 48 bytes more for each post that has one.
struct StoryPosts: Sendable {
    /// A post as touches name it by its id, whenever they were.
    private struct Named {
        /// `story_of_post` of the id.
        var story: EventID
        var event: EventID
        var time: Timestamp
        var post = Code.none
    }

    /// Those of links, in order.
    private var stories: [EventID] = []
    /// Where the posts of each of these end among `posts`. They begin where those of the story before it end.
    private var ends: [Int32] = []
    /// By story.
    private var named: [Named] = []
    /// Of each story in the order of (time, id); behind all of them the posts that have an id alone.
    private(set) var posts = StoryPostTable()

    init() {}

    /// Reads it inside the transaction at hand.
    init(app: Int32, state: TimelineState, on connection: isolated PostgresConnection) throws {
        try readNamed(app: app, state: state, on: connection)
        let statement = BoundStatement(StoredSQL.postsByStory, ["app_number": String(app)])
        try connection.copyOut(statement.copyOut) { row in
            let story = try row.nextEventID()
            let post = posts.append(Timestamp(microseconds: try row.nextTimestamp()))
            if story == stories.last {
                ends[ends.count - 1] += 1
            } else {
                stories.append(story)
                ends.append(post.rawValue + 1)
            }
            name(post, of: try row.nextEventID())
        }
        for position in named.indices where named[position].post.isNone {
            named[position].post = posts.append(named[position].time)
        }
        named.sort { $0.story == $1.story ? $0.event < $1.event : $0.story < $1.story }
    }

    /// Reads the posts that touches may name by their ids, in the order of their events.
    private mutating func readNamed(app: Int32, state: TimelineState, on connection: isolated PostgresConnection) throws
    {
        let statement = BoundStatement(
            StoredSQL.postsById,
            [
                "app_number": String(app), "stored_from": String(state.packedThrough),
                "has_post_ids": String(state.hasPostIDs),
            ]
        )
        try connection.copyOut(statement.copyOut) { row in
            let story = try row.nextEventID()
            let event = try row.nextEventID()
            named.append(Named(story: story, event: event, time: Timestamp(microseconds: try row.nextTimestamp())))
        }
        named.sort { $0.event < $1.event }
    }

    /// Says of a post with a story which one it is.
    private mutating func name(_ post: Code, of event: EventID) {
        let position = named.firstPosition { $0.event >= event }
        if position < named.count, named[position].event == event { named[position].post = post }
    }

    /// The post that a touch of a story came from: the latest at or before it. None where there is none.
    func post(of story: EventID, at time: Timestamp) -> Code {
        let post = latestPost(of: story, at: time)
        return post.isNone ? latestPost(of: story.besideOwnRefs, at: time) : post
    }

    private func latestPost(of story: EventID, at time: Timestamp) -> Code {
        let position = stories.firstPosition { $0 >= story }
        if position < stories.count, stories[position] == story {
            let start = position > 0 ? Int(ends[position - 1]) : 0
            return posts.latest(of: start..<Int(ends[position]), at: time)
        }
        let next = named.firstPosition { $0.story > story }
        return next > 0 && named[next - 1].story == story ? named[next - 1].post : .none
    }
}

extension EventID {
    /// The story of a post, of a touch that has refs of its own: nobody finds it who looks for a story that gives refs. Stories are
    /// hashes, of which no two differ in their last bit alone.
    var besideOwnRefs: EventID { EventID(high: high, low: low ^ 1) }
}
