import Events
import Time
import Postgres
import Storage

/// The events of an app that were stored by some transactions (`sql/timelines/delta.sql`).
struct DeltaScan {
    /// One of several parts of about the same size.
    struct Part: Sendable {
        var index: Int
        /// A power of 2.
        var count: Int

        static let whole = Part(index: 0, count: 1)
    }

    /// The scan itself, for statements that do more with it.
    let statement: BoundStatement
    private let hash: KeyedHash

    /// - Parameters:
    ///   - from: the transaction from which on.
    ///   - before: the transaction before which.
    ///   - month: the only one, by its first day; nil for all.
    ///   - needsStories: whether events are wanted with their story, though the query is not for its posts.
    init(
        _ query: TimelineQuery,
        app: App,
        from: Int64,
        before: Int64 = .max,
        month: String? = nil,
        part: Part = .whole,
        needsStories: Bool = false,
        hash: KeyedHash
    ) {
        let parameters = [
            "stored_from": String(from),
            "stored_before": String(before),
            "occurred_from": month.map { "\($0) 00:00:00+00" } ?? "-infinity",
            "occurred_before": month.map { "\(Self.monthAfter($0)) 00:00:00+00" } ?? "infinity",
            "part": String(part.index),
            "part_mask": String(part.count - 1),
            "needs_stories": String(needsStories || query.needsStoryPosts),
        ]
        statement = BoundStatement(
            StoredSQL.delta,
            TimelineSettings(query, app: app).parameters.merging(parameters) { $1 }
        )
        self.hash = hash
    }

    /// - Parameter month: as `2026-12-01`.
    private static func monthAfter(_ month: String) -> String {
        guard let start = Timestamp(rfc3339: month + "T00:00:00Z") else { return month }
        return start.advanced(by: .seconds(31 * 86_400)).monthText
    }

    /// - Parameter body: gets each event, and whether its story is the id of a post.
    func forEachEvent(
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (SegmentEvent, Bool) throws -> Void
    ) throws {
        try Self.forEachEvent(
            of: statement.copyOut,
            hash: hash,
            dictionary: dictionary,
            on: connection,
            body
        )
    }

    /// The events of a statement that gives the columns of `sql/timelines/delta.sql`.
    static func forEachEvent(
        of statement: String,
        hash: KeyedHash,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (SegmentEvent, Bool) throws -> Void
    ) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        try connection.copyOut(statement) { row in
            let person = try PersonHash(reading: &row, hash)
            let key = try PersonHash(reading: &row, hash)
            guard let event = try reader.event(&row) else { throw TimelineError.unknownLabel("event_type") }
            var packed = SegmentEvent(
                person: person,
                key: key ?? person ?? PersonHash(high: 0, low: 0),
                event: event
            )
            if let story = try row.nextOptionalEventID() { packed.story = story }
            let hasPostID = try row.nextOptionalBool() ?? false
            let hasOwnRefs = try row.nextOptionalBool() ?? false
            if hasOwnRefs, packed.hasStory { packed.story = packed.story.besideOwnRefs }
            try body(packed, hasPostID && packed.hasStory)
        }
    }
}
