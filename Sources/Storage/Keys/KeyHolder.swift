/// The app that a key belongs to, and what the key is for.
package struct KeyHolder: Codable, Equatable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var scope: AppKey.Scope
    package var keyPrefix: String
    /// A note that says where the key is used.
    package var label = ""
    /// Of web pages that may use the key. Only keys for apps have some.
    package var origins: [String] = []
    /// Whether the app has moved to another database, and is served there.
    package var hasMoved = false
}
