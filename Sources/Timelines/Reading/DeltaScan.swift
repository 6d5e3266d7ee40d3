import Events
import Time
import Postgres
import Storage

/// Reads the events that some transactions of an app stored (`sql/timelines/delta.sql`).
struct DeltaScan {
    /// A part of the events, by a hash of their devices, so that several connections can share a delta.
    struct Part: Sendable {
        private(set) var shares: Range<Int>

        /// How many shares of about the same size all events have. A power of 2.
        private static let shareCount = 1024
        static let whole = Part(shares: 0..<shareCount)

        var size: Int { shares.count }
        var isEmpty: Bool { shares.isEmpty }

        /// Removes up to `size` shares.
        mutating func removeFirst(_ size: Int) -> Part {
            let end = min(shares.lowerBound + size, shares.upperBound)
            defer { shares = end..<shares.upperBound }
            return Part(shares: shares.lowerBound..<end)
        }
    }

    /// The statement itself, for statements that contain it.
    let statement: BoundStatement
    private let hash: KeyedHash

    /// - Parameters:
    ///   - from: the first transaction.
    ///   - before: the transaction after the last one.
    ///   - month: the first day of the only month; nil for all months.
    ///   - needsStories: return the story of each event, even if the query does not need story posts.
    ///   - findsUsers: find the users of devices in the statement. If not, the events of devices are the devices' own.
    init(
        _ query: TimelineQuery,
        app: App,
        from: Int64,
        before: Int64 = .max,
        month: String? = nil,
        part: Part = .whole,
        needsStories: Bool = false,
        findsUsers: Bool = true,
        hash: KeyedHash,
        on connection: isolated PostgresConnection
    ) {
        let parameters = [
            "stored_from": String(from),
            "stored_before": String(before),
            "occurred_from": month.map { "\($0) 00:00:00+00" } ?? "-infinity",
            "occurred_before": month.map { "\(Self.monthAfter($0)) 00:00:00+00" } ?? "infinity",
            "first_share": String(part.shares.lowerBound),
            "last_share": String(part.shares.upperBound - 1),
            "needs_stories": String(needsStories || !query.needs.isDisjoint(with: [.storyPosts, .storyKeys])),
            "finds_users": String(findsUsers),
        ]
        statement = BoundStatement(
            connection.text(of: TimelineSQL.delta),
            TimelineSettings(query, app: app).parameters.merging(parameters) { $1 }
        )
        self.hash = hash
    }

    /// - Parameter month: as `2026-12-01`.
    private static func monthAfter(_ month: String) -> String {
        guard let start = Timestamp(rfc3339: month + "T00:00:00Z") else { return month }
        return start.advanced(by: .seconds(31 * 86_400)).monthText
    }

    /// - Parameter body: gets each event, and whether its story was given as the id of a post.
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

    /// Reads the events of a statement that has the columns of `sql/timelines/delta.sql`.
    static func forEachEvent(
        of statement: String,
        hash: KeyedHash,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (SegmentEvent, Bool) throws -> Void
    ) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        try connection.copyOut(statement) { row in
            let (event, hasPostID) = try event(&row, reader, hash)
            try body(event, hasPostID)
        }
    }

    /// Reads the events of a scan that finds no users, then looks up the user of each device once. The statement would
    /// look them up for each event, which takes as long as all else that it does.
    ///
    /// - Parameter rows: where rows of devices wait meanwhile.
    func forEachEvent(
        of app: App,
        dictionary: TimelineDictionary,
        keeping rows: consuming DeviceRows = DeviceRows(),
        on connection: isolated PostgresConnection,
        _ body: (SegmentEvent) throws -> Void
    ) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        try connection.copyOut(statement.copyOut) { row in
            if try DeviceRows.device(of: row) == nil {
                try body(Self.event(&row, reader, hash).event)
            } else {
                rows.append(row)
            }
        }
        try rows.forEachRow(of: app, hash: hash, on: connection) { row, users in
            var event = try Self.event(&row, reader, hash).event
            if let device = event.person { event.person = users.person(of: device) ?? device }
            try body(event)
        }
    }

    private static func event(
        _ row: inout PostgresCopyRow,
        _ reader: TimelineRowReader,
        _ hash: KeyedHash
    ) throws -> (event: SegmentEvent, hasPostID: Bool) {
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
        if hasOwnRefs, packed.hasStory { packed.story = packed.story.overriddenByOwnRefs }
        return (packed, hasPostID && packed.hasStory)
    }
}
