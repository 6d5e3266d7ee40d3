import Time

/// A key that counts, as the database or the archive tells of it.
struct ValidKey: Equatable, Sendable {
    /// SHA-256 of the key.
    var hash: [UInt8]
    var holder: KeyHolder
    /// Microseconds since 1970, UTC.
    var expiresAt: Int64?

    func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now.microseconds } ?? false
    }
}
