package import Ingest
import Storage

extension KeyRing: KeyAuthenticator {
    package func principal(forKey key: String) async throws(SinkError) -> Principal? {
        do {
            return try await holder(of: key).map(Principal.init)
        } catch {
            throw .unavailable(retryAfter: .seconds(2))
        }
    }

    package func principalAtOnce(forKey key: String) -> Principal? {
        holderAtOnce(of: key).map(Principal.init)
    }

    package func isKnown(origin: String) async throws(SinkError) -> Bool {
        do {
            return try await hasKey(forPagesOf: origin)
        } catch {
            throw .unavailable(retryAfter: .seconds(2))
        }
    }
}

extension Principal {
    fileprivate init(_ holder: KeyHolder) {
        self.init(
            appNumber: holder.appNumber,
            appID: holder.appID,
            scope: KeyScope(holder.scope),
            keyPrefix: holder.keyPrefix,
            origins: holder.origins
        )
    }
}

extension KeyScope {
    fileprivate init(_ scope: AppKey.Scope) {
        self =
            switch scope {
            case .write: .write
            case .read: .read
            case .app: .app
            }
    }
}
