import Events
import InboundLinks
package import Time
package import Postgres
package import Storage

/// Removes events from the packed timelines when they are removed from the event table.
package struct TimelineRemoval: PackedTimelines {
    package init() {}

    package func remove(
        _ events: [PersonEvent],
        of keys: [PersonKey],
        staysPartly: Bool,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws {
        guard let state = try Self.announceRemoval(of: app, on: connection) else { return }
        let posts = events.filter { $0.type == EventType.feedPost.rawValue }
        try connection.execute(
            TimelineSQL.insertStoriesOfPosts,
            [
                .int(Int64(app)), .text("-infinity"), .textArray(posts.map(\.occurredAt.rfc3339)),
                .textArray(posts.map(\.id.description)),
            ]
        )
        let hashes = try connection.query(
            "select key, hashtextextended(key, 0) from unnest($1::text[]) as key",
            [.textArray(keys.map(\.text))]
        ).map { row in
            PersonHash(high: UInt64(bitPattern: try row.int64(1)), low: state.hash(try row.text(0)))
        }
        var changes = SegmentCompaction.Changes()
        changes.removed = Set(events.map(\.id))
        // Remaining events of a removed device or click belong to the device or click itself, until an event links it
        // again.
        changes.links = ChangedLinks(hashes.map { ($0, $0) })
        var compaction = SegmentCompaction(
            app: app,
            generation: state.generation,
            into: state.nextSegment,
            changes: changes
        )
        let own = Set(hashes.map(\.bucket))
        try compaction.compact(own.sorted().map { $0...$0 }, state, on: connection)
        // An event is packed under the person that its device or click belonged to at that time. If that was another
        // person than today's, the event may be in any bucket.
        let packed = events.count { $0.transactionNumber < state.packedThrough && !$0.isTestTraffic }
        if staysPartly || compaction.removedCount < packed {
            let others = Set(0..<PersonHash.bucketCount).subtracting(own)
            try compaction.compact(others.sorted().map { $0...$0 }, state, on: connection)
        }
        try compaction.writeReassigned(on: connection)
        try connection.execute(
            TimelineSQL.finishTimelineRemoval,
            [.int(Int64(app)), .int(Int64(compaction.lastNumber + 1))]
        )
    }

    package func prepareRemoval(
        before time: Timestamp,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        let bounds: [PostgresValue] = [.int(Int64(app)), .timestamp(microseconds: time.microseconds)]
        try Self.forget(app, ifBroken: true, on: connection)
        let old = "select exists (select from event where app_number = $1 and occurred_at < $2)"
        guard try connection.query(old, bounds)[0].bool(0) else { return false }
        // Even if nothing is packed: a packing may run before the events are gone.
        _ = try Self.announceRemoval(of: app, on: connection)
        try connection.execute(
            TimelineSQL.insertStoriesOfPosts,
            bounds + [.textArray([]), .textArray([])]
        )
        try connection.execute("update timeline_state set removing_before = $2 where app_number = $1", bounds)
        return true
    }

    package func remove(before time: Timestamp, in app: Int32, on connection: isolated PostgresConnection) throws {
        let number: PostgresValue = .int(Int64(app))
        if let state = try Self.announceRemoval(of: app, on: connection) {
            var nextSegment = state.nextSegment
            let month = time.monthStart
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and month < $2::text::date",
                [number, .text(month.monthText)]
            )
            if month < time {
                var changes = SegmentCompaction.Changes()
                changes.removedBefore = time
                var compaction = SegmentCompaction(
                    app: app,
                    generation: state.generation,
                    into: state.nextSegment,
                    changes: changes
                )
                try compaction.compact(ofMonth: month.monthText, state, on: connection)
                nextSegment = compaction.lastNumber + 1
            }
            try connection.execute(TimelineSQL.finishTimelineRemoval, [number, .int(Int64(nextSegment))])
            // Stories of posts that were stored after the preparation and are removed now.
            try connection.execute(
                TimelineSQL.insertStoriesOfPosts,
                [number, .timestamp(microseconds: time.microseconds), .textArray([]), .textArray([])]
            )
        } else {
            try connection.execute("delete from changed_story where app_number = $1", [number])
        }
        try connection.execute("update timeline_state set removing_before = null where app_number = $1", [number])
    }

    package func prepareLinkRemoval(in app: Int32, on connection: isolated PostgresConnection) throws {
        _ = try Self.announceRemoval(of: app, on: connection)
    }

    package func forget(_ app: Int32, on connection: isolated PostgresConnection) throws {
        try Self.forget(app, ifBroken: false, on: connection)
    }

    /// - Parameter ifBroken: forget only if a removal was interrupted.
    private static func forget(_ app: Int32, ifBroken: Bool, on connection: isolated PostgresConnection) throws {
        // In a statement of its own, so that the next one sees the segments of a process that held the lock.
        _ = try TimelineState.read(app: app, locking: true, on: connection)
        try connection.execute(TimelineSQL.forgetTimelines, [.int(Int64(app)), .bool(ifBroken)])
    }

    /// Tells a packing that runs at the same time that events are removed, and blocks others until the transaction
    /// ends.
    ///
    /// - Returns: nil if nothing is packed.
    private static func announceRemoval(
        of app: Int32,
        on connection: isolated PostgresConnection
    ) throws -> TimelineState? {
        try connection.execute(TimelineSQL.noteTimelineRemoval, [.int(Int64(app))])
        return try TimelineState.read(app: app, locking: true, on: connection).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension SegmentCompaction {
    /// Merges all groups of the app, or some of them, in some buckets.
    ///
    /// - Parameters:
    ///   - buckets: nil for all.
    ///   - month: the first day of the only month; nil for all months.
    fileprivate mutating func compact(
        _ buckets: [ClosedRange<Int>]? = nil,
        ofMonth month: String? = nil,
        _ state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws {
        for group in try TimelinePacker.groups(app: app, state: state, on: connection) {
            guard month == nil || group.month == month else { continue }
            for buckets in buckets ?? BucketRanges.all(toWrite: group.events) {
                try compact(group, buckets: buckets, on: connection)
            }
        }
    }
}
