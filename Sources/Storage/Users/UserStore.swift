import InboundLinks
package import Postgres
import Time

/// The users of the dashboard, and what they may do in which app.
package struct UserStore: Sendable {
    /// How long an invitation can be accepted.
    package static let invitationLifetime: Duration = .seconds(86_400)

    private let pool: PostgresPool
    private let cost: PasswordHash.Cost
    private let work: PasswordWork

    package init(pool: PostgresPool) {
        self.init(pool: pool, cost: .standard, work: .shared)
    }

    /// For tests: passwords that cost little, and work of their own.
    init(pool: PostgresPool, cost: PasswordHash.Cost, work: PasswordWork) {
        self.pool = pool
        self.cost = cost
        self.work = work
    }

    /// When an invitation comes with a token. Who has the token chooses the password, and may then do everything that
    /// the user may, in every app. So a user's first role in an app uses up the tokens that the other apps gave out.
    package enum TokenRule: Sendable {
        /// If the user has no password and no other app, and was never seen: somebody who manages one app must not get
        /// into another, or become somebody whom a proxy signs in.
        case ifNew
        /// If the user has no password.
        case ifWithoutPassword
        /// Always: the user chooses a new password.
        case always
    }

    /// Creates the user where needed, and gives the role in the app.
    ///
    /// - Returns: a token if there is one to accept. It is shown once; only its hash is stored.
    /// - Throws: `UserStoreError.invalidEmail`.
    package func invite(
        _ email: String,
        as role: AppRole,
        to app: App,
        token rule: TokenRule = .ifNew
    ) async throws -> (user: User, token: String?) {
        let address = try Self.address(email)
        let token = AppKey.randomCharacters()
        return try await pool.withTransaction { connection in
            let number = try connection.query(StoredSQL.upsertUser, [.text(address.text)])[0].int64(0)
            let former = try Self.give(role, to: number, in: app, on: connection)
            if former == nil { try connection.execute(StoredSQL.deleteInvitations, [.int(number)]) }
            guard let user = try Self.user(.number(number), on: connection)?.user else {
                throw UserStoreError.unknownUser(address.text, app: app.profile.id)
            }
            let isWanted =
                switch rule {
                case .ifNew: try Self.isNew(number, in: app, on: connection)
                case .ifWithoutPassword: !user.hasPassword
                case .always: true
                }
            try connection.log(
                .inviteUser,
                address.text,
                in: app.number,
                from: former.map { [("role", .string($0))] },
                to: [("role", .string(role.rawValue))] + (isWanted ? [("link", .bool(true))] : [])
            )
            guard isWanted else { return (user, nil) }
            try connection.execute(StoredSQL.deleteOldInvitations, [Self.invitationSeconds])
            try connection.execute(StoredSQL.insertInvitation, [.bytes(AppKey.hash(token)), .int(number)])
            return (user, token)
        }
    }

    /// Nil if the token is unknown, used or older than ``invitationLifetime``.
    package func user(invitedBy token: String) async throws -> User? {
        try await pool.withConnection { try Self.user(.invitation(token), on: $0)?.user }
    }

    /// Sets the password of the user whom a token invites. All invitations of the user are used up then, and all
    /// sessions end.
    ///
    /// - Returns: nil for a token as in ``user(invitedBy:)``.
    /// - Throws: `UserStoreError.weakPassword`, `.busy`.
    package func accept(_ token: String, password: String) async throws -> User? {
        guard let user = try await user(invitedBy: token) else { return nil }
        try PasswordRule.check(password, of: user.email)
        let hash = try await hash(password)
        return try await pool.withTransaction { connection in
            let invited = try connection.query(
                StoredSQL.useInvitation,
                [.bytes(AppKey.hash(token)), Self.invitationSeconds]
            )
            guard let number = try invited.first?.int64(0) else { return nil }
            try connection.execute(StoredSQL.updatePassword, [.int(number), .text(hash), .null])
            try connection.execute(StoredSQL.deleteInvitations, [.int(number)])
            try connection.execute(StoredSQL.deleteUserSessions, [.int(number), .null, .null, .null])
            return try Self.user(.number(number), on: connection)?.user
        }
    }

    /// The user of an address and a password. It takes as long for an unknown address as for a wrong password. Nil also
    /// for a user without any app.
    ///
    /// - Throws: `UserStoreError.busy`.
    package func user(email: String, password: String) async throws -> User? {
        let stored = try await stored(email)
        guard try await isRight(password, for: stored?.password), let user = stored?.user else { return nil }
        return user.roles.isEmpty ? nil : user
    }

    /// The user of an address, whom something else has proved to be there, such as a proxy. Nil unless they are invited
    /// to some app.
    package func user(email: String) async throws -> User? {
        guard let user = try await stored(email)?.user, !user.roles.isEmpty else { return nil }
        return user
    }

    /// Changes a password, and ends the other sessions of the user.
    ///
    /// - Parameter session: the id of the session that goes on; nil: none does.
    /// - Returns: false if the old password is wrong.
    /// - Throws: `UserStoreError.weakPassword`, `.busy`.
    package func changePassword(
        of user: User,
        from old: String,
        to new: String,
        keeping session: String? = nil
    ) async throws -> Bool {
        let stored = try await stored(user.email)
        guard try await isRight(old, for: stored?.password), let former = stored?.password else { return false }
        try PasswordRule.check(new, of: user.email)
        let hash = try await hash(new)
        return try await pool.withTransaction { connection in
            // Somebody else may have changed it meanwhile.
            let values: [PostgresValue] = [.int(user.number), .text(hash), .text(former)]
            guard try connection.execute(StoredSQL.updatePassword, values) == 1 else { return false }
            let kept = session.map { PostgresValue.bytes(AppKey.hash($0)) } ?? .null
            try connection.execute(StoredSQL.deleteInvitations, [.int(user.number)])
            try connection.execute(StoredSQL.deleteUserSessions, [.int(user.number), kept, .null, .null])
            return true
        }
    }

    /// The users of an app, by address. One with a role that this version does not know is left out.
    package func users(of app: App) async throws -> [AppUser] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectAppUsers, [.int(Int64(app.number))]).compactMap { row in
                guard let role = AppRole(rawValue: try row.text(1)) else { return nil }
                return AppUser(
                    email: try row.text(0),
                    role: role,
                    hasPassword: try row.bool(2),
                    lastSeenAt: try row.optionalTimestamp(3).map { Timestamp(microseconds: $0) }
                )
            }
        }
    }

    /// Gives a user of an app another role, and ends the sessions that look at that app.
    ///
    /// - Throws: `UserStoreError.unknownUser`.
    package func setRole(_ role: AppRole, of email: String, in app: App) async throws {
        try await changeUser(email, of: app) { address, number, connection in
            guard let former = try Self.role(of: number, in: app, on: connection) else { return false }
            try Self.give(role, to: number, in: app, on: connection)
            try connection.log(
                .setRole,
                address.text,
                in: app.number,
                from: [("role", .string(former))],
                to: [("role", .string(role.rawValue))]
            )
            return true
        }
    }

    /// Takes a user's role in an app, and ends the sessions that look at it. A user without any app left is deleted,
    /// with their sessions.
    ///
    /// - Throws: `UserStoreError.unknownUser`.
    package func remove(_ email: String, from app: App) async throws {
        try await changeUser(email, of: app) { address, number, connection in
            guard let former = try Self.role(of: number, in: app, on: connection) else { return false }
            try connection.execute(StoredSQL.deleteRole, [.int(number), .int(Int64(app.number))])
            try connection.log(.removeUser, address.text, in: app.number, from: [("role", .string(former))])
            try Self.endSessions(of: number, in: app, on: connection)
            try connection.execute(StoredSQL.deleteUsersWithoutApp, [.intArray([number])])
            return true
        }
    }

    package func hasUsers() async throws -> Bool {
        try await pool.withConnection { try $0.query(StoredSQL.selectAnyUser)[0].bool(0) }
    }

    /// Deletes the users who have no role in any app.
    ///
    /// - Returns: how many there were.
    static func deleteThoseWithoutApp(on connection: isolated PostgresConnection) throws -> Int {
        // An invitation that is being written holds the row, and its role is seen after that.
        let numbers = try connection.query(StoredSQL.lockUsersWithoutApp).map { try $0.int64(0) }
        return try connection.execute(StoredSQL.deleteUsersWithoutApp, [.intArray(numbers)])
    }
}

