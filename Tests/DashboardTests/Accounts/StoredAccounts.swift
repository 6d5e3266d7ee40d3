import Synchronization
import Time

@testable import Dashboard
@testable import Storage

/// Users with passwords, sessions and shared pages, in memory. The session `abc` is a read key's at first.
final class StoredAccounts: Sendable {
    struct Contents {
        var users: [User] = []
        var passwords: [String: String] = [:]
        var holders: [String: StoredSession.Holder] = ["abc": .key(prefix: "trib_r_sh")]
        var apps: [String: String] = [:]
        var invitations: [String: UserInvitation] = [:]
        var shares: [String: SharedPage] = [:]
        /// The sessions that a proxy has begun.
        var vouched: Set<String> = []
        /// How many passwords were compared.
        var checks = 0
    }

    let contents = Mutex(Contents())

    static func user(_ roles: [(app: String, role: AppRole)], _ email: String = "ann@example.com") -> User {
        let roles = roles.map { User.Role(appID: $0.app, appName: name(of: $0.app), role: $0.role) }
        return User(number: Int64(email.utf8.count), email: email, hasPassword: true, roles: roles)
    }

    static func name(of app: String) -> String { app.prefix(1).uppercased() + app.dropFirst() }

    /// From now on the session `abc` is Ann's.
    func signIn(as role: AppRole, elsewhere other: AppRole? = nil) {
        let user = Self.user(roles(role, other))
        add(user, password: "correct horse")
        contents.withLock { $0.holders["abc"] = .user(user) }
    }

    private func roles(_ role: AppRole, _ other: AppRole?) -> [(app: String, role: AppRole)] {
        [("shop", role)] + (other.map { [("other", $0)] } ?? [])
    }

    func add(_ user: User, password: String) {
        contents.withLock {
            $0.users.removeAll { $0.email == user.email }
            $0.users.append(user)
            $0.passwords[user.email] = password
        }
    }

    func share(_ question: String, secret: String) {
        contents.withLock {
            $0.shares[secret] = SharedPage(
                number: Int64($0.shares.count + 1),
                question: question,
                createdAt: StoredDashboard.now,
                expiresAt: StoredDashboard.now.advanced(by: .seconds(86_400)),
                createdBy: "ann@example.com"
            )
        }
    }
}

extension StoredDashboard {
    private func begin(_ holder: StoredSession.Holder) -> String {
        accounts.contents.withLock {
            let id = "session\($0.holders.count)"
            $0.holders[id] = holder
            return id
        }
    }

    func beginSession(key: String) async throws(DashboardFailure) -> String? { begin(.key(prefix: "trib_r_sh")) }

    func beginSession(of user: User, browser: String, isVouched: Bool) async throws(DashboardFailure) -> String {
        let id = begin(.user(user))
        if isVouched { accounts.contents.withLock { _ = $0.vouched.insert(id) } }
        return id
    }

    func caller(ofSession id: String) async throws(DashboardFailure) -> Caller? {
        try checkSessions()
        return accounts.contents.withLock { contents in
            guard let holder = contents.holders[id] else { return nil }
            guard case .user(let user) = holder else { return Caller(app: app, holder: holder, role: .viewer) }
            let isVouched = contents.vouched.contains(id)
            let id = contents.apps[id] ?? user.roles.first?.appID ?? ""
            return user.role(in: id).map { role in
                var app = app
                if id != app.profile.id {
                    app = App(number: 8, profile: AppProfile(id: id, name: StoredAccounts.name(of: id)))
                }
                return Caller(app: app, holder: holder, role: role, isVouched: isVouched)
            }
        }
    }

    func endSession(_ id: String) async throws(DashboardFailure) {
        accounts.contents.withLock { $0.holders[id] = nil }
    }

    func endSession(_ number: Int64, of user: User) async throws(DashboardFailure) {
        accounts.contents.withLock { $0.holders["session\(number)"] = nil }
    }

    func sessions(of user: User) async throws(DashboardFailure) -> [UserSession] {
        accounts.contents.withLock { contents in
            contents.holders.sorted { $0.key < $1.key }.compactMap { id, holder in
                guard case .user(let holder) = holder, holder.number == user.number,
                    let number = Int64(id.drop { !$0.isNumber })
                else { return nil }
                return UserSession(
                    number: number,
                    beganAt: Self.now,
                    lastSeenAt: Self.now,
                    browser: "Browser \(number)",
                    isVouched: contents.vouched.contains(id),
                    hash: []
                )
            }
        }
    }

    func chooseApp(_ appID: String, in session: String) async throws(DashboardFailure) -> Bool {
        accounts.contents.withLock {
            guard case .user(let user) = $0.holders[session], user.role(in: appID) != nil else { return false }
            $0.apps[session] = appID
            return true
        }
    }

