import Cryptography

/// A key of an app. It is random and shown once; only its hash is stored.
package struct AppKey: Equatable, Sendable {
    /// What a key is for. No key is for both.
    package enum Scope: String, Codable, CaseIterable, Sendable {
        case write, read
    }

    package var scope: Scope
    package var label: String
    /// The key's first 11 characters, so that people can tell keys apart.
    package var prefix: String
    /// Microseconds since 1970, UTC, like the times below.
    package var createdAt: Int64
    package var expiresAt: Int64?
    package var revokedAt: Int64?
    package var lastUsedAt: Int64?

    /// A new key: a prefix that secret scanners can search for, and 32 random letters and digits (190 bits).
    package static func generate(scope: Scope) -> String {
        "trib_\(scope == .write ? "w" : "r")_" + randomCharacters()
    }

    static func randomCharacters() -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var random = SystemRandomNumberGenerator()
        let characters = (0..<32).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
        return String(decoding: characters, as: UTF8.self)
    }

    /// SHA-256 of a key. Keys are random, so a slow hash would add nothing.
    package static func hash(_ key: String) -> [UInt8] {
        SHA256.hash(key.utf8)
    }

    package static func prefix(of key: String) -> String {
        String(key.prefix(11))
    }
}