extension UserStore {
    /// How a user is named.
    enum Name {
        case number(Int64)
        case address(EmailAddress)
        case invitation(String)
    }

    /// A user, with the hash of the password.
    typealias Stored = (user: User, password: String?)

    static func user(_ name: Name, on connection: isolated PostgresConnection) throws -> Stored? {
        let values: [PostgresValue] =
            switch name {
            case .number(let number): [.int(number), .null, .null]
            case .address(let address): [.null, .text(address.text), .null]
            case .invitation(let token): [.null, .null, .bytes(AppKey.hash(token))]
            }
        return try connection.query(StoredSQL.selectUsers, values + [invitationSeconds]).first.map { row in
            let password = try row.optionalText(2)
            let apps = zip(try row.textArray(3), try row.textArray(4))
            let user = User(
                number: try row.int64(0),
                email: try row.text(1),
                hasPassword: password != nil,
                // A later version may know more roles. For this one, they are none.
                roles: zip(apps, try row.textArray(5)).compactMap { app, word in
                    AppRole(rawValue: word).map { User.Role(appID: app.0, appName: app.1, role: $0) }
                }
            )
            return (user, password)
        }
    }

    private static let invitationSeconds = PostgresValue.int(invitationLifetime.components.seconds)

    private static func address(_ email: String) throws(UserStoreError) -> EmailAddress {
        guard let address = EmailAddress(email) else { throw .invalidEmail(email) }
        return address
    }

