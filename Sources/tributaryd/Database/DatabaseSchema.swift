import Logging
import Postgres
import Storage
import Synchronization

/// The schema of the database, brought up to date once, as soon as the database can be reached.
final class DatabaseSchema: Sendable {
    /// How long the server may take to say whether it takes writes, before it counts as away.
    private static let patience: Duration = .seconds(5)
    /// A migration of a large table takes its time.
    private static let migrationPatience: Duration = .seconds(3_600)

    private let pool: PostgresPool
    private let logger: Logger
    private let isCurrent = Mutex(false)

    init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    var isMigrated: Bool { isCurrent.withLock { $0 } }

    /// Asks whether the database takes writes, and migrates the first time.
    ///
    /// - Returns: which database it is; another one may be at its place one day.
    /// - Throws: `MigrationError` where this program does not fit the database, `PostgresError`.
    func ensure() async throws -> DatabaseIdentity {
        // First, and in any case: a server that hangs is found out soon.
        let isReadOnly = try await pool.withConnection(limit: Self.patience) { connection in
            try connection.query("select current_setting('transaction_read_only') = 'on'")[0].bool(0)
        }
        if isReadOnly { throw PostgresError(.server, "the database is read-only", sqlState: "25006") }
        if !isMigrated { try await migrate() }
        return try await pool.withConnection(limit: Self.patience) { try DatabaseIdentity.read($0) }
    }

    private func migrate() async throws {
        let applied = try await pool.withConnection(limit: Self.migrationPatience) { connection in
            try Migrator().migrate(connection)
        }
        isCurrent.withLock { $0 = true }
        await tellOfViews()
        if !applied.isEmpty {
            logger.notice("database migrated", metadata: ["migrations": .array(applied.map { "\($0)" })])
        }
    }

    /// Nobody's events wait for the views of BI tools, but whoever reads them has to know.
    private func tellOfViews() async {
        switch try? await pool.withConnection({ try BIViews().finding($0) }) {
        case .ready, .newer, nil: break
        case .outdated(let advice):
            logger.warning("the views for BI tools could not be made", metadata: ["advice": "\(advice)"])
        case .roleIsMissing(let advice):
            logger.info("the role for BI tools may not read their views", metadata: ["advice": "\(advice)"])
        }
    }
}
