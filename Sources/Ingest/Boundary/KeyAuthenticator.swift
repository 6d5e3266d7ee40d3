/// Says who holds a key.
package protocol KeyAuthenticator: Sendable {
    /// - Returns: the holder; nil when the key is unknown, revoked or expired.
    /// - Throws: when that cannot be told now.
    func principal(forKey key: String) async throws(SinkError) -> Principal?

    /// The same for a key that is known well enough, without waiting.
    ///
    /// - Returns: nil where `principal(forKey:)` has to be asked.
    func principalAtOnce(forKey key: String) -> Principal?
}
