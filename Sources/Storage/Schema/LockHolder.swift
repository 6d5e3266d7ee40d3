package import Postgres

/// Somebody who keeps all others from a table, such as a change of the schema or a backup's restore.
package enum LockHolder {
    /// `‘psql’ on the table event`; nil if nobody does any more.
    package static func find(on pool: PostgresPool) async throws -> String? {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectLockHolder).first.map { row in
                "‘\(try row.text(0))’ on the table \(try row.text(1))"
            }
        }
    }
}
