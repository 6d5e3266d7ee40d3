package import Postgres

extension PostgresPool {
    /// Returns when the given number of the database's sessions wait for locks, or a condition holds.
    package func lockWaits(_ count: Int = 1, or isDone: () -> Bool = { false }) async throws {
        let waiting =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        while try await withConnection({ try $0.query(waiting)[0].int(0) }) < count, !isDone() { await Task.yield() }
    }
}
