package import Postgres
package import Storage

/// Keeps packed timelines near the events: packs when the tail has grown, puts segments together, applies what has changed.
package struct TimelineUpkeep: Sendable {
    /// What there was to do.
    package struct Work: Equatable, Sendable {
        package var packedEvents = 0
        package var mergedSegments = 0
        package var appliedChanges = 0
        package var isRebuilt = false

        package var isNothing: Bool { self == Work() }
    }

    /// So many events that are not packed are too many, whatever else there is.
    static let tailLimit = 100_000
    /// So many are worth packing at all.
    static let tailMinimum = 10_000
    /// One in so many of an app's events may be in the tail.
    static let tailShare = 50
    /// A tail with more events is packed anew with all others: it would not fit into memory at once.
    static let packingLimit = 1_500_000
    /// So many are packed at once.
    static let eventsAtOnce = 50_000
    /// One in so many events' links may have changed since segments were written.
    static let changeShare = 50
    static let changeMinimum = 2_000

    let pool: PostgresPool

    /// - Parameter pool: of one connection, which holds the lock.
    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Whether this session packs, and no other. To be asked before each round.
    package func takeTurn() async throws -> Bool {
        try await pool.withConnection { connection in
            // Locks of a session count; the one of the round before goes first.
            try connection.execute("select pg_advisory_unlock_all()")
            return try connection.query(
                "select pg_try_advisory_lock(hashtextextended('tributary packing', 0))"
            ).first?.bool(0) ?? false
        }
    }

    /// Does for an app what there is to do now.
    package func work(on app: App) async throws -> Work {
        var work = Work()
        let packer = TimelinePacker(app: app, pool: pool)
        let tail = try await tailSize(of: app)
        let isGrown =
            tail.events >= Self.tailLimit
            || tail.events >= max(Self.tailMinimum, tail.packed / Self.tailShare)
        if isGrown {
            if tail.events > Self.packingLimit {
                work.packedEvents = try await packer.rebuild()
                work.isRebuilt = true
            } else {
                // In pieces, for the memory; those that come meanwhile are for the next round.
                while work.packedEvents < tail.events {
                    let count = try await packer.pack(limit: Self.eventsAtOnce)
                    if count == 0 { break }
                    work.packedEvents += count
                }
            }
            work.mergedSegments = try await packer.merge()
        }
        if tail.changes >= max(Self.changeMinimum, tail.packed / Self.changeShare) {
            try await packer.apply()
            work.appliedChanges = tail.changes
        }
        return work
    }

    /// How many events are not packed, how many are, and how many links and stories have changed since they were.
    private func tailSize(of app: App) async throws -> (events: Int, packed: Int, changes: Int) {
        try await pool.withConnection { connection in
            let row = try connection.query(StoredSQL.selectTailSize, [.int(Int64(app.number))]).first
            return (try row?.int(0) ?? 0, try row?.int(1) ?? 0, try row?.int(2) ?? 0)
        }
    }
}
