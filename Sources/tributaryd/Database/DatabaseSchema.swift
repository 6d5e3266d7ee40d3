import Logging
import Postgres
import Storage
import Synchronization

/// Brings the schema of the database up to date, once, as soon as the database can be reached.
final class DatabaseSchema: Sendable {
    private enum State {
        case unchecked
        case migrating
        case current
    }

    /// How long the server may take to say whether it takes writes, before it counts as unavailable.
    private static let patience: Duration = .seconds(5)
    /// Migrations of large tables may take long.
    private static let migrationPatience: Duration = .seconds(3_600)

    private let pool: PostgresPool
    private let logger: Logger
    private let state = Mutex(State.unchecked)

    init(pool: PostgresPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    var isMigrated: Bool { state.withLock { $0 == .current } }
    /// Whether migrations are being applied.
    var isMigrating: Bool { state.withLock { $0 == .migrating } }

    /// Looks at the database before the daemon answers requests. If migrations are missing, it leaves them to
    /// ``ensure()``, because they may take long.
    ///
    /// - Returns: the identity of the database; nil if the database is unavailable or has none yet.
    /// - Throws: `MigrationError` if this program does not fit the database, `PostgresError`.
    func look() async throws -> DatabaseIdentity? {
        do {
            try await checkWritable()
            let isBehind = try await pool.withConnection(limit: Self.patience) { try Migrator().isBehind($0) }
            return isBehind ? try? await identity() : try await ensure()
        } catch let error as PostgresError where error.isUnavailable {
            return nil
        }
    }

    /// Checks that the database takes writes, and migrates it the first time.
    ///
    /// - Returns: the identity of the database. It changes if another database takes its place.
    /// - Throws: `MigrationError` if this program does not fit the database, `PostgresError`.
    func ensure() async throws -> DatabaseIdentity {
        try await checkWritable()
        if !isMigrated { try await migrate() }
        return try await identity()
    }

    /// Always ask this first: a short limit finds a server that hangs.
    private func checkWritable() async throws {
        try await Self.checkWritable(pool, within: Self.patience)
    }

    /// - Throws: an error that means that the database is unavailable, if it takes no writes.
    static func checkWritable(_ pool: PostgresPool, within limit: Duration) async throws {
        let reason = try await pool.withConnection(limit: limit, isSpare: true) { try ReadOnlyReason.read($0) }
        if let reason { throw PostgresError(.server, "\(reason)", sqlState: "25006") }
    }

    private func identity() async throws -> DatabaseIdentity {
        try await pool.withConnection(limit: Self.patience) { try DatabaseIdentity.read($0) }
    }

    private func migrate() async throws {
        state.withLock { $0 = .migrating }
        let applied: [String]
        do {
            applied = try await pool.withConnection(limit: Self.migrationPatience) { connection in
                try Migrator().migrate(connection)
            }
        } catch {
            state.withLock { $0 = .unchecked }
            throw error
        }
        state.withLock { $0 = .current }
        await logViewFinding()
        if !applied.isEmpty {
            logger.notice("database migrated", metadata: ["migrations": .array(applied.map { "\($0)" })])
        }
    }

    /// Logs what is wrong with the views for BI tools. Events are stored nevertheless.
    private func logViewFinding() async {
        switch try? await pool.withConnection({ try BIViews().finding($0) }) {
        case .ready, .newer, nil: break
        case .outdated(let advice):
            logger.warning("the views for BI tools could not be created", metadata: ["advice": "\(advice)"])
        case .roleIsMissing(let advice):
            logger.info("the role for BI tools may not read their views", metadata: ["advice": "\(advice)"])
        }
    }
}
