package import Postgres
import Crypto

/// Brings a database to the schema of this program: `sql/migrations`, forward only, each in a transaction of its own.
///
/// An advisory lock makes several programs that start together migrate once. A migration that has been applied is never
/// edited: its checksum is compared, and a difference is an error.
package struct Migrator: Sendable {
    package struct Migration: Sendable {
        package var name: String
        package var text: String

        /// SHA-256 of the text, hexadecimal.
        package var checksum: String {
            SHA256.hash(data: Array(text.utf8)).map { byte in
                let digits = String(byte, radix: 16)
                return byte < 16 ? "0" + digits : digits
            }.joined()
        }
    }

    private let migrations: [Migration]

    /// - Parameter migrations: default, those that this program was built with.
    package init(migrations: [Migration] = StoredSQL.migrations.map { Migration(name: $0.name, text: $0.text) }) {
        self.migrations = migrations
    }

    /// Applies what is missing.
    ///
    /// - Returns: the names of the migrations applied now.
    package func migrate(_ connection: isolated PostgresConnection) throws -> [String] {
        // Neither the wait for another program nor a migration of much data may be cut off.
        try connection.execute("set statement_timeout = 0")
        defer { _ = try? connection.execute("reset statement_timeout") }
        try connection.execute("select pg_advisory_lock(hashtextextended('tributary migrations', 0))")
        defer {
            _ = try? connection.execute("select pg_advisory_unlock(hashtextextended('tributary migrations', 0))")
        }
        try connection.executeScript(StoredSQL.createSchemaMigration)
        var applied: [String] = []
        for entry in try status(connection) {
            switch entry.state {
            case .applied:
                continue
            case .changed:
                throw MigrationError.changed(name: entry.name)
            case .unknown:
                throw MigrationError.unknown(name: entry.name)
            case .pending:
                guard let migration = migrations.first(where: { $0.name == entry.name }) else { continue }
                try connection.transaction {
                    try connection.executeScript(migration.text)
                    try connection.execute(
                        "insert into schema_migration (name, checksum) values ($1, $2)",
                        [.text(migration.name), .text(migration.checksum)]
                    )
                }
                applied.append(migration.name)
            }
        }
        return applied
    }

    /// What is applied and what is not, in order. Changes nothing.
    package func status(_ connection: isolated PostgresConnection) throws -> [MigrationStatus] {
        var recorded: [(name: String, checksum: String, appliedAt: Int64)] = []
        if try connection.query("select 1 from pg_class where oid = to_regclass('schema_migration')").count > 0 {
            let rows = try connection.query("select name, checksum, applied_at from schema_migration order by name")
            for row in rows {
                recorded.append((try row.text(0), try row.text(1), try row.timestamp(2)))
            }
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
}
