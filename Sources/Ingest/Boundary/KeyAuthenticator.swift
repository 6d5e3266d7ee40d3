/// Finds the holder of a key.
package protocol KeyAuthenticator: Sendable {
    /// - Returns: the holder; nil when the key is unknown, revoked or expired.
    /// - Throws: `SinkError` if the holder cannot be found out now.
    func principal(forKey key: String) async throws(SinkError) -> Principal?

    /// The holder of a key, without waiting.
    ///
    /// - Returns: nil if the key is not in memory, or was read too long ago; then call `principal(forKey:)`.
    func principalAtOnce(forKey key: String) -> Principal?

    /// Runs an operation. The log of changes names the key of what is changed meanwhile.
    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value

    /// Whether pages of a web origin may use the key for apps of some app.
    ///
    /// - Throws: `SinkError` if that cannot be found out now.
    func isKnown(origin: String) async throws(SinkError) -> Bool
}
