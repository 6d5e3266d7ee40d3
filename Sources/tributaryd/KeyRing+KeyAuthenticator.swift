package import Ingest
import Storage

extension KeyRing: KeyAuthenticator {
    package func principal(forKey key: String) async throws(SinkError) -> Principal? {
        do {
            guard let holder = try await holder(of: key) else { return nil }
            return Principal(
                appNumber: holder.appNumber,
                appID: holder.appID,
                scope: holder.scope == .write ? .write : .read,
                keyPrefix: holder.keyPrefix
            )
        } catch {
            throw .unavailable(retryAfter: .seconds(2))
        }
    }
}
