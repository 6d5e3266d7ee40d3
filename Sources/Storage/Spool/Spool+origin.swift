import GRDB
import Logging

/// The database that the file's requests and keys belong to. They name apps by numbers, which only that database knows.
extension Spool {
    /// Ties the file to a database. Call it before keys or requests of that database go in or out. Later calls with the
    /// same database do nothing.
    ///
    /// - Throws: `SpoolError.ofAnotherDatabase`.
    package func claim(for identity: DatabaseIdentity) async throws(SpoolError) {
        guard hasFile else { return }
        if let origin {
            guard origin == identity else { throw .ofAnotherDatabase(path: path, origin: origin) }
            return
        }
        do {
            try await database.write { try Self.write(origin: identity, $0) }
            origin = identity
            note { $0.origin = identity }
        } catch {
            guard !(error is CancellationError) else { return }
            // A full or failing disk must not keep events from the database.
            logger.warning("the spool's database cannot be noted", metadata: ["error": "\(error)"])
        }
    }

    /// Ties the file to a database if it holds no requests, readable or not.
    ///
    /// - Returns: whether the file belongs to the database, or is not tied to any.
    func adopt(_ identity: DatabaseIdentity) async throws -> Bool {
        if origin != identity, depth.batches == 0, unreadable == 0 {
            try await database.write { database in
                try database.execute(sql: "delete from valid_key; delete from origin")
                try Self.write(origin: identity, database)
            }
            origin = identity
            note { $0.origin = identity }
        }
        return origin == nil || origin == identity
    }

    /// - Returns: nil if the file is not tied to a database yet.
    static func readOrigin(_ database: Database) throws -> DatabaseIdentity? {
        guard let value = try DatabaseValue.fetchOne(database, sql: StoredSQL.readSpoolOrigin) else { return nil }
        guard let text = String.fromDatabaseValue(value) else { throw SpoolDamage("its database is no text") }
        return DatabaseIdentity(text: text)
    }

    static func write(origin: DatabaseIdentity, _ database: Database) throws {
        try database.execute(sql: StoredSQL.writeSpoolOrigin, arguments: [origin.text])
    }
}
