import Foundation
import Text

/// A URL that something is sent to. Only `https`, unless private destinations are allowed.
package struct Destination: Hashable, Sendable {
    /// The longest URL, in bytes.
    package static let lengthLimit = 2_048

    package let url: String
    let host: String
    let port: Int

    /// - Parameter allowsPrivate: the setting `webhook.allow.private`: `http` is good too.
    /// - Throws: what is wrong with the URL, in words for its owner.
    package init(_ text: String, allowsPrivate: Bool) throws(DestinationError) {
        guard text.utf8.count <= Self.lengthLimit else {
            throw DestinationError("the URL is longer than \(Self.lengthLimit) bytes")
        }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty,
            // As decoded: it becomes a header.
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { throw DestinationError("the URL does not read as https://HOST/PATH, in ASCII without blanks") }
        guard scheme == "https" || scheme == "http" && allowsPrivate else {
            let others = allowsPrivate ? " or http://" : "; the setting webhook.allow.private allows http:// too"
            throw DestinationError("the URL must begin with https://" + others)
        }
        guard parts.user == nil, parts.password == nil else {
            throw DestinationError("the URL must not have a user name or a password")
        }
        guard parts.hasUsablePort else { throw DestinationError("the URL's port must be from 1 to 65535") }
        url = text
        // `URLComponents` keeps the brackets of an IPv6 address.
        self.host = String(host.drop { $0 == "[" }.prefix { $0 != "]" })
        port = parts.port ?? (scheme == "https" ? 443 : 80)
    }

    /// What messages may show: the path may be a secret, as it is of webhooks of Slack.
    package var origin: String {
        (url.hasPrefix("http:") ? "http://" : "https://") + (host.contains(":") ? "[\(host)]" : host)
            + (port == 443 || port == 80 ? "" : ":\(port)")
    }
}

/// Why a URL is no destination. The text may be shown.
package struct DestinationError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
