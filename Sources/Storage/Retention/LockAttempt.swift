import Postgres

/// A short transaction that takes a lock for which writers wait. It gives up soon, so that they do not wait long if
/// somebody else holds the table, for example a dump.
enum LockAttempt {
    /// Longer than PostgreSQL's `deadlock_timeout`, after which an automatic vacuum makes way.
    private static let timeout = "1500ms"
    private static let attempts = 3

    /// Runs `body` in a transaction, and tries again a few times if it does not get its lock.
    ///
    /// - Throws: the error of `body`; `PostgresError.isStatementTimeout` if it never got its lock.
    static func run(on connection: isolated PostgresConnection, _ body: () throws -> Void) throws {
        var attempt = 1
        while true {
            do {
                return try connection.transaction {
                    try connection.execute("select set_config('lock_timeout', '\(timeout)', true)")
                    try body()
                }
            } catch let error as PostgresError where error.isStatementTimeout || error.isRetryable {
                guard attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }
}
