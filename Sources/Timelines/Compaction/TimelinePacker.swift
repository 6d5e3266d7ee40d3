import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// Packs an app's events into timelines, in transactions of bounded size. Everything that it makes can be made again.
package struct TimelinePacker: Sendable {
    /// Buckets that are read or written at once, where the size of what is in them does not matter.
    static let bucketsAtOnce = 16

    /// All buckets, as many at once.
    static let allBuckets: [ClosedRange<Int>] = allBuckets(atOnce: bucketsAtOnce)

    /// All buckets, as many at once as are to be written anew of so many events in all.
    static func allBuckets(toWrite events: Int) -> [ClosedRange<Int>] {
        var count = bucketsAtOnce
        while count > 1, events / PersonHash.bucketCount * count > defaultEventsAtOnce { count /= 2 }
        return allBuckets(atOnce: count)
    }

    /// - Parameter count: a divisor of the number of buckets.
    private static func allBuckets(atOnce count: Int) -> [ClosedRange<Int>] {
        stride(from: 0, to: PersonHash.bucketCount, by: count).map { $0...$0 + count - 1 }
    }

    let pool: PostgresPool
    let app: App
    /// Events that are packed together, as one segment, at most.
    var eventsAtOnce = defaultEventsAtOnce
    /// Bounds the memory of whatever packs, and of what is written anew. As events they take some 170 bytes each, encoded 50.
    static let defaultEventsAtOnce = 25_000

    package init(app: App, pool: PostgresPool) {
        self.app = app
        self.pool = pool
    }

    var number: PostgresValue { .int(Int64(app.number)) }

    /// All that is stored of every event.
    static let wholeQuery = TimelineQuery(
        types: Set(EventType.allCases),
        // The years that RFC 3339 has.
        touchesFrom: Timestamp(microseconds: -62_135_596_800_000_000),
        eventsFrom: Timestamp(microseconds: -62_135_596_800_000_000),
        through: Timestamp(microseconds: 253_402_300_799_000_000),
        needsRefs: true,
        needsReferers: true,
        needsTargets: true
    )

    /// Packs the oldest of what was stored since the last time.
    ///
    /// - Parameters:
    ///   - ends: the transactions before which to pack, in their order (``DeltaCount``); all below the last one have ended. What
    ///     lies between two is read, encoded and written at once, which bounds the memory.
    ///   - start: the transaction before which all were packed when these were counted. Where it has gone back since, nothing is
    ///     packed, and all is to be counted anew: the first piece would have everything from there on.
    /// - Returns: how many events it was, and the transaction before which all are packed.
    func pack(before ends: [Int64], countedFrom start: Int64) async throws -> (events: Int, through: Int64) {
        try await pool.withConnection { try $0.execute(StoredSQL.insertTimelineState, [number]) }
        return try await pool.withTransaction(isolation: .repeatableRead, attempts: 5) { connection in
            guard let state = try TimelineState.read(app: app.number, locking: true, on: connection) else {
                return (0, 0)
            }
            guard let end = ends.last, end > state.packedThrough, start <= state.packedThrough else {
                return (0, state.packedThrough)
            }
            try ScanPlanning.byLookup.apply(on: connection)
            return (try pack(before: ends, after: state, on: connection).events, end)
        }
    }

    /// Packs in the transaction at hand. Encoded rows wait until the events before an end have been read, since one
    /// connection does both.
    private func pack(
        before ends: [Int64],
        after state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws -> PackingSummary {
        var summary = PackingSummary()
        var events: [SegmentEvent] = []
        var segment = state.nextSegment
        var through = state.packedThrough
        let store = SegmentStore(app: app.number, generation: state.generation)
        for end in ends where end > through {
            let dictionary = TimelineDictionary()
            let scan = DeltaScan(
                Self.wholeQuery,
                app: app,
                from: through,
                before: end,
                needsStories: true,
                hash: state.hash
            )
            try scan.forEachEvent(dictionary: dictionary, on: connection) { event, hasPostID in
                summary.add(event, hasPostID: hasPostID)
                events.append(event)
                if events.count == eventsAtOnce {
                    store.append(&events, segment: segment, dictionary: dictionary)
                    segment += 1
                }
            }
            store.append(&events, segment: segment, dictionary: dictionary)
            segment += 1
            try store.write(on: connection)
            through = end
        }
        try connection.execute(
            StoredSQL.insertChangedStories,
            [
                number, .int(state.packedThrough), .int(through),
                .timestamp(microseconds: state.lastStoryTouch.microseconds), .bool(state.hasPostIDs),
            ]
        )
        try connection.execute(
            StoredSQL.updateTimelineState,
            [
                number, .int(through), .int(state.isEmpty ? through : state.linkedThrough),
                .int(Int64(state.events + summary.events)),
                .timestamp(microseconds: max(state.lastStoryTouch, summary.lastStoryTouch).microseconds),
                .bool(state.hasPostIDs || summary.hasPostIDs), .int(Int64(state.generation)),
                .int(Int64(segment)),
            ]
        )
        return summary
    }

    /// Every transaction below it has ended.
    static func horizon(on connection: isolated PostgresConnection) throws -> Int64 {
        try connection.query("select transaction_horizon()").first?.int64(0) ?? 0
    }
}

/// What is to be known of packed events without reading them.
struct PackingSummary: Sendable {
    var events = 0
    var lastStoryTouch = Timestamp(microseconds: .min)
    var hasPostIDs = false

    mutating func add(_ event: SegmentEvent, hasPostID: Bool) {
        events += 1
        if event.hasStory { lastStoryTouch = max(lastStoryTouch, event.event.occurredAt) }
        if hasPostID { hasPostIDs = true }
    }

    mutating func add(_ other: PackingSummary) {
        events += other.events
        lastStoryTouch = max(lastStoryTouch, other.lastStoryTouch)
        hasPostIDs = hasPostIDs || other.hasPostIDs
    }
}
