import Text

/// Path and query of a request, as they came.
package struct RequestTarget: Sendable {
    package let path: String
    /// After the `?`; nil if there is none.
    package let query: String?

    package init(_ target: String) {
        let whole = target.utf8.prefix { $0 != UInt8(ascii: "#") }
        let path = whole.prefix { $0 != UInt8(ascii: "?") }
        self.path = String(Substring(path))
        query = path.endIndex == whole.endIndex ? nil : String(Substring(whole[path.endIndex...].dropFirst()))
    }

    /// The slug that the path names: percent-decoded once, in NFC, without slashes at its end. Nil if no link can have
    /// this path.
    package var slug: String? {
        var bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") else { return nil }
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        // Encoded, a byte takes three.
        guard bytes.count > 1, bytes.count <= 1 + 3 * 4 * LinkLimits.slug,
            let text = PercentDecoding.text(bytes, 1..<bytes.count, plusIsSpace: false), !text.contains("/")
        else { return nil }
        return Slug.normalised(text)
    }
}
