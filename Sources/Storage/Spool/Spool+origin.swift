import Foundation
import Logging
import Synchronization

/// The database that the spool's requests and keys belong to, because they name apps by numbers, which only that
/// database knows; and the valid keys of the last reading, so that a daemon that starts while the database is
/// unavailable knows them. Only their hashes are stored.
extension Spool {
    private static let originSuffix = ".origin"
    private static let keysSuffix = ".keys"

    /// The database that the spool is tied to (``claim(for:)``); nil if it is not.
    package var origin: DatabaseIdentity? { state.withLock { $0.origin } }

    /// Ties the spool to a database. Call it before keys or requests of that database go in or out. Later calls with
    /// the same database do nothing.
    ///
    /// - Throws: `SpoolError.ofAnotherDatabase`.
    package func claim(for identity: DatabaseIdentity) async throws(SpoolError) {
        if let origin {
            guard origin == identity else { throw .ofAnotherDatabase(path: path, origin: origin) }
            return
        }
        do {
            try write(identity)
        } catch {
            // A full or failing disk must not keep events from the database.
            logger.warning("the spool's database cannot be noted", metadata: ["error": "\(error)"])
        }
    }

    /// Ties the spool to a database if it holds no requests, readable or not.
    ///
    /// - Returns: whether the spool belongs to the database, or is not tied to any.
    func adopt(_ identity: DatabaseIdentity) async throws -> Bool {
        if origin != identity, depth.batches == 0, unreadable == 0 {
            unlink(path + Self.keysSuffix)
            do { try write(identity) } catch { throw SpoolError(error) }
        }
        return origin == nil || origin == identity
    }

    private func write(_ identity: DatabaseIdentity) throws(DiskFile.Failure) {
        try SnapshotFile.write(Array(identity.text.utf8), to: path + Self.originSuffix)
        state.withLock { $0.origin = identity }
    }

    static func origin(of path: String) throws -> DatabaseIdentity? {
        try SnapshotFile.read(path + originSuffix).map { DatabaseIdentity(text: String(decoding: $0, as: UTF8.self)) }
    }

    func saveKeys(_ keys: [ValidKey]) async throws {
        try SnapshotFile.write(Array(try JSONEncoder().encode(keys)), to: path + Self.keysSuffix)
    }

    /// - Throws: if the file is damaged.
    func savedKeys() throws -> [ValidKey] {
        guard let content = try SnapshotFile.read(path + Self.keysSuffix) else { return [] }
        return try JSONDecoder().decode([ValidKey].self, from: Data(content))
    }
}
