import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// Packs an app's events into timelines, in transactions of bounded size. All that it writes can be derived again.
package struct TimelinePacker: Sendable {
    let pool: PostgresPool
    let app: App
    /// The most events that are packed together, as one segment.
    var eventsAtOnce = BucketRanges.eventsAtOnce

    package init(app: App, pool: PostgresPool) {
        self.app = app
        self.pool = pool
    }

    var number: PostgresValue { .int(Int64(app.number)) }

    /// Everything that is stored of every event.
    static let wholeQuery = TimelineQuery(
        types: Set(EventType.allCases),
        // The first and the last instant of RFC 3339.
        touchesFrom: Timestamp(microseconds: -62_135_596_800_000_000),
        eventsFrom: Timestamp(microseconds: -62_135_596_800_000_000),
        through: Timestamp(microseconds: 253_402_300_799_000_000),
        needs: .packed
    )

    /// The same with the declared properties of an app as they are now, whatever the caller knows of the app.
    static func wholeQuery(of app: App, on connection: isolated PostgresConnection) throws -> TimelineQuery {
        var query = wholeQuery
        let declared = try connection.query(TimelineSQL.selectDeclaredProperties, [.int(Int64(app.number))])
        for (place, row) in declared.enumerated() {
            query.properties[place] = AppProperty(try row.text(2), kind: try row.text(0), valueLimit: try row.int(1))
        }
        return query
    }

    /// Packs the oldest events of the delta.
    ///
    /// - Parameters:
    ///   - ends: the transactions before which to pack, in order (``DeltaCount``). All transactions before the last one
    ///     have ended. The events between two ends are read, encoded and written together, which bounds the memory.
    ///   - start: the watermark at the time of the count. If it has moved back since, nothing is packed, because the
    ///     first piece would have all events from there on. The caller must count again.
    /// - Returns: how many events were packed, and the new watermark.
    func pack(before ends: [Int64], countedFrom start: Int64) async throws -> (events: Int, through: Int64) {
        try await pool.withConnection { try $0.execute(TimelineSQL.insertTimelineState, [number]) }
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

    /// Packs inside the caller's transaction. Encoded rows wait until the events before an end are read, because one
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
        let query = try Self.wholeQuery(of: app, on: connection)
        let store = SegmentStore(app: app.number, generation: state.generation)
        for end in ends where end > through {
            let dictionary = TimelineDictionary()
            let scan = DeltaScan(
                query,
                app: app,
                from: through,
                before: end,
                needsStories: true,
                hash: state.hash,
                on: connection
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
            TimelineSQL.insertChangedStories,
            [
                number, .int(state.packedThrough), .int(through),
                .timestamp(microseconds: state.lastStoryTouch.microseconds), .bool(state.hasPostIDs),
            ]
        )
        try connection.execute(
            TimelineSQL.updateTimelineState,
            [
                number, .int(through), .int(state.isEmpty ? through : state.linkedThrough),
                .int(Int64(state.events + summary.events)),
                .timestamp(microseconds: max(state.lastStoryTouch, summary.lastStoryTouch).microseconds),
                .bool(state.hasPostIDs || summary.hasPostIDs), .int(Int64(state.generation)),
                .int(Int64(segment)),
                .textArray(query.propertyIDs.filter { state.isEmpty || state.properties.contains($0) }),
            ]
        )
        return summary
    }
}

/// What must be known of packed events without reading them.
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
