import InboundLinks
import Postgres
import Storage
import Time

extension TimelinePacker {
    /// The state in which a rebuild began.
    struct Start: Sendable {
        var horizon: Int64
        /// The number that only the segments of this rebuild have.
        var generation: Int
        var revision: Int64
        var hash: KeyedHash
        /// The first days of the months that have events.
        var months: [String]
        /// Those whose segments an interrupted rebuild has made, and what is known of their events.
        var done: Set<String> = []
        var summary = PackingSummary()
        /// Everything that is packed of every event.
        var query: TimelineQuery
    }

    /// Packs all events again, month by month, and replaces the old segments at the end. Until then reports use the
    /// old ones. Waits for another program that rebuilds the app's timelines. If a rebuild was interrupted, this one
    /// goes on with the next month, unless events were removed or properties declared since.
    ///
    /// - Parameter progress: gets the number of finished months, of all months, and of the events so far.
    /// - Returns: the number of packed events.
    /// - Throws: `TimelineError.overtaken` if another rebuild has begun nevertheless, because the session that waited
    ///   is lost.
    @discardableResult
    package func rebuild(progress: @Sendable (Int, Int, Int) -> Void = { _, _, _ in }) async throws -> Int {
        try await whileAlone { try await rebuildAlone(progress: progress) }
    }

