import InboundLinks
import Postgres
import Time

/// Sessions of users. Their roles are read at each request.
extension SessionStore {
    /// In bytes.
    private static let browserLimit = 100
    /// Of a user. A program that a proxy lets in may begin one with each request.
    package static let userLimit = 50

    /// Begins a session in the first app of the user's roles, and removes those whose lifetime is over. If the user has
    /// ``userLimit`` sessions, the oldest ends.
    ///
    /// - Parameters:
    ///   - browser: what the browser says of itself. It is stored without secrets, and cut off.
    ///   - isVouched: whether a proxy has named the user.
    /// - Returns: the session's id.
    /// - Throws: `UserStoreError.unknownUser` for a user without any app, or one who was deleted meanwhile.
    package func begin(user: User, browser: String, isVouched: Bool = false) async throws -> String {
        let id = AppKey.randomCharacters()
        let unknown = UserStoreError.unknownUser(user.email, app: user.roles.first?.appID ?? "")
        guard let app = user.roles.first?.appID else { throw unknown }
        let values: [PostgresValue] = [
            .bytes(AppKey.hash(id)), .int(user.number), .text(app), .text(Self.words(of: browser)),
            .int(Int64(Self.userLimit)), .bool(isVouched),
        ]
        return try await pool.withTransaction { connection in
            try connection.execute(StoredSQL.deleteOldSessions, [Self.lifetimeSeconds])
            // Locks the user: sessions that begin at the same time are counted.
            try connection.execute(StoredSQL.recordUserVisit, [.int(user.number)])
            do {
                guard try connection.execute(StoredSQL.insertUserSession, values) == 1 else { throw unknown }
            } catch let error as PostgresError where error.isConstraintViolation {
                throw unknown
            }
            return id
        }
    }

    /// Lets a session look at another app of its user.
    ///
    /// - Returns: false if the session has ended or is a key's, or if the user has no role there.
    package func choose(_ appID: String, in id: String) async throws -> Bool {
        guard case .user(let user) = try await session(id)?.holder, user.role(in: appID) != nil else { return false }
        return try await pool.withConnection { connection in
            try connection.execute(StoredSQL.chooseApp, [.bytes(AppKey.hash(id)), .text(appID)]) == 1
        }
    }

    /// The sessions of a user, the newest first.
    package func sessions(of user: User) async throws -> [UserSession] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectUserSessions, [.int(user.number), Self.lifetimeSeconds]).map { row in
                UserSession(
                    number: try row.int64(0),
                    beganAt: Timestamp(microseconds: try row.timestamp(2)),
                    lastSeenAt: Timestamp(microseconds: try row.timestamp(3)),
                    browser: try row.text(4),
                    isVouched: try row.bool(5),
                    hash: try row.bytes(1)
                )
            }
        }
    }

    /// Ends a session of a user, if it is one of theirs.
    package func end(number: Int64, of user: User) async throws {
        try await end(user, .int(number))
    }

    /// Ends all sessions of a user.
    package func endAll(of user: User) async throws {
        try await end(user, .null)
    }

    private func end(_ user: User, _ number: PostgresValue) async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute(StoredSQL.deleteUserSessions, [.int(user.number), .null, number, .null])
        }
    }

    /// Without secrets, and without what a terminal or a page may take as an order.
    private static func words(of browser: String) -> String {
        let plain = String(
            String.UnicodeScalarView(browser.unicodeScalars.prefix(1_000).filter { (0x20...0x7E).contains($0.value) })
        )
        return String(Redaction.redact(plain).prefix(browserLimit))
    }
}
