import Cryptography

package import Events

/// A key of an app. It is random and shown once; only its hash is stored.
package struct AppKey: Equatable, Sendable {
    /// What a key is for. No key is for two of these.
    package enum Scope: String, Codable, CaseIterable, Sendable {
        case write, read
        /// Does over HTTP what a manager of the app does: reads everything, changes links and costs; no events.
        case manage
        /// Stands in an app or a web page, where anyone can read it. It may only say what an app knows of its device.
        case app

        /// How keys of the scope begin.
        var mark: String {
            switch self {
            case .write: "trib_w_"
            case .read: "trib_r_"
            case .manage: "trib_m_"
            case .app: "trib_a_"
            }
        }
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
    /// Of web pages that may use the key, as browsers send them; empty if none may. Only keys for apps have some.
    package var origins: [String] = []

    /// A new key: a prefix that secret scanners can search for, and 32 random letters and digits (190 bits).
    package static func generate(scope: Scope) -> String {
        scope.mark + randomCharacters()
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
        String(key.prefix(prefixLength))
    }

    package static let prefixLength = 11
    private static let length = 39

    /// A key as people name it: whole, or by its first characters, perhaps with an ellipsis, in quotes, after `Bearer`,
    /// or as a log has cut it off.
    package enum Name: Equatable, Sendable {
        case whole(String)
        case prefix(String)

        /// Nil if the text has too few characters of a key.
        package init?(_ text: String) {
            guard let start = text.firstRange(of: "trib_")?.lowerBound else { return nil }
            let name = text[start...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            guard name.count >= prefixLength else { return nil }
            self = name.count == length ? .whole(String(name)) : .prefix(AppKey.prefix(of: String(name)))
        }

        package var prefix: String {
            switch self {
            case .whole(let key): AppKey.prefix(of: key)
            case .prefix(let prefix): prefix
            }
        }
    }
}

extension EventSender {
    /// Who sent events with a key.
    ///
    /// - Parameter prefix: the first characters of the key.
    package init(keyPrefix prefix: String) {
        self = prefix.hasPrefix(AppKey.Scope.app.mark) ? .app : .server
    }
}
