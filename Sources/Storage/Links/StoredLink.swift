import Cryptography
import InboundLinks
import Postgres
import Redirects
import Time

/// A row of the table `link`.
struct StoredLink {
    var link: Link
    var isDeleted: Bool

    var address: LinkAddress { LinkAddress(host: link.host, slug: link.slug) }

    init(link: Link, isDeleted: Bool) {
        self.link = link
        self.isDeleted = isDeleted
    }

    /// - Parameter row: `deleted_at`, then the columns of `sql/fragments/link_fields.sql`.
    init(_ row: PostgresRow) throws {
        isDeleted = try !row.isNull(0)
        link = Link(host: "", slug: "")
        for (column, field) in zip(1..., LinkField.all) {
            switch field.value {
            case .host: link.host = try row.text(column)
            case .slug: link.slug = try row.text(column)
            case .text(let path, _), .choice(let path, _): link[keyPath: path] = try row.optionalText(column)
            case .list(let path): link[keyPath: path] = try row.textArray(column)
            case .flag(let path): link[keyPath: path] = try row.bool(column)
            case .time(let path):
                link[keyPath: path] = try row.optionalTimestamp(column).map(Timestamp.init(microseconds:))
            }
        }
    }

    /// The column `content_hash`.
    static func contentHash(of link: Link) -> Int64 {
        let number = SHA256.hash(link.content.utf8).prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        return Int64(bitPattern: number)
    }

    /// Stores new links, or changed ones. Callers have raised the revision.
    static func store(
        _ links: [Link],
        of app: Int32,
        revision: Int64,
        on connection: isolated PostgresConnection
    ) throws {
        guard !links.isEmpty else { return }
        let records = links.map { InspectionValue.object($0.record, indented: false) }
        try connection.execute(
            StoredSQL.upsertLinks,
            [
                .int(Int64(app)), .text("[" + records.joined(separator: ",") + "]"), .int(revision),
                .intArray(links.map(contentHash)),
            ]
        )
    }
}
