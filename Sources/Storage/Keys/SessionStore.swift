package import Postgres

/// The sessions of the dashboard. A session is a random id, of which only the hash is stored.
///
/// A session is a read key's or a user's. It ends when somebody ends it, after its lifetime, and with its key or user.
/// It begins and ends on every daemon at the same time, because each request asks the database.
package struct SessionStore: Sendable {
    /// A working day.
    package static let lifetime: Duration = .seconds(12 * 3_600)

    let pool: PostgresPool

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

    /// Who is signed in; nil if the session has ended, or if its user has no role in any app.
    package func session(_ id: String) async throws -> StoredSession? {
        let hash = PostgresValue.bytes(AppKey.hash(id))
        return try await pool.withConnection { connection in
            guard let row = try connection.query(StoredSQL.selectSession, [hash, Self.lifetimeSeconds]).first else {
                return nil
            }
            let appID = try row.optionalText(7)
            if let prefix = try row.optionalText(6) {
                return appID.map { StoredSession(holder: .key(prefix: prefix), appID: $0) }
            }
            let user = try UserStore.user(row)
            guard let first = user.roles.first else { return nil }
            if try row.bool(9) {
                try connection.execute(StoredSQL.recordSessionUse, [hash])
                try connection.execute(StoredSQL.recordUserVisit, [.int(user.number)])
            }
            let chosen = appID.flatMap { user.role(in: $0) == nil ? nil : $0 }
            let isVouched = try row.bool(8)
            return StoredSession(holder: .user(user), appID: chosen ?? first.appID, isVouched: isVouched)
        }
    }

    package func end(_ id: String) async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute(StoredSQL.deleteSession, [.bytes(AppKey.hash(id))])
        }
    }

    static let lifetimeSeconds = PostgresValue.int(lifetime.components.seconds)
}
