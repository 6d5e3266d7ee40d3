package import Postgres

/// Identifies a database: a random UUID that the migrations make. A standby or a restored backup has the identity of
/// its origin.
package struct DatabaseIdentity: Hashable, Sendable, CustomStringConvertible {
    let text: String

    package var description: String { text }

    /// - Throws: `PostgresError`, also if the migrations have not been applied.
    package static func read(_ connection: isolated PostgresConnection) throws -> DatabaseIdentity {
        let statement = StoredSQL.selectDatabaseIdentity
        guard let row = try connection.query(statement).first else {
            throw PostgresError(.unexpectedResult, "database_identity has no row", statement: statement)
        }
        return DatabaseIdentity(text: try row.text(0))
    }
}
