import InboundLinks
import Postgres
import Redirects
import Time

/// Creates links of an app in a transaction that has raised the revision of links, so that nobody else creates any
/// meanwhile.
struct LinkCreation {
    let app: App
    /// The hosts of all apps.
    let linkHosts: Set<String>
    let reuses: Bool
    let revision: (number: Int64, time: Timestamp)

    /// A link without faults that was given.
    private struct Draft {
        var index: Int
        var link: Link
        var needsHost: Bool
        var needsSlug: Bool
    }

    func create(_ links: [Link], on connection: isolated PostgresConnection) throws -> [LinkStoreResult] {
        var results = [LinkStoreResult](repeating: .faults([]), count: links.count)
        var drafts: [Draft] = []
        for (index, link) in links.enumerated() {
            switch draft(link, index) {
            case .success(let draft): drafts.append(draft)
            case .failure(let failure): results[index] = .faults(failure.faults)
            }
        }
        var known: [LinkAddress: StoredLink] = [:]
        for stored in try Self.links(at: drafts.map { LinkAddress($0.link) }, on: connection) {
            known[stored.address] = stored
        }
        var twins = try reuses ? twins(of: drafts.map(\.link), on: connection) : [:]
        var created: [Link] = []
        for draft in drafts {
            if reuses, let twin = twin(of: draft, known: known, twins: twins) {
                results[draft.index] = .reused(twin)
                continue
            }
            var link = draft.link
            if draft.needsSlug {
                try makeSlug(for: &link, known: &known, on: connection)
            } else if let other = known[LinkAddress(link)] {
                results[draft.index] = .faults([Self.slugTaken(isDeleted: other.isDeleted)])
                continue
            }
            link.createdAt = link.createdAt ?? revision.time
            link.updatedAt = link.updatedAt ?? link.createdAt
            known[LinkAddress(link)] = StoredLink(link: link, isDeleted: false)
            twins[link.content, default: []].append(link)
            created.append(link)
            results[draft.index] = .created(link)
        }
        try StoredLink.store(created, of: app.number, revision: revision.number, on: connection)
        if Actor.isBackend { return results }
        if created.count == 1 {
            let link = created[0]
            try connection.log(.createLink, link.name, in: app.number, to: link.changeFields)
        } else if !created.isEmpty {
            try connection.log(.createLink, in: app.number, to: [("count", .number(Int64(created.count)))])
        }
        return results
    }

    private struct Failure: Error {
        var faults: [LinkFault]
    }

    private func draft(_ link: Link, _ index: Int) -> Result<Draft, Failure> {
        var draft = Draft(index: index, link: link, needsHost: link.host.isEmpty, needsSlug: link.slug.isEmpty)
        var faults: [LinkFault] = []
        let hosts = app.profile.linkHosts
        if draft.needsHost { draft.link.host = hosts.first ?? "" }
        if !hosts.contains(draft.link.host) {
            let problem = hosts.isEmpty ? "the app has no host of links" : "host must be a host of the app's links"
            let command = "'tributary app update \(app.profile.id) --link-host HOST'"
            faults.append(LinkFault(.invalidValue, "host", "\(problem); \(command) sets them"))
        }
        if draft.needsSlug { draft.link.slug = Self.randomSlug() }
        faults += LinkRules.faults(of: draft.link, in: app.linkApp, linkHosts: linkHosts)
        return faults.isEmpty ? .success(draft) : .failure(Failure(faults: faults))
    }

    /// The live link that takes the place of a new one.
    private func twin(of draft: Draft, known: [LinkAddress: StoredLink], twins: [String: [Link]]) -> Link? {
        let content = draft.link.content
        guard draft.needsSlug else {
            guard let other = known[LinkAddress(draft.link)], !other.isDeleted else { return nil }
            return other.link.content == content ? other.link : nil
        }
        return twins[content]?.first { draft.needsHost || $0.host == draft.link.host }
    }

    private func twins(
        of links: [Link],
        on connection: isolated PostgresConnection
    ) throws -> [String: [Link]] {
        let hashes = Set(links.map(StoredLink.contentHash)).sorted()
        let rows = try connection.query(
            StoredSQL.selectLinksWithContent,
            [.int(Int64(app.number)), .intArray(hashes)]
        )
        return Dictionary(grouping: try rows.map { try StoredLink($0).link }, by: \.content)
    }

    /// Gives a link a slug that no link of its host has or had.
    private func makeSlug(
        for link: inout Link,
        known: inout [LinkAddress: StoredLink],
        on connection: isolated PostgresConnection
    ) throws {
        while known[LinkAddress(link)] != nil {
            link.slug = Self.randomSlug()
            for stored in try Self.links(at: [LinkAddress(link)], on: connection) { known[stored.address] = stored }
        }
    }

    private static func randomSlug() -> String {
        // Reads the system's secure generator.
        var random = SystemRandomNumberGenerator()
        return Slug.make(using: &random)
    }

    static func links(
        at addresses: [LinkAddress],
        on connection: isolated PostgresConnection
    ) throws -> [StoredLink] {
        try connection.query(
            StoredSQL.selectLinksAt,
            [.textArray(addresses.map(\.host)), .textArray(addresses.map(\.slug))]
        ).map { try StoredLink($0) }
    }

    private static func slugTaken(isDeleted: Bool) -> LinkFault {
        LinkFault(
            .slugTaken,
            "slug",
            isDeleted
                ? "a deleted link had this slug, and its clicks are kept; choose another"
                : "another link has this slug; choose another"
        )
    }
}

extension Link {
    /// As the log of changes calls it.
    var name: String { "\(host)/\(slug)" }

    /// As the log of changes shows them.
    var changeFields: ChangeLog.Fields {
        record.filter { !["host", "slug", "created_at", "updated_at"].contains($0.0) }
    }
}

extension LinkAddress {
    init(_ link: Link) {
        self.init(host: link.host, slug: link.slug)
    }
}
