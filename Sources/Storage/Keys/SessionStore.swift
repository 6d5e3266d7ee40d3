package import Postgres

/// The sessions of the dashboard. A session is a random id, of which only the hash is stored.
///
/// A session ends when somebody ends it, after its lifetime, and with its key. It begins and ends on every daemon at
/// the same time, because each request asks the database.
package struct SessionStore: Sendable {
    /// A working day.
    package static let lifetime: Duration = .seconds(12 * 3_600)

    private let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Begins a session, and removes those whose lifetime is over.
    ///
    /// - Returns: the session's id; nil if the key is not a valid read key.
    package func begin(key: String) async throws -> String? {
        let id = AppKey.randomCharacters()
        return try await pool.withConnection { connection in
            try connection.transaction {
                try connection.execute(StoredSQL.deleteOldSessions, [Self.lifetimeSeconds])
                let count = try connection.execute(
                    StoredSQL.insertSession,
                    [.bytes(AppKey.hash(id)), .bytes(AppKey.hash(key))]
                )
                return count == 1 ? id : nil
            }
        }
    }

    /// The id of the app whose figures a session may see; nil if the session has ended.
    package func appID(of id: String) async throws -> String? {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectSession, [.bytes(AppKey.hash(id)), Self.lifetimeSeconds]).first?.text(
                0
            )
        }
    }

    package func end(_ id: String) async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute(StoredSQL.deleteSession, [.bytes(AppKey.hash(id))])
        }
    }

    private static let lifetimeSeconds = PostgresValue.int(lifetime.components.seconds)
}
