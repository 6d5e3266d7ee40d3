import InboundLinks
import Postgres
import Storage
import Time

extension TimelinePacker {
    /// What there was when packing anew began.
    struct Start: Sendable {
        var horizon: Int64
        /// Of the segments that are made, and of no others.
        var generation: Int
        var revision: Int64
        var hash: KeyedHash
        /// The months that have events, by their first day.
        var months: [String]
    }

    /// Packs all events anew, month by month, and puts the new segments in the place of the old ones in the end: reports
    /// go on with those meanwhile. Of several who do so at once the last one goes on.
    ///
    /// - Parameter progress: gets the months done, all months, and the events so far.
    /// - Returns: how many events it was.
    /// - Throws: `TimelineError.overtaken` where somebody else has begun to pack them anew.
    @discardableResult
    package func rebuild(progress: @Sendable (Int, Int, Int) -> Void = { _, _, _ in }) async throws -> Int {
        try await pool.withConnection { try $0.execute(StoredSQL.insertTimelineState, [number]) }
        while true {
            let start = try await begin()
            var summary = PackingSummary()
            for (index, month) in start.months.enumerated() {
                progress(index, start.months.count, summary.events)
                summary.add(try await rebuild(month, start))
            }
            progress(start.months.count, start.months.count, summary.events)
            if try await finish(start, summary) { return summary.events }
            // Events were removed meanwhile, and may be in the new segments.
        }
    }

    func begin() async throws -> Start {
        try await pool.withTransaction { connection in
            guard let state = try TimelineState.read(app: app.number, locking: true, on: connection) else {
                throw AppStoreError.unknown(id: app.profile.id, known: [])
            }
            // Of a rebuild that did not come to its end.
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and generation <> $2",
                [number, .int(Int64(state.generation))]
            )
            let begun = try connection.query(StoredSQL.beginGeneration, [number])[0]
            // Before the months: each statement sees what is committed by then. The first event of a month that is committed in
            // between would lie below the horizon, and in none of the months.
            let horizon = try Self.horizon(on: connection)
            let months = try connection.query(StoredSQL.selectPackableMonths, [number])
            return Start(
                horizon: horizon,
                generation: try begun.int(0),
                revision: try begun.int64(1),
                hash: state.hash,
                months: try months.map { try $0.text(0) }
            )
        }
    }

    func rebuild(_ month: String, _ start: Start) async throws -> PackingSummary {
        try await pool.withTransaction(isolation: .repeatableRead) { connection in
            _ = try revision(since: start, on: connection)
            let scan = DeltaScan(
                Self.wholeQuery,
                app: app,
                from: 0,
                before: start.horizon,
                month: month,
                needsStories: true,
                hash: start.hash
            )
            try ScanPlanning.byHash.apply(on: connection)
            try connection.executeScript(
                "create temporary table packing on commit drop as select delta.*, "
                    + "coalesce((person_hash >> 56) & 255, get_byte(uuid_send(event_id), 15))::smallint as bucket "
                    + "from (\(scan.statement.text)) as delta order by bucket; "
                    + "create index packing_by_bucket on packing (bucket); analyze packing (bucket)"
            )
            // About, by the analysis.
            let count = try connection.query(
                "select reltuples::bigint from pg_class where oid = 'packing'::regclass"
            )[0].int(0)
            var summary = PackingSummary()
            let store = SegmentStore(app: app.number, generation: start.generation)
            for buckets in Self.allBuckets(toWrite: count) {
                let dictionary = TimelineDictionary()
                var events: [SegmentEvent] = []
                // More than there will be, mostly: to grow it takes twice the memory for a moment.
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
            return summary
        }
    }

    /// - Returns: false where events were removed since the start.
    func finish(_ start: Start, _ summary: PackingSummary) async throws -> Bool {
        try await pool.withTransaction { connection in
            guard try TimelineState.read(app: app.number, locking: true, on: connection) != nil else { return false }
            guard try revision(since: start, on: connection) == start.revision else { return false }
            try connection.execute(
                StoredSQL.updateTimelineState,
                [
                    number, .int(start.horizon), .int(start.horizon), .int(Int64(summary.events)),
                    .timestamp(microseconds: summary.lastStoryTouch.microseconds), .bool(summary.hasPostIDs),
                    .int(Int64(start.generation)), .int(2),
                ]
            )
            try connection.execute(StoredSQL.deleteChangedStories, [number, .int(.max), .int(start.revision)])
            // The old ones, and what somebody who was overtaken has left.
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and generation <> $2",
                [number, .int(Int64(start.generation))]
            )
            return true
        }
    }

    /// How often something was removed until now.
    ///
    /// - Throws: `TimelineError.overtaken` where somebody else has begun since.
    private func revision(since start: Start, on connection: isolated PostgresConnection) throws -> Int64 {
        let begun = try connection.query(
            "select begun_generation, revision from timeline_state where app_number = $1",
            [number]
        ).first
        guard let begun, try begun.int(0) == start.generation else { throw TimelineError.overtaken }
        return try begun.int64(1)
    }
}
