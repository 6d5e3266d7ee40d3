package import Events
import Foundation
import Text

/// A short link with a click's id, as a page copies it (``CarriedClick``).
package struct CarriedLink: Equatable, Sendable {
    /// In lower case, without a port.
    package var host: String
    /// Normalised (``Slug``).
    package var slug: String
    package var clickID: EventID

    /// How many are looked at in one text.
    private static let limit = 5

    /// The links in any text, such as what somebody has pasted.
    package static func all(in text: String) -> [CarriedLink] {
        // By bytes: a combining mark after a delimiter makes one character of both.
        let words = text.utf8.split { $0 <= 0x20 || "\"<>'".utf8.contains($0) }
        return words.lazy.compactMap { reading(String(Substring($0))) }.prefix(limit).map { $0 }
    }

    /// Chats and pages that lead on change a link: they escape it for HTML, or encode it as a whole.
    private static func reading(_ word: String) -> CarriedLink? {
        let plain = word.replacing("&amp;", with: "&")
        return CarriedLink(plain)
            ?? plain.removingPercentEncoding?.components(separatedBy: "://").dropFirst().last.flatMap { inner in
                CarriedLink("https://" + inner)
            }
    }

    /// Nil if the text has no link in it, or the link names no click.
    private init?(_ word: String) {
        guard word.range(of: "click_id=", options: .caseInsensitive) != nil else { return nil }
        let start = word.range(of: "https?://", options: [.caseInsensitive, .regularExpression])
        let url = start.map { String(word[$0.lowerBound...]) } ?? "https://" + word
        let bytes = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let host = try? WebAddress(String(Substring(bytes)), field: "").host else { return nil }
        var slashes = 0
        let path = bytes.drop { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes < 3
        }
        let target = RequestTarget(String(Substring(path)))
        guard let slug = target.slug, let query = target.query else { return nil }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard QueryAddition.key(of: pair).lowercased() == "click_id" else { continue }
            let value = pair.drop { $0 != UInt8(ascii: "=") }.dropFirst().prefix(36)
            guard let id = EventID(String(Substring(value))) else { continue }
            self.init(host: host, slug: slug, clickID: id)
            return
        }
        return nil
    }

    private init(host: String, slug: String, clickID: EventID) {
        (self.host, self.slug, self.clickID) = (host, slug, clickID)
    }

    /// Whether it leads to a link, however it spells the slug.
    package func leads(toHost host: String, slug: String) -> Bool {
        self.host == host && Slug.folded(self.slug) == Slug.folded(slug)
    }
}
