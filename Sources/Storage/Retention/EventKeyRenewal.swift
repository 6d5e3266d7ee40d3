package import Time
package import Postgres

/// Keeps idempotency keys of the last weeks only (docs/reliability.md, *Idempotency keys*). When the oldest key is
/// twice as old as it must be, the keys that are still needed are copied to a new table, which takes the place of the
/// old one.
///
/// Storing goes on meanwhile. A trigger writes each new key to both tables. Two short locks, before and after the
/// copying, let no writer use one table while another uses the other. If it is interrupted, the next run continues.
package struct EventKeyRenewal {
    /// How long a key is kept at least. The promise is 30 days (docs/events.md, *Once*); a day more, because clocks
    /// differ.
    static let shortestStay: Duration = .seconds(31 * 86_400)
    /// When the oldest key is as old as this, the keys are renewed. So each key is copied about once.
    static let longestStay: Duration = shortestStay * 2
    private static let keysAtOnce = 50_000

    let now: Timestamp
    let progress: DeletionProgress.Handler

    package init(now: Timestamp, progress: @escaping DeletionProgress.Handler = { _ in }) {
        self.now = now
        self.progress = progress
    }

    /// Renews the keys if it is time, or if a renewal was interrupted.
    ///
    /// - Throws: `PostgresError`. With `isStatementTimeout`, somebody else holds the tables: call it later.
    func runIfDue(on connection: isolated PostgresConnection) throws {
        let set = try connection.query(StoredSQL.selectKeySet)[0]
        let isDue = try set.timestamp("kept_from") < now.advanced(by: .zero - Self.longestStay).microseconds
        if try isDue || set.bool("has_begun") { try run(on: connection) }
    }

    /// Renews the keys. Callers hold the lock of `RetentionRun`.
    ///
    /// - Throws: as ``runIfDue(on:)``.
    package func run(on connection: isolated PostgresConnection) throws {
        if connection.isDistributed { return try deleteOldKeys(on: connection) }
        let set = try connection.query(StoredSQL.selectKeySet)[0]
        if try set.optionalTimestamp("next_kept_from") == nil {
            let keptFrom = now.advanced(by: .zero - Self.shortestStay)
            try LockAttempt.run(on: connection) { try connection.execute("select begin_event_key_renewal()") }
            try copy(since: keptFrom, on: connection)
            try connection.execute(
                "update event_key_set set next_kept_from = $1",
                [.timestamp(microseconds: keptFrom.microseconds)]
            )
        }
        progress(DeletionProgress("replacing idempotency keys"))
        try LockAttempt.run(on: connection) { try connection.execute("select finish_event_key_renewal()") }
    }

    /// A distributed table has no triggers, so its keys are deleted app by app. Keys of erased events stay.
    private func deleteOldKeys(on connection: isolated PostgresConnection) throws {
        let keptFrom = now.advanced(by: .zero - Self.shortestStay)
        // Who claims keys from now on looks up older events by their times.
        try connection.execute(
            "update event_key_set set kept_from = $1 where kept_from < $1",
            [.timestamp(microseconds: keptFrom.microseconds)]
        )
        try StoringTransactions.waitForThose(of: nil, on: connection)
        _ = try PagewiseDeletion(
            table: "event_key",
            condition: "received_at < $3",
            parameters: [.timestamp(microseconds: keptFrom.microseconds)],
            apps: try connection.query("select app_number from app order by app_number").map { Int32(try $0.int(0)) }
        ).run(on: connection, stage: "deleting idempotency keys", progress: progress)
    }

    /// Copies the keys in short transactions: packing and figures wait for the oldest one that writes.
    private func copy(since keptFrom: Timestamp, on connection: isolated PostgresConnection) throws {
        progress(DeletionProgress("sorting idempotency keys"))
        try connection.transaction {
            try connection.execute("select set_config('work_mem', '64MB', true)")
            try connection.execute(StoredSQL.declareRecentKeys, [.timestamp(microseconds: keptFrom.microseconds)])
        }
        defer { _ = try? connection.execute("close recent_key") }
        var count = 0
        while true {
            progress(DeletionProgress("copying idempotency keys", done: count))
            let keys = try connection.query("fetch \(Self.keysAtOnce) from recent_key")
            guard !keys.isEmpty else { return }
            var apps = PostgresArray(.int32, capacity: keys.count)
            var ids = PostgresArray(.uuid, capacity: keys.count)
            var times = PostgresArray(.timestamp, capacity: keys.count)
            for key in keys {
                let id = try key.uuid(1)
                apps.append(int32: Int32(try key.int(0)))
                ids.append(uuidHigh: id.high, low: id.low)
                times.append(timestamp: try key.timestamp(2))
            }
            try connection.execute(StoredSQL.insertRecentKeys, [.array(apps), .array(ids), .array(times)])
            count += keys.count
        }
    }
}
