/// The holder of a key: one app, for writing or for reading.
package struct Principal: Hashable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var scope: KeyScope
    /// The first characters of the key, safe to log.
    package var keyPrefix: String

    package init(appNumber: Int32, appID: String, scope: KeyScope, keyPrefix: String) {
        self.appNumber = appNumber
        self.appID = appID
        self.scope = scope
        self.keyPrefix = keyPrefix
    }
}
