import Cryptography
import Events
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

    /// - Parameter row: the columns of `sql/links/select_links_at.sql`.
    init(_ row: PostgresRow) throws {
        link = Link(host: try row.text(0), slug: try row.text(1))
        link.targetURL = try row.optionalText(2)
        link.mobileURL = try row.optionalText(3)
        link.appURL = try row.optionalText(4)
        link.fallback = Link.Fallback(rawValue: try row.text(5)) ?? .store
        link.refs = try row.textArray(6)
        link.channel = try row.optionalText(7).flatMap(Channel.init(rawValue:))
        link.preview.title = try row.optionalText(8)
        link.preview.description = try row.optionalText(9)
        link.preview.imageURL = try row.optionalText(10)
        link.preview.siteName = try row.optionalText(11)
        link.preview.ogType = try row.optionalText(12)
        link.forwardQuery = try row.bool(13)
        link.appendClickID = try row.bool(14)
        link.campaign = try row.optionalText(15)
        link.expiresAt = try row.optionalTimestamp(16).map(Timestamp.init(microseconds:))
        link.expiredURL = try row.optionalText(17)
        link.disabled = try row.bool(18)
        link.note = try row.optionalText(19)
        link.createdAt = Timestamp(microseconds: try row.timestamp(20))
        link.updatedAt = Timestamp(microseconds: try row.timestamp(21))
        isDeleted = try !row.isNull(22)
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