    /// Runs a rebuild while no other program rebuilds the app's timelines: the one that began last would end the other.
    func whileAlone<R>(_ body: () async throws -> R) async throws -> R {
        // A session of its own, because the pool's may change from one transaction to the next.
        let connection = try await PostgresConnection.connect(
            to: pool.address,
            options: PostgresOptions(statementTimeout: nil)
        )
        let app = PostgresValue.int(Int64(app.number))
        do {
            try await connection.run {
                _ = try $0.execute("select pg_advisory_lock(hashtextextended('tributary rebuild', $1::integer))", [app])
            }
            let result = try await body()
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Callers are alone (``whileAlone(_:)``).
    @discardableResult
    func rebuildAlone(progress: @Sendable (Int, Int, Int) -> Void = { _, _, _ in }) async throws -> Int {
        try await pool.withConnection { try $0.execute(TimelineSQL.insertTimelineState, [number]) }
        while true {
            let start = try await begin()
            var summary = start.summary
            for (index, month) in start.months.enumerated() where !start.done.contains(month) {
                progress(index, start.months.count, summary.events)
                summary.add(try await rebuild(month, start))
            }
            progress(start.months.count, start.months.count, summary.events)
            if try await finish(start, summary) { return summary.events }
            // Events were removed in the meantime, and may be in the new segments: start again.
        }
    }

    func begin() async throws -> Start {
        try await pool.withTransaction { connection in
            guard let state = try TimelineState.read(app: app.number, locking: true, on: connection) else {
                throw AppStoreError.unknown(id: app.profile.id, known: [])
            }
            let query = try Self.wholeQuery(of: app, on: connection)
            if let unfinished = try resumed(query, state, on: connection) { return unfinished }
            // Segments of a rebuild that was interrupted.
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and generation <> $2",
                [number, .int(Int64(state.generation))]
            )
            let begun = try connection.query(TimelineSQL.beginGeneration, [number])[0]
            // The horizon comes before the months, because each statement sees what is committed by then. If the first
            // event of a month were committed in between, it would lie below the horizon and in none of the months.
            let horizon = try TransactionHorizon.read(of: app.number, on: connection)
            let start = Start(
                horizon: horizon,
                generation: try begun.int(0),
                revision: try begun.int64(1),
                hash: state.hash,
                months: try packableMonths(on: connection),
                query: query
            )
            try connection.execute(
                TimelineSQL.beginRebuild,
                [
                    number, .int(Int64(start.generation)), .int(start.horizon), .int(start.revision),
                    .textArray(query.propertyIDs),
                ]
            )
            return start
        }
    }

    private func packableMonths(on connection: isolated PostgresConnection) throws -> [String] {
        try connection.query(TimelineSQL.selectPackableMonths, [number]).map { try $0.text(0) }
    }

    /// The rebuild that was interrupted, if it can go on. It gets a new number, so that whoever began it finds itself
    /// overtaken, should it still run.
    private func resumed(
        _ query: TimelineQuery,
        _ state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws -> Start? {
        let rows = try connection.query(TimelineSQL.selectRebuild, [number, .textArray(query.propertyIDs)])
        guard let row = rows.first else { return nil }
        let generation = try connection.query(TimelineSQL.beginGeneration, [number])[0].int(0)
        let numbers = [number, .int(Int64(generation)), .int(Int64(try row.int(0)))]
        try connection.execute(TimelineSQL.renumberSegments, numbers)
        try connection.execute(TimelineSQL.renumberRebuild, numbers)
        var start = Start(
            horizon: try row.int64(1),
            generation: generation,
            revision: try row.int64(2),
            hash: state.hash,
            months: try packableMonths(on: connection),
            query: query
        )
        start.done = Set(try row.textArray(3))
        start.summary.events = try row.int(4)
        start.summary.lastStoryTouch = Timestamp(microseconds: try row.timestamp(5))
        start.summary.hasPostIDs = try row.bool(6)
        return start
    }

    func rebuild(_ month: String, _ start: Start) async throws -> PackingSummary {
        try await pool.withTransaction(isolation: .repeatableRead) { connection in
            _ = try revision(since: start, on: connection)
            let scan = DeltaScan(
                start.query,
                app: app,
                from: 0,
                before: start.horizon,
                month: month,
                needsStories: true,
                hash: start.hash,
                on: connection
            )
            try ScanPlanning.byHash.apply(on: connection)
            try connection.executeScript(
                "create temporary table packing on commit drop as select delta.*, "
                    + "coalesce((person_hash >> 56) & 255, get_byte(uuid_send(event_id), 15))::smallint as bucket "
                    + "from (\(scan.statement.text)) as delta order by bucket; "
                    + "create index packing_by_bucket on packing (bucket); analyze packing (bucket)"
            )
            // An estimate, made by `analyze`.
            let count = try connection.query(
                "select reltuples::bigint from pg_class where oid = 'packing'::regclass"
            )[0].int(0)
            var summary = PackingSummary()
            let store = SegmentStore(app: app.number, generation: start.generation)
            for buckets in BucketRanges.all(toWrite: count) {
                let dictionary = TimelineDictionary()
                var events: [SegmentEvent] = []
                // Usually a little more than needed: growing the array would take twice the memory for a moment.
                events.reserveCapacity(count / PersonHash.bucketCount * buckets.count * 9 / 8)
                try DeltaScan.forEachEvent(
                    of: "copy (select * from packing where bucket between \(buckets.lowerBound) and "
                        + "\(buckets.upperBound)) to stdout (format binary)",
                    hash: start.hash,
                    dictionary: dictionary,
                    on: connection
                ) { event, hasPostID in
                    summary.add(event, hasPostID: hasPostID)
                    events.append(event)
                }
                store.append(&events, segment: 1, dictionary: dictionary)
                try store.write(on: connection)
            }
            try connection.execute(
                TimelineSQL.noteRebuiltMonth,
                [
                    number, .text(month), .int(Int64(summary.events)),
                    .timestamp(microseconds: summary.lastStoryTouch.microseconds), .bool(summary.hasPostIDs),
                ]
            )
            return summary
        }
    }

    /// - Returns: false if events were removed since the start.
    func finish(_ start: Start, _ summary: PackingSummary) async throws -> Bool {
        try await pool.withTransaction { connection in
            guard try TimelineState.read(app: app.number, locking: true, on: connection) != nil else { return false }
            guard try revision(since: start, on: connection) == start.revision else { return false }
            // A property may have been removed in the meantime; new segments lack it.
            let declared = try Self.wholeQuery(of: app, on: connection).propertyIDs
            try connection.execute(
                TimelineSQL.updateTimelineState,
                [
                    number, .int(start.horizon), .int(start.horizon), .int(Int64(summary.events)),
                    .timestamp(microseconds: summary.lastStoryTouch.microseconds), .bool(summary.hasPostIDs),
                    .int(Int64(start.generation)), .int(2),
                    .textArray(start.query.propertyIDs.filter(declared.contains)),
                ]
            )
            try connection.execute("delete from timeline_rebuild where app_number = $1", [number])
            try connection.execute(TimelineSQL.deleteChangedStories, [number, .int(.max), .int(start.revision)])
            // The old segments, and those of a rebuild that was overtaken.
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and generation <> $2",
                [number, .int(Int64(start.generation))]
            )
            return true
        }
    }

    /// The app's revision, which counts removals of events.
    ///
    /// - Throws: `TimelineError.overtaken` if another rebuild has begun.
    private func revision(since start: Start, on connection: isolated PostgresConnection) throws -> Int64 {
        let begun = try connection.query(
            "select begun_generation, revision from timeline_state where app_number = $1",
            [number]
        ).first
        guard let begun, try begun.int(0) == start.generation else { throw TimelineError.overtaken }
        return try begun.int64(1)
    }
}
