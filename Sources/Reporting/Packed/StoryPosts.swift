import Events
import InboundLinks
import Postgres
import Storage

/// All posts of an app, by the stories that packed touches name (`sql/timelines/story_posts.sql`): some 30 bytes for each entry
/// and 60 for each post.
struct StoryPosts: Sendable {
    private struct Entry {
        var story: EventID
        /// In microseconds: from when on touches of the story come from the post.
        var from: Int64
        var post: Code
    }

    /// By story, then in the order of (time, id) of its posts.
    private var entries: [Entry] = []
    /// What the codes of posts are of.
    private(set) var posts = StoryPostTable()

    init() {}

    /// Reads it inside the transaction at hand.
    init(app: Int32, state: PackedState, on connection: isolated PostgresConnection) throws {
        let statement = BoundStatement(
            StoredSQL.storyPosts,
            [
                "app_number": String(app), "stored_from": String(state.packedThrough),
                "has_post_ids": String(state.hasPostIDs),
            ]
        )
        var (entries, posts) = ([Entry](), StoryPostTable())
        try connection.copyOut(statement.copyOut) { row in
            let story = try row.nextUUID()
            let from = try row.nextTimestamp()
            let id = try row.nextUUID()
            let post = posts.code(
                ofPost: EventID(high: id.high, low: id.low),
                at: Timestamp(microseconds: try row.nextTimestamp())
            )
            entries.append(Entry(story: EventID(high: story.high, low: story.low), from: from, post: post))
        }
        entries.sort { first, second in
            if first.story != second.story { return first.story < second.story }
            return first.from == second.from
                ? posts.id(of: first.post) < posts.id(of: second.post) : first.from < second.from
        }
        self.entries = entries
        self.posts = posts
    }

    /// The post that a touch of a story came from: the latest at or before it. None where there is none.
    func post(of story: EventID, at time: Timestamp) -> Code {
        var (low, high) = (0, entries.count)
        // To the first that is later, or of a later story.
        while low < high {
            let middle = (low + high) / 2
            let entry = entries[middle]
            if entry.story == story ? entry.from <= time.microseconds : entry.story < story {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 && entries[low - 1].story == story ? entries[low - 1].post : .none
    }
}
