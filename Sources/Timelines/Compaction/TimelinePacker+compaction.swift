import InboundLinks
import Postgres
import Storage

extension TimelinePacker {
    /// Merges segments of about one size, so that there are never many.
    ///
    /// - Parameter fanIn: fewer segments of about one size are left as they are.
    /// - Returns: how many segments were merged.
    @discardableResult
    func compact(fanIn: Int = SegmentGroup.fanIn) async throws -> Int {
        var count = 0
        while let (group, number, generation) = try await nextToCompact(fanIn: fanIn) {
            for buckets in BucketRanges.all(toWrite: group.events) {
                try await pool.withTransaction { connection in
                    guard let state = try TimelineState.read(app: app.number, locking: true, on: connection),
                        state.generation == generation
                    else { return }
                    var compaction = SegmentCompaction(app: app.number, generation: generation, into: number)
                    try compaction.compact(group, buckets: buckets, on: connection)
                }
            }
            count += group.segments.count
        }
        return count
    }

    /// The next segments to compact, the number of the new segment, and their generation.
    private func nextToCompact(fanIn: Int) async throws -> (group: SegmentGroup, number: Int, generation: Int)? {
        try await pool.withTransaction { connection in
            guard let state = try TimelineState.read(app: app.number, locking: true, on: connection) else { return nil }
            let groups = try Self.groups(app: app.number, state: state, on: connection)
            guard let group = groups.lazy.compactMap({ $0.toCompact(fanIn: fanIn) }).first else { return nil }
            try Self.takeSegmentNumbers(1, app: app.number, on: connection)
            return (group, state.nextSegment, state.generation)
        }
    }

    static func takeSegmentNumbers(
        _ count: Int,
        app: Int32,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            "update timeline_state set next_segment = next_segment + $2 where app_number = $1",
            [.int(Int64(app)), .int(Int64(count))]
        )
    }

    /// The segments of an app, by month and kind.
    static func groups(
        app: Int32,
        state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws -> [SegmentGroup] {
        let rows = try connection.query(
            TimelineSQL.selectSegments,
            [.int(Int64(app)), .int(Int64(state.generation))]
        )
        var groups: [SegmentGroup] = []
        for row in rows {
            let (month, spansMonths) = (try row.text(0), try row.bool(1))
            let segment = (number: try row.int(2), events: try row.int(3))
            if let last = groups.indices.last, groups[last].month == month, groups[last].spansMonths == spansMonths {
                groups[last].segments.append(segment)
            } else {
                groups.append(SegmentGroup(month: month, spansMonths: spansMonths, segments: [segment]))
            }
        }
        return groups
    }

    /// Applies the links and stories that have changed to every segment, month by month, so that reports need not do it
    /// each time.
    package func apply() async throws {
        let begun = try await pool.withTransaction {
            connection -> (state: TimelineState, groups: [SegmentGroup], horizon: Int64, revision: Int64)? in
            // This updates the state and does not only lock it. A packing that runs at the same time either commits
            // first, so its segments are among the groups, or fails and starts again with a snapshot that has all links
            // from before the horizon.
            try Self.takeSegmentNumbers(1, app: app.number, on: connection)
            guard let state = try TimelineState.read(app: app.number, on: connection), !state.isEmpty else {
                return nil
            }
            let groups = try Self.groups(app: app.number, state: state, on: connection)
            let revision = "select revision from timeline_state where app_number = $1"
            return (
                state, groups, try TransactionHorizon.read(of: app.number, on: connection),
                try connection.query(revision, [number])[0].int64(0)
            )
        }
        guard let (state, groups, horizon, revision) = begun else { return }
        for group in groups {
            let isDone = try await pool.withTransaction(isolation: .repeatableRead, attempts: 5) { connection in
                try apply(to: group, generation: state.generation, on: connection)
            }
            // The timelines were rebuilt or forgotten in the meantime. Nothing is left to do, or the next round does
            // it.
            guard isDone else { return }
        }
        try await pool.withTransaction { connection in
            let count = try connection.execute(
                """
                update timeline_state
                set linked_through = greatest(linked_through, $3)
                where app_number = $1 and generation = $2
                """,
                [number, .int(Int64(state.generation)), .int(horizon)]
            )
            guard count == 1 else { return }
            try connection.execute(TimelineSQL.deleteChangedStories, [number, .int(horizon), .int(revision)])
        }
    }

    /// - Returns: false if the segments have been replaced.
    private func apply(
        to group: SegmentGroup,
        generation: Int,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        guard let state = try TimelineState.read(app: app.number, locking: true, on: connection),
            state.generation == generation
        else { return false }
        // Newer segments may have joined the group. They need only changes made after them.
        let current = try Self.groups(app: app.number, state: state, on: connection)
            .first { $0.month == group.month && $0.spansMonths == group.spansMonths }
        guard let current else { return true }
        var changes = SegmentCompaction.Changes()
        changes.links = try ChangedLinks.read(app: app, state: state, on: connection)
        changes.stories = try ChangedStories.read(
            app: app,
            state: state,
            dictionary: changes.dictionary,
            on: connection
        )
        var compaction = SegmentCompaction(
            app: app.number,
            generation: generation,
            into: state.nextSegment,
            changes: changes,
            reassignedAtOnce: eventsAtOnce
        )
        for buckets in BucketRanges.all(toWrite: current.events) {
            try compaction.compact(current, buckets: buckets, on: connection)
        }
        try compaction.writeReassigned(on: connection)
        try Self.takeSegmentNumbers(compaction.lastNumber + 1 - state.nextSegment, app: app.number, on: connection)
        return true
    }
}