    private func stored(_ email: String) async throws -> Stored? {
        guard let address = EmailAddress(email) else { return nil }
        return try await pool.withConnection { try Self.user(.address(address), on: $0) }
    }

    /// Runs a change of a user whose row is locked.
    ///
    /// - Parameter change: returns whether the user is one of the app.
    private func changeUser(
        _ email: String,
        of app: App,
        _ change: @Sendable (EmailAddress, Int64, isolated PostgresConnection) throws -> Bool
    ) async throws {
        let unknown = UserStoreError.unknownUser(email, app: app.profile.id)
        guard let address = EmailAddress(email) else { throw unknown }
        try await pool.withTransaction { connection in
            let found = try connection.query(StoredSQL.lockUser, [.text(address.text)]).first
            guard let number = try found?.int64(0), try change(address, number, connection) else { throw unknown }
        }
    }

    /// Callers hold the user's lock.
    private static func isNew(
        _ user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        try !connection.query(StoredSQL.selectNewUser, [.int(user), .int(Int64(app.number))]).isEmpty
    }

    private static func role(
        of user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> String? {
        try connection.query(StoredSQL.selectRole, [.int(user), .int(Int64(app.number))]).first?.text(0)
    }

    /// Another role ends the sessions that look at the app.
    ///
    /// - Returns: the role before.
    @discardableResult private static func give(
        _ role: AppRole,
        to user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> String? {
        let former = try Self.role(of: user, in: app, on: connection)
        let values: [PostgresValue] = [.int(user), .int(Int64(app.number)), .text(role.rawValue)]
        guard try !connection.query(StoredSQL.upsertRole, values).isEmpty else { return former }
        try endSessions(of: user, in: app, on: connection)
        return former
    }

    private static func endSessions(
        of user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            StoredSQL.deleteUserSessions,
            [.int(user), .null, .null, .int(Int64(app.number))]
        )
    }

    private func hash(_ password: String) async throws -> String {
        let cost = cost
        let hash = try await work.run { PasswordHash(password, cost: cost) }
        guard let hash else { throw UserStoreError.busy }
        return hash.text
    }

    /// Computes a hash in any case.
    private func isRight(_ password: String, for stored: String?) async throws -> Bool {
        let cost = cost
        let hash = stored.flatMap { PasswordHash(stored: $0) }
        return try await work.run {
            if let isRight = hash?.matches(password) { return isRight }
            _ = PasswordHash(password, cost: cost)
            return false
        }
    }
}
