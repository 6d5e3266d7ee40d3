import Postgres

/// Where a ``KeyRing`` reads the valid keys, and where it writes which were used.
struct KeySource: Sendable {
    var validKeys: @Sendable () async throws -> Reading
    /// Times in microseconds since 1970, UTC.
    var recordUses: @Sendable ([(hash: [UInt8], time: Int64)]) async throws -> Void

    struct Reading: Sendable {
        var keys: [ValidKey]
        /// Whose keys they are.
        var database: DatabaseIdentity
    }
}

extension KeySource {
    init(pool: PostgresPool) {
        validKeys = {
            try await pool.withConnection { connection in
                let keys = try connection.query(StoredSQL.selectValidKeys).map { row in
                    ValidKey(
                        hash: try row.bytes(0),
                        holder: KeyHolder(
                            appNumber: Int32(try row.int(1)),
                            appID: try row.text(2),
                            scope: AppKey.Scope(rawValue: try row.text(3)) ?? .read,
                            keyPrefix: try row.text(4)
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
                    [.textArray(uses.map { hexadecimal($0.hash) }), .intArray(uses.map(\.time))]
                )
            }
        }
    }
}

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
