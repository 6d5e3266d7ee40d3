package import Postgres

extension PostgresPool {
    /// Waits until all rows of a table are below the transaction horizon. Other tests on the same server keep the
    /// horizon low, and rows above it count as possibly new.
    package func passHorizon(of table: String = "event") async throws {
        let isBehind = "select coalesce(transaction_horizon() <= max(transaction_number), false) from \(table)"
        while try await withConnection({ try $0.query(isBehind)[0].bool(0) }) { await Task.yield() }
    }
}
