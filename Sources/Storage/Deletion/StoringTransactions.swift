import Postgres

/// Waits for the transactions that are storing events, and repeats work that loses against them. A transaction that
/// begins to store later sees everything that was committed before.
enum StoringTransactions {
    /// Returns when every transaction that is storing events now has ended. It keeps no writer waiting.
    static func waitForThose(on connection: isolated PostgresConnection) throws {
        var waiting = try running(connection)
        while !waiting.isEmpty {
            try connection.execute("select pg_sleep(0.01)")
            waiting.formIntersection(try running(connection))
        }
    }

    /// Runs `body`, and runs it again if it loses against a transaction that stores events: 10 times at most.
    static func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        try PostgresError.retrying(attempts: 10, body)
    }

    private static func running(_ connection: isolated PostgresConnection) throws -> Set<String> {
        Set(try connection.query(StoredSQL.selectStoringTransactions).map { try $0.text(0) })
    }
}
