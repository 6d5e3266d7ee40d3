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
}

extension Principal {
    fileprivate init(_ holder: KeyHolder) {
        self.init(
            appNumber: holder.appNumber,
            appID: holder.appID,
            scope: holder.scope == .write ? .write : .read,
            keyPrefix: holder.keyPrefix
        )
    }
}
