import Foundation
import GRDB

/// The valid keys of the last reading, so that a daemon that starts while the database is unavailable knows them. Only
/// their hashes are stored.
extension Spool {
    func saveKeys(_ keys: [ValidKey]) async throws {
        try await database.write { try Self.write(keys, $0) }
    }

    func savedKeys() throws -> [ValidKey] {
        try database.read { try Self.readKeys($0) }
    }

    static func write(_ keys: [ValidKey], _ database: Database) throws {
        try database.execute(sql: "delete from valid_key")
        for key in keys {
            try database.execute(
                sql: StoredSQL.insertSpooledKey,
                arguments: [
                    Data(key.hash), Int64(key.holder.appNumber), key.holder.appID, key.holder.scope.rawValue,
                    key.holder.keyPrefix, key.expiresAt,
                ]
            )
        }
    }

    /// Leaves out rows that are no keys: the file may be damaged.
    static func readKeys(_ database: Database) throws -> [ValidKey] {
        try Row.fetchAll(database, sql: StoredSQL.selectSpooledKeys).compactMap { row in
            guard let hash = Data.fromDatabaseValue(row["key_hash"]),
                let appNumber = Int32.fromDatabaseValue(row["app_number"]),
                let appID = String.fromDatabaseValue(row["app_id"]),
                let scope = String.fromDatabaseValue(row["scope"]).flatMap(AppKey.Scope.init(rawValue:)),
                let prefix = String.fromDatabaseValue(row["prefix"])
            else { return nil }
            return ValidKey(
                hash: Array(hash),
                holder: KeyHolder(appNumber: appNumber, appID: appID, scope: scope, keyPrefix: prefix),
                expiresAt: Int64.fromDatabaseValue(row["expires_at"])
            )
        }
    }
}
