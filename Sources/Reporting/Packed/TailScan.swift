import Events
import InboundLinks
import Postgres
import Storage

/// The events of an app that were stored by some transactions (`sql/timelines/tail.sql`).
struct TailScan {
    /// From so many events on links are joined by hash, all at once: a look-up costs a few microseconds for each.
    private static let hashJoinMinimum: Int64 = 50_000

    private let settings: TimelineSettings
    private let hash: KeyedHash

    /// - Parameters:
    ///   - from: the transaction from which on.
    ///   - before: the transaction before which.
    ///   - month: the only one, by its first day; nil for all.
    ///   - isLarge: whether there are many (``isLarge(app:from:on:)``). The planner does not know: what came last is not in
    ///     its statistics yet.
    ///   - needsStories: whether events are wanted with their story.
    init(
        _ demand: TimelineDemand,
        app: App,
        from: Int64,
        before: Int64 = .max,
        month: String? = nil,
        isLarge: Bool,
        needsStories: Bool = false,
        hash: KeyedHash
    ) {
        settings = TimelineSettings(
            demand,
            app: app,
            joinsByHash: isLarge,
            and: [
                ("tributary.stored_from", String(from)),
                ("tributary.stored_before", String(before)),
                ("tributary.occurred_from", month.map { "\($0) 00:00:00+00" } ?? "-infinity"),
                ("tributary.occurred_before", month.map { "\(Self.monthAfter($0)) 00:00:00+00" } ?? "infinity"),
                ("tributary.needs_stories", String(needsStories)),
            ]
        )
        self.hash = hash
    }

    /// Whether so many events were stored by transactions from one on that it is cheaper to join all links.
    static func isLarge(app: App, from: Int64, on connection: isolated PostgresConnection) throws -> Bool {
        try connection.query(
            StoredSQL.isLargeTail,
            [.int(Int64(app.number)), .int(from), .int(hashJoinMinimum)]
        ).first?.bool(0) ?? false
    }

    /// The same for a number of events that is known.
    static func isLarge(_ count: Int) -> Bool { count > hashJoinMinimum }

    /// - Parameter month: as `2026-12-01`.
    private static func monthAfter(_ month: String) -> String {
        guard let start = Timestamp(rfc3339: month + "T00:00:00Z") else { return month }
        return start.advanced(by: .seconds(31 * 86_400)).monthText
    }

    /// Sets the parameters for the transaction at hand.
    func apply(on connection: isolated PostgresConnection) throws {
        try settings.apply(on: connection)
    }

    /// - Parameter body: gets each event, and whether its story is the id of a post.
    func forEachEvent(
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (PackedEvent, Bool) throws -> Void
    ) throws {
        try apply(on: connection)
        try Self.forEachEvent(
            of: "copy (\(StoredSQL.asOneStatement(StoredSQL.tail))) to stdout (format binary)",
            hash: hash,
            dictionary: dictionary,
            on: connection,
            body
        )
    }

    /// The events of a statement that gives the columns of `sql/timelines/tail.sql`.
    static func forEachEvent(
        of statement: String,
        hash: KeyedHash,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (PackedEvent, Bool) throws -> Void
    ) throws {
        let reader = TimelineRowReader(dictionary: dictionary)
        try connection.copyOut(statement) { row in
            let person = try Self.person(&row, hash)
            let key = try Self.person(&row, hash)
            guard let event = try reader.event(&row) else { throw TimelineError.unknownLabel("event_type") }
            var packed = PackedEvent(
                person: person,
                key: key ?? person ?? PersonHash(high: 0, low: 0),
                event: event
            )
            if let story = try row.nextOptionalUUID() { packed.story = EventID(high: story.high, low: story.low) }
            let hasPostID = try row.nextOptionalBool() ?? false
            try body(packed, hasPostID && packed.hasStory)
        }
    }

    private static func person(_ row: inout PostgresCopyRow, _ hash: KeyedHash) throws -> PersonHash? {
        let high = try row.nextOptionalInt64()
        guard let text = try row.nextUnsafeBytes(), let high else { return nil }
        return PersonHash(high: UInt64(bitPattern: high), low: hash(text))
    }
}
