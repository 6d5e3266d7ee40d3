package import Postgres

extension PostgresPool {
    /// Waits until all rows of a table lie below the transaction horizon. Tests beside this one hold that of the server
    /// that they share: what is above it may have come in meanwhile.
    package func passHorizon(of table: String = "event") async throws {
        let isBehind = "select coalesce(transaction_horizon() <= max(transaction_number), false) from \(table)"
        while try await withConnection({ try $0.query(isBehind)[0].bool(0) }) { await Task.yield() }
    }
}
