import Postgres
import PostgresTesting
import Testing

@testable import Storage

/// Users as a test needs them: with a password, and roles in the apps `shop` and `other`.
struct UserTesting: Sendable {
    static let (email, password) = ("ann@example.com", "correct mule cell pin")

    let base: StorageTesting
    let store: UserStore
    let work: PasswordWork
    let other: App

    var shop: App { base.app }
    var sessions: SessionStore { SessionStore(pool: base.pool) }

    @discardableResult
    func join(_ email: String, as role: AppRole = .viewer, of app: App? = nil) async throws -> User {
        let invitation = try await store.invite(email, as: role, to: app ?? shop, settingPassword: true)
        let token = try #require(invitation.token)
        return try #require(try await accept(token))
    }

    /// Nil if the invitation is not accepted.
    func accept(_ token: String, _ password: String = Self.password) async throws -> User? {
        guard case .accepted(let user, _) = try await store.accept(token, password: password) else { return nil }
        return user
    }

    func invite(_ email: String, to app: App, settingPassword: Bool = false) async throws -> String {
        let invited = try await store.invite(email, as: .viewer, to: app, settingPassword: settingPassword)
        return try #require(invited.token)
    }

    func signIn(_ email: String = Self.email) async throws -> String {
        let user = try #require(try await store.user(email: email, password: Self.password))
        return try await sessions.begin(user: user, browser: "Firefox")
    }

    static func with(_ body: @Sendable (UserTesting) async throws -> Void) async throws {
        try await StorageTesting.with { base in
            let apps = AppStore(pool: base.pool)
            _ = try await apps.create(AppProfile(id: "other", name: "Other Shop"))
            let work = PasswordWork()
            let store = UserStore(pool: base.pool, cost: PasswordTests.cheap, work: work)
            try await body(UserTesting(base: base, store: store, work: work, other: try await apps.app(id: "other")))
        }
    }
}

extension TestDatabase {
    /// Whether a text stands anywhere in the tables of users.
    func hasText(_ text: String) async throws -> Bool {
        try await pool.withConnection { connection in
            for table in ["dashboard_user", "dashboard_role", "dashboard_invitation", "dashboard_session"] {
                let rows = try connection.query("select t::text from \(table) as t").map { try $0.text(0) }
                let hexadecimal = text.utf8.map { String($0, radix: 16) }.joined()
                if rows.contains(where: { $0.contains(text) || $0.contains(hexadecimal) }) { return true }
            }
            return false
        }
    }
}
