/// Finds out whether a pooler, such as PgBouncer in its transaction mode, lends a session of the server to other
/// clients between two transactions. Prepared statements, settings and advisory locks would then be those of strangers.
///
/// It believes only what a pooler in session mode cannot do: that two connections get the same session, or that one
/// connection gets another session than before. A pooler that is busy may hide it for a moment, so it looks several
/// times.
enum PoolerCheck {
    private static let looks = 5
    /// A pooler that has no session left lets its clients wait.
    private static let patience: Duration = .seconds(5)

    private static let unsuitable = """
        a connection pooler (such as PgBouncer) in transaction or statement mode stands before the database, and \
        Tributary needs sessions of its own: set pool_mode = session for this database, or name the server itself
        """

    /// - Parameter connection: is not used by anybody else meanwhile.
    /// - Throws: ``PostgresError/Kind/unsuitablePooler``, or the connection's own error.
    static func run(_ connection: PostgresConnection) async throws(PostgresError) {
        guard try await sharesSessions(connection) else { return }
        throw PostgresError(.unsuitablePooler, unsuitable, server: connection.address.description)
    }

    private static func sharesSessions(_ first: PostgresConnection) async throws(PostgresError) -> Bool {
        let limit = UseLimit(first.breaker)
        limit.end(within: patience)
        defer { limit.finish() }
        guard let second = try? await PostgresConnection.connect(to: first.address, options: first.options) else {
            return false
        }
        let secondLimit = UseLimit(second.breaker)
        secondLimit.end(within: patience)
        var isShared = false
        for _ in 0..<looks where !isShared {
            let before = try await first.session()
            let other: Int
            do throws(PostgresError) {
                other = try await second.sessionOfTransaction()
            } catch {
                isShared = error.message.contains("statement pooling mode")
                break
            }
            isShared = before == other
            // While the other connection holds its session. A pooler with one session would let this one wait.
            if !isShared { isShared = try await first.session() != before }
            _ = try? await second.execute("rollback")
        }
        secondLimit.finish()
        await second.close()
        return isShared
    }
}

extension PostgresConnection {
    /// The server's number of the session that this connection has now.
    fileprivate func session() throws(PostgresError) -> Int {
        // Never prepared: another session would not know the statement.
        let sql = "select pg_backend_pid()"
        return try PostgresResult(owning: runUnnamed(sql, ParameterBuffer(), checkedHandle(for: sql)))[0].int(0)
    }

    /// Begins a transaction, and leaves it open.
    fileprivate func sessionOfTransaction() throws(PostgresError) -> Int {
        try execute("begin")
        return try session()
    }
}
