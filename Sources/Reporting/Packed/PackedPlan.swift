import Events
import InboundLinks
import Postgres
import Storage

/// What a reader of packed timelines knows before it reads them: how far they go, what has changed since they were packed,
/// and the events since. All of one snapshot; several readers on several connections share it.
struct PackedPlan: Sendable {
    let appNumber: Int32
    let generation: Int
    let demand: TimelineDemand
    let events: Int
    let links: ChangedLinks
    let stories: ChangedStories
    let texts: SharedTexts
    /// The events that are not packed, by bucket, in no order.
    let tail: [[PackedEvent]]

    /// Reads it inside the transaction at hand.
    ///
    /// - Parameter texts: what the codes of its events are of.
    /// - Returns: nil where nothing is packed, or where what is packed does not tell what is wanted: which post a touch
    ///   came from.
    static func read(
        _ demand: TimelineDemand,
        app: App,
        texts: SharedTexts,
        on connection: isolated PostgresConnection
    ) throws -> PackedPlan? {
        guard !demand.needsStoryPosts else { return nil }
        guard let state = try PackedState.read(app: app.number, on: connection), !state.isEmpty else { return nil }
        let dictionary = TimelineDictionary(sharing: texts)
        var tail = [[PackedEvent]](repeating: [], count: PersonHash.bucketCount)
        let scan = TailScan(
            demand,
            app: app,
            from: state.packedThrough,
            isLarge: try TailScan.isLarge(app: app, from: state.packedThrough, on: connection),
            hash: state.hash
        )
        try scan.forEachEvent(dictionary: dictionary, on: connection) { event, _ in
            tail[event.bucket].append(event)
        }
        return PackedPlan(
            appNumber: app.number,
            generation: state.generation,
            demand: demand,
            events: state.events,
            links: try links(app: app, state: state, on: connection),
            stories: demand.needsRefs
                ? try stories(app: app, state: state, dictionary: dictionary, on: connection) : ChangedStories(),
            texts: texts,
            tail: tail
        )
    }

    static func links(
        app: App,
        state: PackedState,
        on connection: isolated PostgresConnection
    ) throws -> ChangedLinks {
        let rows = try connection.query(
            StoredSQL.changedLinks,
            [.int(Int64(app.number)), .int(state.linkedThrough)]
        )
        var changes: [(key: PersonHash, person: PersonHash)] = []
        changes.reserveCapacity(rows.count)
        for row in rows {
            let key = PersonHash(high: UInt64(bitPattern: try row.int64(1)), low: state.hash(try row.text(0)))
            let person = PersonHash(high: UInt64(bitPattern: try row.int64(3)), low: state.hash(try row.text(2)))
            changes.append((key, person))
        }
        return ChangedLinks(changes)
    }

    static func stories(
        app: App,
        state: PackedState,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection
    ) throws -> ChangedStories {
        let rows = try connection.query(
            StoredSQL.changedStories,
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
