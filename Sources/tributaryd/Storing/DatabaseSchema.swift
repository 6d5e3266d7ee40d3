import Logging
import Postgres
import Storage
import Synchronization

/// The schema of the database, brought up to date once, as soon as the database can be reached.
final class DatabaseSchema: Sendable {
    private let pool: PostgresPool
    private let logger: Logger
    private let isCurrent = Mutex(false)

    init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    var isMigrated: Bool { isCurrent.withLock { $0 } }

    /// Migrates the first time; afterwards only asks whether the database takes writes.
    ///
    /// - Throws: `MigrationError` where this program does not fit the database, `PostgresError`.
    func ensure() async throws {
        if isMigrated {
            let isReadOnly = try await pool.withConnection { connection in
                try connection.query("select current_setting('transaction_read_only') = 'on'")[0].bool(0)
            }
            if isReadOnly { throw PostgresError(.server, "the database is read-only", sqlState: "25006") }
            return
        }
        let applied = try await pool.withConnection { try Migrator().migrate($0) }
        isCurrent.withLock { $0 = true }
        if !applied.isEmpty {
            logger.notice("database migrated", metadata: ["migrations": .array(applied.map { "\($0)" })])
        }
    }
}
