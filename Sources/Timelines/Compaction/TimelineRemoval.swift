import Events
import InboundLinks
package import Time
package import Postgres
package import Storage

/// Takes out of the packed timelines what is removed from the events.
package struct TimelineRemoval: PackedTimelines {
    package init() {}

    package func remove(
        _ events: [PersonEvent],
        of keys: [PersonKey],
        staysPartly: Bool,
        in app: Int32,
        on connection: isolated PostgresConnection
    ) throws {
        guard let state = try Self.note(app, on: connection) else { return }
        let posts = events.filter { $0.type == EventType.feedPost.rawValue }
        try connection.execute(
            StoredSQL.insertStoriesOfPosts,
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
        // What stays of a device or a click belongs to nobody else until an event says so again.
        changes.links = ChangedLinks(hashes.map { ($0, $0) })
        var rewrite = SegmentCompaction(
            app: app,
            generation: state.generation,
            into: state.nextSegment,
            changes: changes
        )
        let own = Set(hashes.map(\.bucket))
        try rewrite.rewrite(own.sorted().map { $0...$0 }, state, on: connection)
        // An event lies with the person that its device or click stood for when it was packed. That may be another than
        // today's: it is then in any bucket.
        let packed = events.count { $0.transactionNumber < state.packedThrough && !$0.isTestTraffic }
        if staysPartly || rewrite.removedCount < packed {
            let others = Set(0..<PersonHash.bucketCount).subtracting(own)
            try rewrite.rewrite(others.sorted().map { $0...$0 }, state, on: connection)
        }
        try rewrite.writeMoved(on: connection)
        try connection.execute(
            StoredSQL.finishTimelineRemoval,
            [.int(Int64(app)), .int(Int64(rewrite.lastNumber + 1))]
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
        // Also where nothing is packed: it may be before the events are gone.
        _ = try Self.note(app, on: connection)
        try connection.execute(
            StoredSQL.insertStoriesOfPosts,
            bounds + [.textArray([]), .textArray([])]
        )
        try connection.execute("update timeline_state set removing_before = $2 where app_number = $1", bounds)
        return true
    }

    package func remove(before time: Timestamp, in app: Int32, on connection: isolated PostgresConnection) throws {
        let number: PostgresValue = .int(Int64(app))
        if let state = try Self.note(app, on: connection) {
            var nextSegment = state.nextSegment
            let month = time.monthStart
            try connection.execute(
                "delete from timeline_segment where app_number = $1 and month < $2::text::date",
                [number, .text(month.monthText)]
            )
            if month < time {
                var changes = SegmentCompaction.Changes()
                changes.removedBefore = time
                var rewrite = SegmentCompaction(
                    app: app,
                    generation: state.generation,
                    into: state.nextSegment,
                    changes: changes
                )
                try rewrite.rewrite(ofMonth: month.monthText, state, on: connection)
                nextSegment = rewrite.lastNumber + 1
            }
            try connection.execute(StoredSQL.finishTimelineRemoval, [number, .int(Int64(nextSegment))])
            // Posts that have come in since the preparation, and go now.
            try connection.execute(
                StoredSQL.insertStoriesOfPosts,
                [number, .timestamp(microseconds: time.microseconds), .textArray([]), .textArray([])]
            )
        } else {
            try connection.execute("delete from changed_story where app_number = $1", [number])
        }
        try connection.execute("update timeline_state set removing_before = null where app_number = $1", [number])
    }

    package func prepareLinkRemoval(in app: Int32, on connection: isolated PostgresConnection) throws {
        _ = try Self.note(app, on: connection)
    }

    package func forget(_ app: Int32, on connection: isolated PostgresConnection) throws {
        try Self.forget(app, ifBroken: false, on: connection)
    }

    /// - Parameter ifBroken: only where a removal was broken off.
    private static func forget(_ app: Int32, ifBroken: Bool, on connection: isolated PostgresConnection) throws {
        // In a statement of its own: the next one sees the segments of whoever had to be waited for.
        _ = try TimelineState.read(app: app, locking: true, on: connection)
        try connection.execute(StoredSQL.forgetTimelines, [.int(Int64(app)), .bool(ifBroken)])
    }

    /// Tells who packs at the same time that something goes, and keeps others from packing until the transaction's end.
    ///
    /// - Returns: nil where nothing is packed.
    private static func note(_ app: Int32, on connection: isolated PostgresConnection) throws -> TimelineState? {
        try connection.execute(StoredSQL.noteTimelineRemoval, [.int(Int64(app))])
        return try TimelineState.read(app: app, locking: true, on: connection).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension SegmentCompaction {
    /// Writes anew what lies in some buckets.
    ///
    /// - Parameters:
    ///   - buckets: nil for all.
    ///   - month: the only one, by its first day; nil for all.
    fileprivate mutating func rewrite(
        _ buckets: [ClosedRange<Int>]? = nil,
        ofMonth month: String? = nil,
        _ state: TimelineState,
        on connection: isolated PostgresConnection
    ) throws {
        for group in try TimelinePacker.groups(app: app, state: state, on: connection) {
            guard month == nil || group.month == month else { continue }
            for buckets in buckets ?? TimelinePacker.allBuckets(toWrite: group.events) {
                try rewrite(group, buckets: buckets, on: connection)
            }
        }
    }
}
