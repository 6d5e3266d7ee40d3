package import Postgres
package import Storage
import Synchronization

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

    /// One in so many events' links may have changed since segments were written.
    static let changeShare = 50
    static let changeMinimum = 2_000

    /// What is remembered of each app from one round to the next.
    private final class Paces: Sendable {
        let byApp = Mutex<[Int32: PackingPace]>([:])
    }

    let pool: PostgresPool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let paces = Paces()

    /// - Parameter pool: of one connection, which holds the lock.
    package init(pool: PostgresPool, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.pool = pool
        self.now = now
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

    /// Does for an app what there is to do now. To be called every few seconds: how many events come in is seen from one call
    /// to the next (``PackingPace``).
    package func work(on app: App) async throws -> Work {
        var work = Work()
        let packer = TimelinePacker(app: app, pool: pool)
        var (start, tail) = (now(), try await tailSize(of: app))
        var (step, isBusy, hasHelp) = look(at: tail, of: app, at: start)
        if step == .rebuild {
            work.packedEvents = try await packer.rebuild()
            work.isRebuilt = true
            worked(on: app, leaving: 0, from: start)
        }
        var left = tail.events
        while step.isPacking {
            let (count, isAll) = try await packer.pack(limit: PackingPace.pieceSize, expected: tail.events)
            work.packedEvents += count
            left = isAll ? 0 : max(0, tail.events - count)
            if isAll || count == 0 || step != .packAll { break }
            worked(on: app, leaving: left, from: start)
            // More may come in by now.
            (start, tail) = (now(), try await tailSize(of: app))
            (step, isBusy, hasHelp) = look(at: tail, of: app, at: start)
            left = tail.events
        }
        // Whoever else packs leaves that to be done here.
        if work.packedEvents > 0 || hasHelp, !work.isRebuilt {
            work.mergedSegments = try await packer.merge(
                fanIn: isBusy ? SegmentGroup.fanInOfBusy : SegmentGroup.fanIn
            )
            // With the time that merging took: a rest is for both.
            if work.packedEvents > 0 { worked(on: app, leaving: left, from: start) }
        }
        if !isBusy, tail.changes >= max(Self.changeMinimum, tail.packed / Self.changeShare) {
            try await packer.apply()
            work.appliedChanges = tail.changes
        }
        return work
    }

    /// - Returns: also whether many events come in, and whether somebody else has packed.
    private func look(
        at tail: TailSize,
        of app: App,
        at time: ContinuousClock.Instant
    ) -> (step: PackingPace.Step, isBusy: Bool, hasHelp: Bool) {
        paces.byApp.withLock { paces in
            let step = paces[app.number, default: PackingPace()].look(tail: tail.events, packed: tail.packed, at: time)
            return (step, paces[app.number]?.isBusy ?? false, paces[app.number]?.hasHelp ?? false)
        }
    }

    private func worked(on app: App, leaving rest: Int, from start: ContinuousClock.Instant) {
        paces.byApp.withLock { $0[app.number]?.worked(leaving: rest, from: start, to: now()) }
    }

    private func tailSize(of app: App) async throws -> TailSize {
        try await pool.withConnection { try TailSize.read(of: app, on: $0) }
    }
}
