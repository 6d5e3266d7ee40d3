import GRDB
import Logging

/// The database that the requests and keys in the file are of: the numbers of apps mean something in one only.
extension Spool {
    /// Ties the file to a database, once; call it before keys or requests of that database go in or out.
    ///
    /// - Throws: `SpoolError.ofAnotherDatabase`.
    package func claim(for identity: DatabaseIdentity) async throws(SpoolError) {
        if let origin {
            guard origin == identity else { throw .ofAnotherDatabase(path: path, origin: origin) }
            return
        }
        do {
            try await database.write { try Self.write(origin: identity, $0) }
            origin = identity
        } catch {
            guard !(error is CancellationError) else { return }
            // A disk that takes nothing keeps nobody's events from the database.
            logger.warning("whose events a spool holds cannot be noted", metadata: ["error": "\(error)"])
        }
    }

    /// Makes a file that holds no requests, readable or not, one of this database.
    ///
    /// - Returns: whether the file is now, or may be, this database's.
    func adopt(_ identity: DatabaseIdentity) async throws -> Bool {
        if origin != identity, depth.batches == 0, unreadable == 0 {
            try await database.write { database in
                try database.execute(sql: "delete from valid_key; delete from origin")
                try Self.write(origin: identity, database)
            }
            origin = identity
        }
        return origin == nil || origin == identity
    }

    /// - Returns: nil where it has not been known yet, or an earlier version of this program has made the file.
    static func readOrigin(_ database: Database) throws -> DatabaseIdentity? {
        guard try database.tableExists("origin") else { return nil }
        return try String.fetchOne(database, sql: StoredSQL.readSpoolOrigin).map { DatabaseIdentity(text: $0) }
    }

    private static func write(origin: DatabaseIdentity, _ database: Database) throws {
        try database.execute(sql: StoredSQL.writeSpoolOrigin, arguments: [origin.text])
    }
}
