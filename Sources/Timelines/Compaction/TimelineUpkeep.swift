package import Postgres
package import Storage
import Synchronization

/// Keeps packed timelines near the events: packs when the delta has grown, puts segments together, applies what has changed.
package struct TimelineUpkeep: Sendable {
    /// What there was to do.
    package struct Work: Equatable, Sendable {
        package var packedEvents = 0
        package var mergedSegments = 0
        package var appliedChanges = 0
        package var isRebuilt = false

        package var isNothing: Bool { self == Work() }
    }

    /// What is remembered of an app from one round to the next.
    private struct Known {
        var delta = DeltaCount()
        var policy = PackingPolicy()
        /// What to do, by the last look.
        var step = PackingPolicy.Step.nothing
    }

    private final class Memory: Sendable {
        let byApp = Mutex<[Int32: Known]>([:])
    }

    let pool: PostgresPool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let memory = Memory()

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
            let isTaken =
                try connection.query(
                    "select pg_try_advisory_lock(hashtextextended('tributary packing', 0))"
                ).first?.bool(0) ?? false
            // Before the delta is counted and read.
            if isTaken { try connection.execute("select summarize_events()") }
            return isTaken
        }
    }

    /// Does at once, for an app of which much was stored, what a daemon does in its rounds; nothing where somebody packs already.
    package func settle(_ app: App) async throws {
        guard try await takeTurn() else { return }
        // How much comes in is seen from one look to the next.
        for _ in 0..<2 { _ = try await work(on: app) }
    }

    /// Does for an app what there is to do now. To be called every few seconds: how many events come in is seen from one call
    /// to the next (``PackingPolicy``).
    package func work(on app: App) async throws -> Work {
        var work = Work()
        let packer = TimelinePacker(app: app, pool: pool)
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
            // More may come in by now.
            (start, known) = (now(), try await measure(packer))
        }
        if !work.isRebuilt, let fanIn = update(app, { $0.policy.fanIn(afterPacking: work.packedEvents) }) {
            work.mergedSegments = try await packer.merge(fanIn: fanIn)
        }
        if !known.policy.isBusy {
            let changes = try await pool.withTransaction { connection in
                // Every few seconds: not by all links.
                try ScanPlanning.byLookup.apply(on: connection)
                return try connection.query(StoredSQL.countChanges, [.int(Int64(app.number))])[0].int(0)
            }
            if known.policy.isToApply(changes, packed: known.delta.packed) {
                try await packer.apply()
                work.appliedChanges = changes
            }
        }
        // A rest is for all of it.
        if work.packedEvents > 0, !work.isRebuilt {
            update(app) { $0.policy.worked(leaving: $0.delta.events, from: start, to: now()) }
        }
        return work
    }

    /// Counts what has come in, and sees what there is to do.
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
