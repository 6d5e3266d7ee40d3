package import Time
package import Postgres

/// Deletes data that is older than its retention period (docs/privacy.md, *Retention period*).
package struct RetentionStore: Sendable {
    private let pool: PostgresPool
    private let packed: any PackedTimelines

    package init(pool: PostgresPool, packed: any PackedTimelines) {
        self.pool = pool
        self.packed = packed
    }

    /// Whether this role may delete old data. It must own the tables, because it drops whole months.
    package func isPermitted() async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.query("select pg_has_role(relowner, 'usage') from pg_class where oid = 'event'::regclass")[0]
                .bool(0)
        }
    }

    /// What ``run(_:app:isThorough:now:progress:)`` would delete. Deletes nothing.
    ///
    /// - Parameter app: nil: every app.
    package func plan(_ policy: RetentionPolicy, app: App?, now: Timestamp) async throws -> RetentionPlan {
        try await pool.withConnection { connection in
            try RetentionRun(policy: policy, app: app, isThorough: true, now: now, packed: packed, progress: { _ in })
                .plan(on: connection)
        }
    }

    /// Deletes old data while events are being stored. If it is interrupted, the next run continues.
    ///
    /// - Parameters:
    ///   - app: nil: every app; only then are whole months dropped.
    ///   - isThorough: whether to check links of people even if no month was dropped.
    /// - Returns: nil if there was nothing to delete.
    /// - Throws: `RetentionError.isRunning` if another program is deleting old data.
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
