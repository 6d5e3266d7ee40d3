import Ingest

/// A key of each kind of one app, three of another, and one of any number of apps.
struct KnownKeys: KeyAuthenticator {
    static let write = "trib_write_0123456789"
    static let otherWrite = "trib_write_9876543210"
    static let read = "trib_read_0123456789"
    static let manage = "trib_manage_0123456789"
    static let otherManage = "trib_manage_9876543210"

    static func write(ofApp number: Int32) -> String { many + String(number) }
    private static let many = "trib_write_of_"

    static let app = "trib_app_0123456789"
    static let otherApp = "trib_app_9876543210"
    /// The origins that may use ``app``, and ``otherApp``.
    static let page = "https://shop.example"
    static let otherPage = "https://other.example"

    /// The first characters of the key that acts now.
    @TaskLocal static var acting: String?

    var failure: SinkError?
    /// Whether every key has to be looked up.
    var hasToBeAsked = false

    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        if let failure { throw failure }
        return Self.holder(of: key)
    }

    func principalAtOnce(forKey key: String) -> Principal? {
        failure == nil && !hasToBeAsked ? Self.holder(of: key) : nil
    }

    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value {
        await Self.$acting.withValue(principal.keyPrefix) { await operation() }
    }

    func isKnown(origin: String) async throws(SinkError) -> Bool {
        if let failure { throw failure }
        return origin == Self.page || origin == Self.otherPage
    }

    private static func holder(of key: String) -> Principal? {
        switch key {
        case write: Principal(appNumber: 7, appID: "237", scope: .write, keyPrefix: "trib_write")
        case otherWrite: Principal(appNumber: 8, appID: "238", scope: .write, keyPrefix: "trib_other")
        case read: Principal(appNumber: 7, appID: "237", scope: .read, keyPrefix: "trib_read")
        case manage: Principal(appNumber: 7, appID: "237", scope: .manage, keyPrefix: "trib_manage")
        case otherManage: Principal(appNumber: 8, appID: "238", scope: .manage, keyPrefix: "trib_other_m")
        case app: Principal(appNumber: 7, appID: "237", scope: .app, keyPrefix: "trib_app", origins: [page])
        case otherApp:
            Principal(appNumber: 8, appID: "238", scope: .app, keyPrefix: "trib_other_app", origins: [otherPage])
        default:
            key.hasPrefix(many)
                ? Int32(key.dropFirst(many.count)).map {
                    Principal(appNumber: $0, appID: "\($0)", scope: .write, keyPrefix: "trib_write")
                } : nil
        }
    }
}
