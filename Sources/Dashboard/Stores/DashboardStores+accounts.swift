import Answering
import Postgres
import Storage

/// Who is signed in to the dashboard.
extension DashboardStores {
    /// Whose a session is, and the app that it looks at; nil if the session has ended.
    func caller(ofSession id: String) async throws(DashboardFailure) -> Caller? {
        do {
            return try await caller(ofSession: id, on: accounts)
        } catch {
            // Without the primary, a standby knows the sessions that it has replayed.
            if reader.pool !== accounts, let caller = try? await caller(ofSession: id, on: reader.pool) {
                return caller
            }
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

    /// Nil if there is none.
    func app(_ id: String, on pool: PostgresPool) async throws -> App? {
        do {
            return try await AppStore(pool: pool).app(id: id)
        } catch is AppStoreError {
            return nil
        }
    }
}
