import Events
import InboundLinks
import Postgres
import Storage

/// All posts of an app, by the stories that packed touches name (`sql/timelines/story_posts.sql`): 40 bytes for each, and twice
/// that while they are read.
struct StoryPosts: Sendable {
    private struct Entry {
        var story: EventID
        /// In microseconds: from when on touches of the story come from the post.
        var from: Int64
        /// In the order of ids.
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
        var entries: [Entry] = []
        // Of the rows, one after the other; a post may have two.
        var rows: [(id: EventID, time: Timestamp)] = []
        try connection.copyOut(statement.copyOut) { row in
            let story = try row.nextUUID()
            let from = try row.nextTimestamp()
            let id = try row.nextUUID()
            let entry = Entry(
                story: EventID(high: story.high, low: story.low),
                from: from,
                post: Code(rawValue: Int32(rows.count))
            )
            entries.append(entry)
            rows.append((EventID(high: id.high, low: id.low), Timestamp(microseconds: try row.nextTimestamp())))
        }
        let (codes, times) = Self.number(rows)
        for position in entries.indices { entries[position].post = codes[entries[position].post.index] }
        entries.sort { first, second in
            if first.story != second.story { return first.story < second.story }
            return first.from == second.from ? first.post.rawValue < second.post.rawValue : first.from < second.from
        }
        self.entries = entries
        posts = StoryPostTable(numbered: times)
    }

    /// Numbers posts by their ids. - Returns: the code of each row, and the time of each code.
    private static func number(_ rows: [(id: EventID, time: Timestamp)]) -> (codes: [Code], times: [Timestamp]) {
        var codes = Array(repeating: Code.none, count: rows.count)
        var times: [Timestamp] = []
        var last: EventID?
        for row in rows.indices.sorted(by: { rows[$0].id < rows[$1].id }) {
            if rows[row].id != last { times.append(rows[row].time) }
            last = rows[row].id
            codes[row] = Code(rawValue: Int32(times.count - 1))
        }
        return (codes, times)
    }

    /// The post that a touch of a story came from: the latest at or before it. None where there is none.
    func post(of story: EventID, at time: Timestamp) -> Code {
        let post = entryPost(of: story, at: time)
        return post.isNone ? entryPost(of: story.besideOwnRefs, at: time) : post
    }

    private func entryPost(of story: EventID, at time: Timestamp) -> Code {
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

extension EventID {
    /// The story of a post, of a touch that has refs of its own: nobody finds it who looks for a story that gives refs. Stories are
    /// hashes, of which no two differ in their last bit alone.
    var besideOwnRefs: EventID { EventID(high: high, low: low ^ 1) }
}
