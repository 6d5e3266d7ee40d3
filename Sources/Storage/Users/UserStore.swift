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

    /// Creates the user where needed, and gives the role in the app. It is pending until the user accepts it by a token
    /// that was made for it: nobody has checked whose the address is, and whoever has its password by another app's
    /// invitation must not come in here. With a token, this role alone is accepted. Links of other apps stay, also
    /// those that set a password: else each manager could end those of the owner. Accepting the role ends them.
    ///
    /// - Parameter settingPassword: whether the token sets another password of somebody who has accepted a role before,
    ///   in any app. Whoever has it may then do what that user may, in each app, so only the owner gives it out.
    /// - Returns: a token, unless the role was accepted before. It is shown once; only its hash is stored. The user's
    ///   earlier tokens for the app are good no more.
    /// - Throws: `UserStoreError.invalidEmail`, or `.isUser` for a user of the app with another role.
    package func invite(
        _ email: String,
        as role: AppRole,
        to app: App,
        settingPassword: Bool = false
    ) async throws -> (user: User, token: String?) {
        let address = try Self.address(email)
        let token = AppKey.randomCharacters()
        return try await pool.withTransaction { connection in
            let number = try connection.query(StoredSQL.upsertUser, [.text(address.text)])[0].int64(0)
            let former = try Self.role(of: number, in: app, on: connection)
            if let former, former.role != role.rawValue {
                throw UserStoreError.isUser(address.text, former.role, app: app.profile.id)
            }
            try Self.give(role, to: number, in: app, on: connection)
            guard let user = try Self.user(.number(number), withPending: true, on: connection)?.user else {
                throw UserStoreError.unknownUser(address.text, app: app.profile.id)
            }
            let isWanted = settingPassword || former?.isAccepted != true
            var fields: ChangeLog.Fields = [("role", .string(role.rawValue))]
            if isWanted { fields.append(("link", .bool(true))) }
            if settingPassword { fields.append(("new_password", .bool(true))) }
            try connection.log(
                .inviteUser,
                address.text,
                in: app.number,
                from: former.map { [("role", .string($0.role))] },
                to: fields
            )
            guard isWanted else { return (user, nil) }
            try connection.execute(StoredSQL.deleteOldInvitations, [Self.invitationSeconds])
            // Whoever invites again has lost the link, or sent it to somebody else.
            try connection.execute(StoredSQL.deleteAppInvitations, [.int(number), .int(Int64(app.number))])
            try connection.execute(
                StoredSQL.insertInvitation,
                [
                    .bytes(AppKey.hash(token)), .int(number), .int(Int64(app.number)), .bool(settingPassword),
                    .text(Actor.name),
                ]
            )
            return (user, token)
        }
    }

    /// Nil if the token is unknown, used or older than ``invitationLifetime``.
    package func invitation(_ token: String) async throws -> UserInvitation? {
        try await pool.withConnection { try Self.invitation(token, on: $0)?.invitation }
    }

    /// Accepts the role that a token is for. Who has accepted none before chooses a password; others enter theirs,
    /// unless the token sets another one. All sessions of the user end with a new password.
    ///
    /// - Throws: `UserStoreError.weakPassword`, `.busy`.
    package func accept(_ token: String, password: String) async throws -> Acceptance {
        let found = try await pool.withConnection { try Self.invitation(token, on: $0) }
        guard let (invitation, stored) = found else { return .unknown }
        var hash: String?
        if invitation.asksPassword {
            guard try await isRight(password, for: stored) else { return .wrongPassword }
        } else {
            try PasswordRule.check(password, of: invitation.email)
            hash = try await self.hash(password)
        }
        return try await pool.withTransaction { [hash] connection in
            try connection.execute(StoredSQL.lockUser, [.text(invitation.email)])
            guard let now = try Self.invitation(token, on: connection) else { return .unknown }
            // Somebody may have accepted another role meanwhile, or changed the password.
            guard now.invitation == invitation, now.password == stored else { return .wrongPassword }
            let (number, app) = (PostgresValue.int(invitation.user), PostgresValue.int(Int64(invitation.app)))
            try connection.execute(StoredSQL.acceptRole, [number, app])
            try connection.execute(StoredSQL.deleteInvitations, [number, app])
            // Nobody is signed in yet. Who has the token is the user.
            try Actor.$current.withValue(invitation.email) {
                let role = [("role", InspectionValue.string(invitation.role.role.rawValue))]
                try connection.log(.acceptRole, invitation.email, in: invitation.app, to: role)
                guard let hash else { return }
                try connection.execute(StoredSQL.updatePassword, [number, .text(hash), .null])
                try connection.execute(StoredSQL.deleteUserSessions, [number, .null, .null, .null])
                if stored != nil { try connection.log(.setPassword, invitation.email, in: nil) }
            }
            guard let user = try Self.user(.number(invitation.user), on: connection)?.user else { return .unknown }
            return .accepted(user, appID: invitation.role.appID)
        }
    }

    /// The user of an address and a password. It takes as long for an unknown address as for a wrong password. Nil also
    /// for a user who has accepted no role.
    ///
    /// - Throws: `UserStoreError.busy`.
    package func user(email: String, password: String) async throws -> User? {
        let stored = try await stored(email)
        guard try await isRight(password, for: stored?.password), let user = stored?.user else { return nil }
        return user.roles.isEmpty ? nil : user
    }

    /// The user of an address, for whom something else vouches, such as a proxy: with all roles, also those that were
    /// not accepted. Nil unless they are invited to some app.
    package func user(email: String) async throws -> User? {
        guard let user = try await stored(email, withPending: true)?.user, !user.roles.isEmpty else { return nil }
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
            try connection.execute(StoredSQL.deleteInvitations, [.int(user.number), .null])
            try connection.execute(StoredSQL.deleteUserSessions, [.int(user.number), kept, .null, .null])
            try connection.log(.setPassword, user.email, in: nil)
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
                    isAccepted: try row.bool(2),
                    lastSeenAt: try row.optionalTimestamp(3).map { Timestamp(microseconds: $0) }
                )
            }
        }
    }

    /// Gives a user of an app another role, and ends the sessions that look at that app. A role that was not accepted
    /// stays pending.
    ///
    /// - Throws: `UserStoreError.unknownUser`, or `.ownRole` for a user who would lower their own.
    package func setRole(_ role: AppRole, of email: String, in app: App) async throws {
        try await changeUser(email, of: app) { address, number, connection in
            guard let former = try Self.role(of: number, in: app, on: connection)?.role else { return false }
            if address.text == Actor.name, let own = AppRole(rawValue: former), role < own {
                throw UserStoreError.ownRole
            }
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
            guard let former = try Self.role(of: number, in: app, on: connection)?.role else { return false }
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
    }

    /// A user, with the hash of the password.
    typealias Stored = (user: User, password: String?)

    /// - Parameter withPending: whether roles count that were not accepted.
    static func user(
        _ name: Name,
        withPending: Bool = false,
        on connection: isolated PostgresConnection
    ) throws -> Stored? {
        let values: [PostgresValue] =
            switch name {
            case .number(let number): [.int(number), .null]
            case .address(let address): [.null, .text(address.text)]
            }
        return try connection.query(StoredSQL.selectUsers, values + [.bool(withPending)]).first.map { row in
            (try user(row), try row.optionalText(6))
        }
    }

    /// The user of the first six columns of a row.
    static func user(_ row: PostgresRow) throws -> User {
        let apps = zip(try row.textArray(3), try row.textArray(4))
        return User(
            number: try row.int64(0),
            email: try row.text(1),
            hasPassword: try row.bool(2),
            // A later version may know more roles. For this one, they are none.
            roles: zip(apps, try row.textArray(5)).compactMap { app, word in
                AppRole(rawValue: word).map { User.Role(appID: app.0, appName: app.1, role: $0) }
            }
        )
    }

    /// The invitation of a token, and the hash of the user's password.
    private static func invitation(
        _ token: String,
        on connection: isolated PostgresConnection
    ) throws -> (invitation: UserInvitation, password: String?)? {
        let values = [PostgresValue.bytes(AppKey.hash(token)), invitationSeconds]
        guard let row = try connection.query(StoredSQL.selectInvitation, values).first,
            let role = AppRole(rawValue: try row.text(6))
        else { return nil }
        let invitation = UserInvitation(
            user: try row.int64(0),
            email: try row.text(1),
            app: Int32(try row.int(3)),
            role: User.Role(appID: try row.text(4), appName: try row.text(5), role: role),
            invitedBy: try row.text(7),
            asksPassword: try row.bool(8)
        )
        return (invitation, try row.optionalText(2))
    }

    private static let invitationSeconds = PostgresValue.int(invitationLifetime.components.seconds)

    private static func address(_ email: String) throws(UserStoreError) -> EmailAddress {
        guard let address = EmailAddress(email) else { throw .invalidEmail(email) }
        return address
    }

    private func stored(_ email: String, withPending: Bool = false) async throws -> Stored? {
        guard let address = EmailAddress(email) else { return nil }
        return try await pool.withConnection { try Self.user(.address(address), withPending: withPending, on: $0) }
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

    private static func role(
        of user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws -> (role: String, isAccepted: Bool)? {
        try connection.query(StoredSQL.selectRole, [.int(user), .int(Int64(app.number))]).first.map { row in
            (try row.text(0), try row.bool(1))
        }
    }

    /// Another role ends the sessions that look at the app.
    private static func give(
        _ role: AppRole,
        to user: Int64,
        in app: App,
        on connection: isolated PostgresConnection
    ) throws {
        let values: [PostgresValue] = [.int(user), .int(Int64(app.number)), .text(role.rawValue)]
        guard try !connection.query(StoredSQL.upsertRole, values).isEmpty else { return }
        try endSessions(of: user, in: app, on: connection)
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
