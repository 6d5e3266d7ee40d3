package import Postgres

/// Which database it is: a random UUID, made by the migrations. Standbys and restored backups have their origin's.
package struct DatabaseIdentity: Hashable, Sendable {
    let text: String

    /// - Throws: `PostgresError`, also where the migrations have not been applied.
    package static func read(_ connection: isolated PostgresConnection) throws -> DatabaseIdentity {
        DatabaseIdentity(text: try connection.query(StoredSQL.selectDatabaseIdentity)[0].text(0))
    }
}
