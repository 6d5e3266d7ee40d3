import Events
import InboundLinks
import Postgres
import Storage
import Time

extension ChangedStories {
    /// The stories that got posts, or lost some, since the segments were written.
    static func read(
        app: App,
        state: TimelineState,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection
    ) throws -> ChangedStories {
        let rows = try connection.query(
            TimelineSQL.changedStories,
            [
                .int(Int64(app.number)), .int(state.packedThrough),
                .timestamp(microseconds: state.lastStoryTouch.microseconds), .bool(state.hasPostIDs),
            ]
        )
        var stories = ChangedStories()
        for row in rows {
            let word = try row.uuid(0)
            let story = EventID(high: word.high, low: word.low)
            stories.add(story: story)
            guard let id = try row.optionalUUID(2) else { continue }
            let post = ChangedStories.Post(
                time: Timestamp(microseconds: try row.timestamp(1)),
                id: EventID(high: id.high, low: id.low),
                refs: dictionary.refList(try row.optionalTextArray(3) ?? [])
            )
            stories.add(post, to: story)
        }
        return stories
    }
}
