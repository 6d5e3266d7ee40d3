/// The holder of a key: one app, for one use.
package struct Principal: Hashable, Sendable {
    /// Among those of its database.
    package var appNumber: Int32
    package var appID: String
    package var scope: KeyScope
    /// The first characters of the key, safe to log.
    package var keyPrefix: String
    /// A note that says where the key is used.
    package var label: String
    /// The origins of the web pages that may use a key for apps.
    package var origins: [String]
    /// Which of the daemon's databases has the app: a position in the list of ``ServedApps``.
    package var database = 0

    package init(
        appNumber: Int32,
        appID: String,
        scope: KeyScope,
        keyPrefix: String,
        label: String = "",
        origins: [String] = []
    ) {
        self.appNumber = appNumber
        self.appID = appID
        self.scope = scope
        self.keyPrefix = keyPrefix
        self.label = label
        self.origins = origins
    }

    /// A number of the app among those of all databases. With one database, it is ``appNumber``.
    var servedApp: Int64 { Int64(database) << 32 | Int64(appNumber) }
}
