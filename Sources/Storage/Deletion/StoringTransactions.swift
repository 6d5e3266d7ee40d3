import Postgres

/// Waiting for those who are storing events now, and doing again what has lost against them. Whoever begins to store later
/// sees what was committed before.
enum StoringTransactions {
    /// Returns when every transaction that was storing events at the time has ended. Nobody who stores waits for it.
    static func waitForThose(on connection: isolated PostgresConnection) throws {
        var waiting = try running(connection)
        while !waiting.isEmpty {
            try connection.execute("select pg_sleep(0.01)")
            waiting.formIntersection(try running(connection))
        }
    }

    /// Runs what may lose against a transaction that stores events.
    static func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                return try body()
            } catch let error as PostgresError where error.isRetryable && attempt < 10 {
                attempt += 1
            }
        }
    }

    private static func running(_ connection: isolated PostgresConnection) throws -> Set<String> {
        Set(try connection.query(StoredSQL.selectStoringTransactions).map { try $0.text(0) })
    }
}
