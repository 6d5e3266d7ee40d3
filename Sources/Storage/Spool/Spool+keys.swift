import Foundation
import GRDB

/// The valid keys of the last reading, so that a daemon that starts while the database is unavailable knows them. Only
/// their hashes are stored.
extension Spool {
    func saveKeys(_ keys: [ValidKey]) async throws {
        try await database.write { database in
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
    }

    func savedKeys() throws -> [ValidKey] {
        try database.read { database in
            try Row.fetchAll(database, sql: StoredSQL.selectSpooledKeys).map { row in
                ValidKey(
                    hash: Array(row["key_hash"] as Data),
                    holder: KeyHolder(
                        appNumber: row["app_number"],
                        appID: row["app_id"],
                        scope: AppKey.Scope(rawValue: row["scope"]) ?? .read,
                        keyPrefix: row["prefix"]
                    ),
                    expiresAt: row["expires_at"]
                )
            }
        }
    }
}
