package import Postgres
import Storage

extension TestDatabases {
    /// Runs a test with a fresh database that has the schema already. Programs would make it when they begin, which
    /// takes twenty times as long as a copy.
    @discardableResult
    package static func withSchema<R: Sendable>(
        _ body: @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        try await withDatabase(template: "Schema", migrate: migrate) { database in
            // A copy has the identity of its origin.
            _ = try await database.pool.withConnection { connection in
                try connection.execute("update database_identity set identity = gen_random_uuid()")
            }
            return try await body(database)
        }
    }

    @Sendable package static func migrate(_ pool: PostgresPool) async throws {
        _ = try await pool.withConnection { try Migrator().migrate($0) }
    }
}
