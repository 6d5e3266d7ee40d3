package import Postgres
package import Storage
import Synchronization

/// Keeps packed timelines close to the events: packs the delta when it has grown, compacts segments, applies changes.
package struct TimelineUpkeep: Sendable {
    /// The work of one round.
    package struct Work: Equatable, Sendable {
        package var packedEvents = 0
        package var mergedSegments = 0
        package var appliedChanges = 0
        package var isRebuilt = false

        package var isNothing: Bool { self == Work() }
    }

    /// What is remembered of an app between rounds.
    private struct Known {
        var delta = DeltaCount()
        var policy = PackingPolicy()
        /// What to do after the last count.
        var step = PackingPolicy.Step.nothing
    }

    private final class Memory: Sendable {
        let byApp = Mutex<[Int32: Known]>([:])
    }

    let pool: PostgresPool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let memory = Memory()

    /// - Parameter pool: a pool of one connection, because the advisory lock belongs to a session.
    package init(pool: PostgresPool, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.pool = pool
        self.now = now
    }

    /// Whether this session may pack, which only one session does at a time. Call it before each round.
    package func takeTurn() async throws -> Bool {
        try await pool.withConnection { connection in
            // A session can hold a lock several times, so the lock of the round before is released first.
            try connection.execute("select pg_advisory_unlock_all()")
            let isTaken =
                try connection.query(
                    "select pg_try_advisory_lock(hashtextextended('tributary packing', 0))"
                ).first?.bool(0) ?? false
            // This must come before the delta is counted and read.
            if isTaken, !connection.isDistributed { try connection.execute("select summarize_events()") }
            return isTaken
        }
    }

    /// Does what the daemon's rounds would do, for an app of which much was stored. Does nothing if another session
    /// packs.
    package func settle(_ app: App) async throws {
        guard try await takeTurn() else { return }
        // The rate of events is measured between two counts.
        for _ in 0..<2 { _ = try await work(on: app) }
    }

    /// Does the work of one round for an app. Call it every few seconds: the rate of events is measured between two
    /// calls (``PackingPolicy``).
    ///
    /// - Parameter pool: whose sessions work; nil: the one that takes turns. On a cluster, the session of the turn may
    ///   not wait for a worker, because it would keep the lock for as long as the worker hangs.
    package func work(on app: App, by pool: PostgresPool? = nil) async throws -> Work {
        let pool = pool ?? self.pool
        var work = Work()
        let packer = TimelinePacker(app: app, pool: pool)
        // On a cluster, app by app: a worker that is away keeps only its own apps from being packed.
        try await pool.withConnection { connection in
            guard connection.isDistributed else { return }
            try connection.execute("select summarize_part($1)", [packer.number])
        }
        var (start, known) = (now(), try await measure(packer))
        if known.step == .rebuild {
            work.packedEvents = try await packer.rebuild()
            work.isRebuilt = true
            update(app) { $0.policy.worked(leaving: 0, from: start, to: now()) }
        }
        while known.step.isPacking, known.delta.events > 0 {
            let packed = try await packer.pack(
                before: known.delta.ends(ofAtMost: PackingPolicy.pieceSize),
                countedFrom: known.delta.packedThrough
            )
            work.packedEvents += packed.events
            let step = known.step
            known = update(app) { known in
                known.delta.pack(packed.events, through: packed.through)
                known.policy.worked(leaving: known.delta.events, from: start, to: now())
                return known
            }
            if known.delta.events == 0 || step != .packAll { break }
            // More events may have been committed by now.
            (start, known) = (now(), try await measure(packer))
        }
        if !work.isRebuilt, let fanIn = update(app, { $0.policy.fanIn(afterPacking: work.packedEvents) }) {
            work.mergedSegments = try await packer.compact(fanIn: fanIn)
        }
        if !known.policy.isBusy {
            let changes = try await pool.withTransaction { connection in
                // This runs every few seconds, so it must not read all links.
                try ScanPlanning.byLookup.apply(on: connection)
                return try connection.query(TimelineSQL.countChanges, [.int(Int64(app.number))])[0].int(0)
            }
            if known.policy.isWorthApplying(changes, packed: known.delta.packed) {
                try await packer.apply()
                work.appliedChanges = changes
            }
        }
        // The pause is measured by the whole work of the round.
        if work.packedEvents > 0, !work.isRebuilt {
            update(app) { $0.policy.worked(leaving: $0.delta.events, from: start, to: now()) }
        }
        return work
    }

    /// Counts the new events, and decides what to do.
    private func measure(_ packer: TimelinePacker) async throws -> Known {
        let time = now()
        let delta = try await packer.counted(update(packer.app) { $0.delta })
        return update(packer.app) { known in
            known.delta = delta
            known.step = known.policy.step(delta: delta.events, packed: delta.packed, at: time)
            return known
        }
    }

    @discardableResult
    private func update<R>(_ app: App, _ body: (inout Known) -> R) -> R {
        memory.byApp.withLock { body(&$0[app.number, default: Known()]) }
    }
}