    func hasUsers() async throws(DashboardFailure) -> Bool { accounts.contents.withLock { !$0.users.isEmpty } }

    func user(email: String, password: String) async throws(DashboardFailure) -> User? {
        try check()
        return accounts.contents.withLock { contents in
            contents.checks += 1
            return contents.users.first { $0.email == email && contents.passwords[email] == password }
        }
    }

    func user(email: String) async throws(DashboardFailure) -> User? {
        accounts.contents.withLock { $0.users.first { $0.email == email } }
    }

    func invitation(_ token: String) async throws(DashboardFailure) -> UserInvitation? {
        try check()
        return accounts.contents.withLock { $0.invitations[token] }
    }

    func accept(_ token: String, password: String) async throws(DashboardFailure) -> Acceptance {
        guard let invited = try await invitation(token) else { return .unknown }
        if invited.asksPassword {
            guard try await user(email: invited.email, password: password) != nil else { return .wrongPassword }
        } else {
            guard password.utf8.count >= 12 else { throw .invalid("Too short.") }
        }
        guard var user = try await user(email: invited.email) else { return .unknown }
        if invited.asksPassword { user.roles.append(invited.role) }
        accounts.add(user, password: password)
        accounts.contents.withLock { $0.invitations[token] = nil }
        return .accepted(user, appID: invited.role.appID)
    }

    func changePassword(
        of user: User,
        from old: String,
        to new: String,
        keeping session: String?
    ) async throws(DashboardFailure) -> Bool {
        guard try await self.user(email: user.email, password: old) != nil else { return false }
        guard new.utf8.count >= 12 else { throw .invalid("Too short.") }
        accounts.add(user, password: new)
        return true
    }

    func users(of app: App) async throws(DashboardFailure) -> [AppUser] {
        accounts.contents.withLock { contents in
            contents.users.compactMap { user in
                user.role(in: app.profile.id).map {
                    let isAccepted = contents.passwords[user.email]?.isEmpty == false
                    return AppUser(email: user.email, role: $0, isAccepted: isAccepted, lastSeenAt: nil)
                }
            }
        }
    }

    func invite(_ email: String, as role: AppRole, to app: App) async throws(DashboardFailure) -> String? {
        guard email.contains("@") else { throw .invalid("This is no e-mail address.") }
        let (known, password) = accounts.contents.withLock { contents in
            let known = contents.users.first { $0.email == email }?.role(in: app.profile.id)
            return (known, contents.passwords[email] ?? "")
        }
        if let known {
            guard known == role else { throw .invalid("'\(email)' is \(known.rawValue) of the app already.") }
            guard password.isEmpty else { return nil }
        }
        let token = "token-of-\(role)"
        if password.isEmpty { accounts.add(StoredAccounts.user([(app.profile.id, role)], email), password: "") }
        accounts.contents.withLock {
            $0.invitations[token] = UserInvitation(
                email: email,
                role: User.Role(appID: app.profile.id, appName: StoredAccounts.name(of: app.profile.id), role: role),
                invitedBy: Actor.name,
                asksPassword: !password.isEmpty
            )
        }
        return token
    }

    func setRole(_ role: AppRole, of email: String, in app: App) async throws(DashboardFailure) {
        let users = try await users(of: app)
        if email.lowercased() == Actor.name, users.contains(where: { $0.email == Actor.name && role < $0.role }) {
            throw .invalid("Nobody lowers their own role.")
        }
        try await remove(email, from: app)
        accounts.add(StoredAccounts.user([(app.profile.id, role)], email), password: "")
    }

    func remove(_ email: String, from app: App) async throws(DashboardFailure) {
        let isKnown = accounts.contents.withLock { contents in
            defer { contents.users.removeAll { $0.email == email } }
            return contents.users.contains { $0.email == email }
        }
        guard isKnown else { throw .invalid("Nobody has this address.") }
    }

    func sharedPages(of app: App) async throws(DashboardFailure) -> [SharedPage] {
        accounts.contents.withLock { Array($0.shares.values) }
    }

    func share(_ question: String, days: Int, of app: App) async throws(DashboardFailure) -> String {
        guard (1...366).contains(days) else { throw .invalid("A page is shared for 1 to 366 days.") }
        accounts.share(question, secret: "secret-\(days)")
        return "secret-\(days)"
    }

    func endShare(_ number: Int64, of app: App) async throws(DashboardFailure) {
        accounts.contents.withLock { $0.shares = $0.shares.filter { $0.value.number != number } }
    }

    func sharedQuestion(_ secret: String) async throws(DashboardFailure) -> (app: App, question: String)? {
        accounts.contents.withLock { $0.shares[secret].map { (app: app, question: $0.question) } }
    }
}
