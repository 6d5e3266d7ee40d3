import HTTPTypes
import Testing

@testable import Dashboard
@testable import Storage

/// Users and their sessions.
extension StoredDashboard {
    static let ann = "ann@example.com"
    static let password = "correct horse"

    /// From now on the browser's session is Ann's.
    func signIn(as role: AppRole, elsewhere other: AppRole? = nil) async throws {
        let roles = [(DashboardDatabase.app, role)] + (other.map { [(DashboardDatabase.other, $0)] } ?? [])
        try await begin(try await add(roles))
    }

    /// Begins a session of the read key, which the browser has from now on.
    func beginWithKey() async throws {
        session = try #require(try await stores().sessions.begin(key: DashboardDatabase.readKey))
    }

    /// Begins a session of a user, which the browser has from now on. It looks at the shop if it can.
    func begin(_ user: User) async throws {
        let sessions = try await stores().sessions
        session = try await sessions.begin(user: user, browser: "")
        _ = try await sessions.choose(app.profile.id, in: session)
    }

    /// Somebody with these roles.
    ///
    /// - Parameter password: nil: the roles are pending.
    @discardableResult
    func add(
        _ roles: [(app: App, role: AppRole)],
        email: String = ann,
        password: String? = password
    ) async throws -> User {
        let users = try await stores().users
        for (app, role) in roles {
            let known = try await users.users(of: app).first { $0.email == email }
            if let known, known.role != role { try await users.setRole(role, of: email, in: app) }
            guard let password, known?.isAccepted != true else {
                if known == nil { _ = try await users.invite(email, as: role, to: app) }
                continue
            }
            let token = try #require(try await users.invite(email, as: role, to: app).token)
            _ = try await users.accept(token, password: password)
        }
        return try #require(try await users.user(email: email))
    }

    /// The users of the shop.
    var users: [AppUser] { get async throws { try await stores().users.users(of: app) } }

    /// Whose a session is; nil if it is over.
    func caller(of session: String) async throws -> Caller? { try await stores().caller(ofSession: session) }

    /// The session that an answer begins.
    static func session(begunBy answer: Answer?) throws -> String {
        let cookie = try #require(answer?.headers[.setCookie]?.prefix { $0 != ";" })
        return try #require(cookie.split(separator: "=").last.map(String.init))
    }
}
