import Text

/// Path and query of a request, as they came.
package struct RequestTarget: Sendable {
    /// The host and the port of a target in absolute form, `http://host:port/path` (RFC 9112 section 3.2.2); nil if it
    /// has another form.
    package let authority: String?
    package let path: String
    /// After the `?`; nil if there is none.
    package let query: String?

    package init(_ target: String) {
        var rest = target.utf8[...]
        if let scheme = ["http://", "https://"].first(where: { Self.begins(rest, with: $0) }) {
            rest = rest.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { !"/?#".utf8.contains($0) }
            rest = rest[authority.endIndex...]
            self.authority = String(Substring(authority))
        } else {
            authority = nil
        }
        let whole = rest.prefix { $0 != UInt8(ascii: "#") }
        let path = whole.prefix { $0 != UInt8(ascii: "?") }
        self.path = authority != nil && path.isEmpty ? "/" : String(Substring(path))
        query = path.endIndex == whole.endIndex ? nil : String(Substring(whole[path.endIndex...].dropFirst()))
    }

    private static func begins(_ text: Substring.UTF8View, with scheme: String) -> Bool {
        text.prefix(scheme.utf8.count).map(\.lowercasedASCII).elementsEqual(scheme.utf8)
    }

    /// The slug that the path names: percent-decoded once, in NFC, without slashes at its end. Nil if no link can have
    /// this path.
    package var slug: String? {
        var bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        // Encoded, a byte takes three.
        guard bytes.count > 1, bytes.count <= 1 + 3 * 4 * LinkLimits.slug,
            let text = PercentDecoding.text(bytes, 1..<bytes.count, plusIsSpace: false)
        else { return nil }
        // No slug has a slash. `/sale/)` is a link with a slash at its end that stood in parentheses.
        let slug = text.utf8.contains(UInt8(ascii: "/")) ? Slug.withoutAttachment(text, orSlashes: true) : text
        return slug.isEmpty || slug.utf8.contains(UInt8(ascii: "/")) ? nil : Slug.normalised(slug)
    }
}
