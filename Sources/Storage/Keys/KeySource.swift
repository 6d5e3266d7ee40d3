import Postgres
import Text

/// Reads the valid keys for a ``KeyRing``, and writes when they were used.
struct KeySource: Sendable {
    var validKeys: @Sendable () async throws -> Reading
    /// Times in microseconds since 1970, UTC.
    var recordUses: @Sendable ([(hash: [UInt8], time: Int64)]) async throws -> Void

    struct Reading: Sendable {
        var keys: [ValidKey]
        /// The database that the keys are from.
        var database: DatabaseIdentity
    }
}

extension KeySource {
    init(pool: PostgresPool) {
        validKeys = {
            try await pool.withConnection { connection in
                let keys = try connection.query(StoredSQL.selectValidKeys).compactMap { row -> ValidKey? in
                    // A later version may know more scopes. Its keys are unknown to this one.
                    guard let scope = AppKey.Scope(rawValue: try row.text(3)) else { return nil }
                    return ValidKey(
                        hash: try row.bytes(0),
                        holder: KeyHolder(
                            appNumber: Int32(try row.int(1)),
                            appID: try row.text(2),
                            scope: scope,
                            keyPrefix: try row.text(4),
                            label: try row.text(7),
                            origins: try row.textArray(6),
                            hasMoved: try row.bool(8)
                        ),
                        expiresAt: try row.optionalTimestamp(5)
                    )
                }
                return Reading(keys: keys, database: try DatabaseIdentity.read(connection))
            }
        }
        recordUses = { uses in
            _ = try await pool.withConnection { connection in
                try connection.execute(
                    StoredSQL.recordKeyUses,
                    [.textArray(uses.map { $0.hash.hexadecimal }), .intArray(uses.map(\.time))]
                )
            }
        }
    }
}
