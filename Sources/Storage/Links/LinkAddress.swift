/// Where a link is: no two links have the same, deleted ones included.
package struct LinkAddress: Hashable, Sendable {
    package var host: String
    package var slug: String

    package init(host: String, slug: String) {
        self.host = host
        self.slug = slug
    }

    /// - Parameter name: as ``name``. Nil for any other text.
    package init?(name: String) {
        guard let slash = name.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        self.init(host: String(name[..<slash]), slug: String(name[slash...].dropFirst()))
    }

    /// What touches and reports call the link: `host/slug`.
    package var name: String { "\(host)/\(slug)" }
}
