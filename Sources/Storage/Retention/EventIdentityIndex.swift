import Postgres

/// The index `event_identity`, which finds an event by its app, time and id. A new month gets its part of it at once.
/// Months from before migration 0036 get theirs here, while events are stored.
struct EventIdentityIndex {
    private static let name = "event_identity"
    /// What it replaces.
    private static let predecessor = "event_by_app_and_time"

    let progress: DeletionProgress.Handler

    /// Makes the parts that are missing. If it is interrupted, the next call continues.
    ///
    /// - Throws: `PostgresError`; with `isStatementTimeout` if others hold the tables; then call it later.
    func complete(on connection: isolated PostgresConnection) throws {
        let months = try connection.query(StoredSQL.selectMonthsWithoutIdentity).map { try $0.text(0) }
        for (number, month) in months.enumerated() {
            progress(DeletionProgress("indexing \(month)", done: number, total: months.count))
            let part = "\(month)_identity"
            // An interrupted run may have left one that is invalid.
            try connection.execute("drop index concurrently if exists \"\(part)\"")
            try connection.execute(
                "create unique index concurrently \"\(part)\" on \"\(month)\" (app_number, occurred_at, event_id)"
            )
            try LockAttempt.run(on: connection) {
                try connection.execute("alter index \(Self.name) attach partition \"\(part)\"")
            }
        }
        let remains = "select to_regclass('\(Self.predecessor)') is not null"
        if try connection.query(remains)[0].bool(0) {
            try LockAttempt.run(on: connection) { try connection.execute("drop index \(Self.predecessor)") }
        }
    }
}
