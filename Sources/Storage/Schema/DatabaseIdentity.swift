package import Postgres

/// Which database it is: a random UUID, made by the migrations. Standbys and restored backups have their origin's.
package struct DatabaseIdentity: Hashable, Sendable, CustomStringConvertible {
    let text: String

    package var description: String { text }

    /// - Throws: `PostgresError`, also where the migrations have not been applied.
    package static func read(_ connection: isolated PostgresConnection) throws -> DatabaseIdentity {
        let statement = StoredSQL.selectDatabaseIdentity
        guard let row = try connection.query(statement).first else {
            throw PostgresError(.unexpectedResult, "database_identity has no row", statement: statement)
        }
        return DatabaseIdentity(text: try row.text(0))
    }
}
