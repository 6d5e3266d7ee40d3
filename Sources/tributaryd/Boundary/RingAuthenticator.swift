import Answering
import Ingest
import Postgres
import Storage

/// Finds the holders of keys in the ring.
struct RingAuthenticator: KeyAuthenticator {
    let ring: KeyRing
    /// Of the ring, among those of the daemon.
    var database = 0
    let failures: FailureTable

    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        do {
            return try await ring.holder(of: key).map(principal)
        } catch {
            throw failures.sink(error)
        }
    }

    func principalAtOnce(forKey key: String) -> Principal? {
        ring.holderAtOnce(of: key).map(principal)
    }

    private func principal(_ holder: KeyHolder) -> Principal { Principal(holder, in: database) }

    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value {
        await Actor.$current.withValue(Actor.key(principal.keyPrefix, label: principal.label)) { await operation() }
    }

    func isKnown(origin: String) async throws(SinkError) -> Bool {
        do {
            return try await ring.hasKey(forPagesOf: origin)
        } catch {
            throw failures.sink(error)
        }
    }
}

extension Principal {
    init(_ holder: KeyHolder, in database: Int) {
        self.init(
            appNumber: holder.appNumber,
            appID: holder.appID,
            scope: KeyScope(holder.scope),
            keyPrefix: holder.keyPrefix,
            label: holder.label,
            origins: holder.origins
        )
        self.database = database
    }
}

extension Principal {
    /// The app of the key.
    func app(on pool: PostgresPool) async throws -> App { try await AppStore(pool: pool).app(id: appID) }
}

extension KeyScope {
    fileprivate init(_ scope: AppKey.Scope) {
        self =
            switch scope {
            case .write: .write
            case .read: .read
            case .manage: .manage
            case .app: .app
            }
    }
}
