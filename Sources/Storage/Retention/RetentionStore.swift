package import Time
package import Postgres

/// Removes what has become too old.
package struct RetentionStore: Sendable {
    private let pool: PostgresPool
    private let packed: any PackedTimelines

    package init(pool: PostgresPool, packed: any PackedTimelines) {
        self.pool = pool
        self.packed = packed
    }

    /// What ``run(_:app:isThorough:now:progress:)`` would remove. Removes nothing.
    ///
    /// - Parameter app: nil: of every app.
    package func plan(_ policy: RetentionPolicy, app: App?, now: Timestamp) async throws -> RetentionPlan {
        try await pool.withConnection { connection in
            try RetentionRun(policy: policy, app: app, isThorough: true, now: now, packed: packed, progress: { _ in })
                .plan(on: connection)
        }
    }

    /// Removes it, while events go on being stored. Broken off, it goes on when it is run again.
    ///
    /// - Parameters:
    ///   - app: nil: of every app; then whole months go at once.
    ///   - isThorough: whether to look through keys and links also where no month has ended.
    /// - Returns: nil where there was nothing to remove.
    /// - Throws: `RetentionError.isRunning` where somebody else is at it.
    package func run(
        _ policy: RetentionPolicy,
        app: App?,
        isThorough: Bool,
        now: Timestamp,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> DeletionReceipt? {
        try await pool.withConnection { connection in
            let run = RetentionRun(
                policy: policy,
                app: app,
                isThorough: isThorough,
                now: now,
                packed: packed,
                progress: progress
            )
            return try run.run(on: connection)
        }
    }
}
