import Time

/// A key that is neither revoked nor expired, read from the database or the archive.
struct ValidKey: Codable, Equatable, Sendable {
    /// SHA-256 of the key.
    var hash: [UInt8]
    var holder: KeyHolder
    /// Microseconds since 1970, UTC.
    var expiresAt: Int64?

    func isExpired(at now: Timestamp) -> Bool {
        expiresAt.map { $0 <= now.microseconds } ?? false
    }
}
