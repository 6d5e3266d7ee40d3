package import Postgres
import Cryptography
import Text

/// Brings a database to the schema of this program: `sql/migrations`, forward only, each in a transaction of its own.
///
/// Programs that start together take an advisory lock, so that only one migrates. An applied migration must never be
/// edited: its checksum is compared, and a difference is an error.
///
/// If no migration is missing, only the list of migrations is read. So a role that may not create tables can run the
/// programs.
package struct Migrator: Sendable {
    /// A file of `sql/migrations`.
    package struct Migration: Sendable {
        package var name: String
        package var text: String

        /// The SHA-256 of the text, in hexadecimal.
        package var checksum: String {
            SHA256.hash(text.utf8).hexadecimal
        }
    }

    /// The migrations that this program was built with.
    package static let all = StoredSQL.migrations.map { Migration(name: $0.name, text: $0.text) }

    private let migrations: [Migration]
    private let views: BIViews?

    /// Uses the migrations and views that this program was built with.
    package init() {
        migrations = Self.all
        views = BIViews()
    }

    /// Uses the given migrations and no views.
    package init(migrations: [Migration]) {
        self.migrations = migrations
        views = nil
    }

    /// Applies the missing migrations, and creates the views for BI tools if the role may (``BIViews``).
    ///
    /// - Returns: the names of the migrations that were applied now.
    /// - Throws: `MigrationError`, `DistributionError`, `PostgresError`.
    package func migrate(_ connection: isolated PostgresConnection) throws -> [String] {
        try Self.requireUTF8(connection)
        let distribution = try Distribution.check(connection)
        guard let missing = try firstPending(in: status(connection)) else {
            if distribution == .distributed, try Distribution.hasOldFunctions(connection) {
                try connection.transaction { try Distribution.complete(connection) }
            }
            // Without the lock: another program that does this at the same time creates the same views.
            try installViews(connection)
            return []
        }
        do {
            return try applyPending(connection, isDistributed: distribution == .distributed)
        } catch let error as PostgresError where error.isPermissionDenied {
            throw MigrationError.notPermitted(name: missing)
        } catch let error as PostgresError where error.isDuplicateObject && missing == migrations.first?.name {
            throw MigrationError.ofAnotherProgram(error.message)
        }
    }

    private func applyPending(
        _ connection: isolated PostgresConnection,
        isDistributed: Bool
    ) throws -> [String] {
        // Waiting for another program, or migrating much data, may take longer than the timeout.
        let timeout = try connection.liftStatementTimeout()
        defer { try? connection.setStatementTimeout(timeout) }
        return try connection.withAdvisoryLock("tributary migrations") {
            try applyPendingAlone(connection, isDistributed: isDistributed)
        }
    }

    private func applyPendingAlone(
        _ connection: isolated PostgresConnection,
        isDistributed: Bool
    ) throws -> [String] {
        // Another program may have migrated while this one waited.
        let entries = try status(connection)
        _ = try firstPending(in: entries)
        if isDistributed { try ClusterState.requireRest(connection) }
        let pending = Set(entries.filter { $0.state == .pending }.map(\.name))
        var applied: [String] = []
        for migration in migrations where pending.contains(migration.name) {
            try connection.transaction {
                try connection.executeScript(StoredSQL.createSchemaMigration)
                // One worker after the other, because a migration may touch a table in several ways.
                if isDistributed {
                    try connection.execute("set local citus.multi_shard_modify_mode = 'sequential'")
                    for statement in SQLStatements(migration.text).all { try connection.executeScript(statement) }
                    try Distribution.complete(connection)
                } else {
                    try connection.executeScript(migration.text)
                }
                try connection.execute(
                    "insert into schema_migration (name, checksum) values ($1, $2)",
                    [.text(migration.name), .text(migration.checksum)]
                )
            }
            applied.append(migration.name)
        }
        try installViews(connection)
        return applied
    }

    private func installViews(_ connection: isolated PostgresConnection) throws {
        do {
            try views?.install(connection)
        } catch let error as PostgresError where error.kind == .server && !error.isUnavailable {
            // A missing view must not keep the daemon from storing events. `tributary doctor` and the daemon's log
            // report it.
        }
    }

    private static func requireUTF8(_ connection: isolated PostgresConnection) throws {
        let encoding = try connection.query("show server_encoding")[0].text(0)
        guard encoding == "UTF8" else { throw MigrationError.encoding(encoding) }
    }

    /// Whether migrations are missing. Changes nothing.
    ///
    /// - Throws: `MigrationError` if the applied migrations differ from the first ones of this program;
    ///   `DistributionError` if the tables are where this program does not find them.
    package func isBehind(_ connection: isolated PostgresConnection) throws -> Bool {
        try Self.requireUTF8(connection)
        _ = try Distribution.check(connection)
        return try firstPending(in: status(connection)) != nil
    }

    /// The first migration that has not been applied.
    ///
    /// - Throws: `MigrationError` if the applied migrations differ from the first ones of this program.
    private func firstPending(in entries: [MigrationStatus]) throws(MigrationError) -> String? {
        for entry in entries {
            switch entry.state {
            case .changed: throw .changed(name: entry.name)
            case .unknown: throw .unknown(name: entry.name)
            case .applied, .pending: continue
            }
        }
        return entries.first { $0.state == .pending }?.name
    }

    /// All migrations of the program and of the database with their states, in order. Changes nothing.
    ///
    /// - Throws: `MigrationError.ofAnotherProgram`.
    package func status(_ connection: isolated PostgresConnection) throws -> [MigrationStatus] {
        var recorded = try recorded(connection)
        let names = StoredTable.all.map(\.name).filter { $0 != "schema_migration" }
        if recorded.isEmpty,
            let name = try connection.query(
                "select name from unnest($1::text[]) as name where to_regclass(name) is not null limit 1",
                [.textArray(names)]
            ).first
        {
            // Another program of ours may have made it meanwhile.
            recorded = try self.recorded(connection)
            if recorded.isEmpty { throw MigrationError.ofAnotherProgram("\(try name.text(0)) exists") }
        }
        var entries: [MigrationStatus] = migrations.map { migration in
            guard let found = recorded.first(where: { $0.name == migration.name }) else {
                return MigrationStatus(name: migration.name, state: .pending, appliedAt: nil)
            }
            let state: MigrationStatus.State = found.checksum == migration.checksum ? .applied : .changed
            return MigrationStatus(name: migration.name, state: state, appliedAt: found.appliedAt)
        }
        for found in recorded where !migrations.contains(where: { $0.name == found.name }) {
            entries.append(MigrationStatus(name: found.name, state: .unknown, appliedAt: found.appliedAt))
        }
        return entries.sorted { $0.name < $1.name }
    }

    private func recorded(
        _ connection: isolated PostgresConnection
    ) throws -> [(name: String, checksum: String, appliedAt: Int64)] {
        let columns = try connection.query(
            "select attname::text from pg_attribute where attrelid = to_regclass('schema_migration') and attnum > 0"
        ).map { try $0.text(0) }
        if columns.isEmpty { return [] }
        guard Set(columns).isSuperset(of: ["name", "checksum", "applied_at"]) else {
            throw MigrationError.ofAnotherProgram("schema_migration has other columns")
        }
        return try connection.query("select name, checksum, applied_at from schema_migration order by name").map {
            (try $0.text(0), try $0.text(1), try $0.timestamp(2))
        }
    }
}
