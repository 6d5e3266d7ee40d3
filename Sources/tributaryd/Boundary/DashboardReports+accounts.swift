import Answering
import Dashboard
import Postgres
import Storage

/// Who is signed in to the dashboard, and what they may do.
extension DashboardReports {
    private var accounts: UserStore { UserStore(pool: pool) }
    private var sessionStore: SessionStore { SessionStore(pool: pool) }
    private var shares: ShareStore { ShareStore(pool: pool) }

    func beginSession(key: String) async throws(DashboardFailure) -> String? {
        try await failures.onPage { try await sessionStore.begin(key: key) }
    }

    func beginSession(of user: User, browser: String, isVouched: Bool) async throws(DashboardFailure) -> String {
        try await failures.onPage {
            try await sessionStore.begin(user: user, browser: browser, isVouched: isVouched)
        }
    }

    func caller(ofSession id: String) async throws(DashboardFailure) -> Caller? {
        do {
            return try await caller(ofSession: id, on: pool)
        } catch {
            // Without the primary, a standby knows the sessions that it has replayed.
            if reader.pool !== pool, let caller = try? await caller(ofSession: id, on: reader.pool) { return caller }
            throw failures.page(error)
        }
    }

    private func caller(ofSession id: String, on pool: PostgresPool) async throws -> Caller? {
        guard let session = try await SessionStore(pool: pool).session(id) else { return nil }
        let role: AppRole
        switch session.holder {
        case .key: role = .viewer
        case .user(let user):
            guard let own = user.role(in: session.appID) else { return nil }
            role = own
        }
        // The app may have been deleted meanwhile.
        guard let app = try await app(session.appID, on: pool) else { return nil }
        return Caller(app: app, holder: session.holder, role: role, isVouched: session.isVouched)
    }

    private func app(_ id: String, on pool: PostgresPool) async throws -> App? {
        do {
            return try await AppStore(pool: pool).app(id: id)
        } catch is AppStoreError {
            return nil
        }
    }

    func endSession(_ id: String) async throws(DashboardFailure) {
        try await failures.onPage { try await sessionStore.end(id) }
    }

    func endSession(_ number: Int64, of user: User) async throws(DashboardFailure) {
        try await failures.onPage { try await sessionStore.end(number: number, of: user) }
    }

    func sessions(of user: User) async throws(DashboardFailure) -> [UserSession] {
        try await failures.onPage { try await sessionStore.sessions(of: user) }
    }

    func chooseApp(_ appID: String, in session: String) async throws(DashboardFailure) -> Bool {
        try await failures.onPage { try await sessionStore.choose(appID, in: session) }
    }

    func hasUsers() async throws(DashboardFailure) -> Bool {
        try await failures.onPage { try await accounts.hasUsers() }
    }

    func user(email: String, password: String) async throws(DashboardFailure) -> User? {
        try await failures.onPage { try await accounts.user(email: email, password: password) }
    }

    func user(email: String) async throws(DashboardFailure) -> User? {
        try await failures.onPage { try await accounts.user(email: email) }
    }

    func invitation(_ token: String) async throws(DashboardFailure) -> UserInvitation? {
        try await failures.onPage { try await accounts.invitation(token) }
    }

    func accept(_ token: String, password: String) async throws(DashboardFailure) -> Acceptance {
        try await failures.onPage { try await accounts.accept(token, password: password) }
    }

    func changePassword(
        of user: User,
        from old: String,
        to new: String,
        keeping session: String?
    ) async throws(DashboardFailure) -> Bool {
        try await failures.onPage {
            try await accounts.changePassword(of: user, from: old, to: new, keeping: session)
        }
    }

    func users(of app: App) async throws(DashboardFailure) -> [AppUser] {
        try await failures.onPage { try await accounts.users(of: app) }
    }

    func invite(_ email: String, as role: AppRole, to app: App) async throws(DashboardFailure) -> String? {
        try await failures.onPage { try await accounts.invite(email, as: role, to: app).token }
    }

    func setRole(_ role: AppRole, of email: String, in app: App) async throws(DashboardFailure) {
        try await failures.onPage { try await accounts.setRole(role, of: email, in: app) }
    }

    func remove(_ email: String, from app: App) async throws(DashboardFailure) {
        try await failures.onPage { try await accounts.remove(email, from: app) }
    }

    func sharedPages(of app: App) async throws(DashboardFailure) -> [SharedPage] {
        try await failures.onPage { try await shares.pages(of: app) }
    }

    func share(_ question: String, days: Int, of app: App) async throws(DashboardFailure) -> String {
        try await failures.onPage { try await shares.share(question, of: app, days: days).secret }
    }

    func endShare(_ number: Int64, of app: App) async throws(DashboardFailure) {
        _ = try await failures.onPage { try await shares.revoke(number, of: app) }
    }

    func sharedQuestion(_ secret: String) async throws(DashboardFailure) -> (app: App, question: String)? {
        try await failures.onPage {
            guard let page = try await shares.page(secret), let app = try await app(page.appID, on: pool) else {
                return nil
            }
            return (app, page.question)
        }
    }
}
