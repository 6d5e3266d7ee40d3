/// Where a link is: no two links have the same, deleted ones included.
package struct LinkAddress: Hashable, Sendable {
    package var host: String
    package var slug: String

    package init(host: String, slug: String) {
        self.host = host
        self.slug = slug
    }
}
