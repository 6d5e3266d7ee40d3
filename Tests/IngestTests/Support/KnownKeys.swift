import Ingest

/// Two keys of one app.
struct KnownKeys: KeyAuthenticator {
    static let write = "trib_write_0123456789"
    static let read = "trib_read_0123456789"

    var failure: SinkError?

    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        if let failure { throw failure }
        switch key {
        case Self.write: return Principal(appNumber: 7, appID: "237", scope: .write, keyPrefix: "trib_write")
        case Self.read: return Principal(appNumber: 7, appID: "237", scope: .read, keyPrefix: "trib_read")
        default: return nil
        }
    }
}
