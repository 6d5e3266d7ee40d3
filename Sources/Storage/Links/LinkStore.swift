import Events
package import Postgres
package import Redirects
import Time

/// The short links of apps in a database.
package struct LinkStore: Sendable {
    private let pool: PostgresPool
    private let observer: (any LinkObserver)?

    /// - Parameter observer: is told of every change that this store makes.
    package init(pool: PostgresPool, observer: (any LinkObserver)? = nil) {
        self.pool = pool
        self.observer = observer
    }

    /// Changes links in a transaction, and informs the observer before it returns.
    private func changing<Value: Sendable>(
        _ body: @Sendable (isolated PostgresConnection, (number: Int64, time: Timestamp)) throws -> Value
    ) async throws -> Value {
        let known = observer?.revision
        let (value, changes) = try await pool.withTransaction { connection -> (Value, LinkChanges?) in
            let value = try body(connection, try LinkRevision.raise(on: connection))
            // Nobody else changes links until the commit, so these are all changes up to this one.
            return (value, try known.flatMap { try Self.changes(since: $0, on: connection) })
        }
        if let known, let changes { observer?.take(changes, since: known) }
        return value
    }

    // MARK: Links of an app

    /// Creates links, all in one transaction. A link with faults does not keep the others from being created.
    ///
    /// - Parameters:
    ///   - links: a link with an empty host gets the app's first one, a link with an empty slug a random one. Times
    ///     that are given are kept.
    ///   - reuse: whether a live link with the same fields is returned in place of a new one. A given slug or host is
    ///     one of these fields; times are none.
    /// - Returns: a result for each link, in their order.
    /// - Throws: `AppStoreError.unknown` if the app is gone; `PostgresError`.
    package func create(_ links: [Link], of app: App, reuse: Bool) async throws -> [LinkStoreResult] {
        guard !links.isEmpty else { return [] }
        return try await changing { connection, revision in
            let (app, linkHosts) = try Self.current(app, on: connection)
            let creation = LinkCreation(app: app, linkHosts: linkHosts, reuses: reuse, revision: revision)
            return try creation.create(links, on: connection)
        }
    }

    /// The live links of an app.
    ///
    /// - Parameters:
    ///   - address: of the last link of the page before; nil for the first page.
    ///   - limit: how many at most.
    package func list(
        of app: App,
        _ filter: LinkFilter = LinkFilter(),
        order: LinkOrder = .address,
        after address: LinkAddress? = nil,
        limit: Int
    ) async throws -> [Link] {
        let sql =
            switch order {
            case .address: StoredSQL.listLinks
            case .newestFirst: StoredSQL.listNewestLinks
            }
        return try await pool.withConnection { connection in
            try connection.query(
                sql,
                [
                    .int(Int64(app.number)), PostgresValue(filter.host), PostgresValue(filter.ref),
                    PostgresValue(filter.text), PostgresValue(address?.host), PostgresValue(address?.slug),
                    .int(Int64(limit)),
                ]
            ).map { try StoredLink($0).link }
        }
    }

    /// The live link of an app with exactly this slug.
    ///
    /// - Parameter host: nil: any. If there are several, the one whose host comes first in the app's settings.
    package func link(of app: App, host: String? = nil, slug: String) async throws -> Link? {
        try await pool.withConnection { try Self.link(of: app, host: host, slug: slug, on: $0) }
    }

    /// Changes a live link. Host and slug cannot be changed, because people have the link's address.
    ///
    /// - Parameters:
    ///   - host: as for ``link(of:host:slug:)``.
    ///   - change: runs once, on the link as it is. If it changes nothing, nothing is written.
    /// - Throws: `AppStoreError.unknown` if the app is gone; `PostgresError`; an error of `change` other than
    ///   `LinkFault`, which becomes a result.
    package func update(
        of app: App,
        host: String? = nil,
        slug: String,
        change: @Sendable (inout Link) throws -> Void
    ) async throws -> LinkUpdateResult {
        try await changing { connection, revision in
            let (app, linkHosts) = try Self.current(app, on: connection)
            guard let link = try Self.link(of: app, host: host, slug: slug, on: connection) else { return .notFound }
            var changed = link
            do { try change(&changed) } catch let fault as LinkFault { return .faults([fault]) }
            guard changed != link else { return .updated(link) }
            var faults = LinkRules.faults(of: changed, in: app.linkApp, linkHosts: linkHosts)
            for (field, old, new) in [("host", link.host, changed.host), ("slug", link.slug, changed.slug)]
            where old != new {
                faults.append(
                    LinkFault(.invalidValue, field, "\(field) cannot be changed; create another link instead")
                )
            }
            guard faults.isEmpty else { return .faults(faults) }
            changed.createdAt = link.createdAt
            changed.updatedAt = revision.time
            try StoredLink.store([changed], of: app.number, revision: revision.number, on: connection)
            try connection.log(
                .updateLink,
                link.name,
                in: app.number,
                from: link.changeFields,
                to: changed.changeFields
            )
            return .updated(changed)
        }
    }

    /// Deletes a live link. Its clicks are kept, and its slug stays taken.
    ///
    /// - Parameter host: as for ``link(of:host:slug:)``.
    /// - Returns: the deleted link; nil if there was none.
    @discardableResult
    package func delete(of app: App, host: String? = nil, slug: String) async throws -> Link? {
        try await changing { connection, revision in
            guard let link = try Self.link(of: app, host: host, slug: slug, on: connection) else { return nil }
            try connection.execute(
                StoredSQL.deleteLink,
                [
                    .text(link.host), .text(link.slug), .timestamp(microseconds: revision.time.microseconds),
                    .int(revision.number),
                ]
            )
            try connection.log(.deleteLink, link.name, in: app.number, from: link.changeFields)
            return link
        }
    }

    /// The live links of all apps that lead to a host of short links: how many, and the names of the first.
    package func looping() async throws -> (count: Int, names: [String]) {
        try await pool.withConnection { connection in
            let row = try connection.query(StoredSQL.selectLoopingLinks)[0]
            return (try row.int(0), try row.textArray(1))
        }
    }

    /// The text of a QR code that leads to a live link: its URL, in capital letters if they are found too
    /// (docs/redirects.md, *QR codes*). Capital letters make a smaller code.
    package func textForQRCode(of link: Link) async throws -> String {
        guard let capitals = link.capitalURL else { return link.shortURL }
        let count = try await pool.withConnection { connection in
            try connection.query(
                StoredSQL.countLinksWithoutCase,
                [.text(link.host), .text(link.slug)]
            )[0].int(0)
        }
        return count == 1 ? capitals : link.shortURL
    }

    private static func link(
        of app: App,
        host: String?,
        slug: String,
        on connection: isolated PostgresConnection
    ) throws -> Link? {
        try connection.query(
            StoredSQL.selectLinksNamed,
            [.int(Int64(app.number)), .text(Slug.normalised(slug)), PostgresValue(host)]
        ).first.map { try StoredLink($0).link }
    }

    /// The app as it is now, and the hosts of all apps.
    private static func current(
        _ app: App,
        on connection: isolated PostgresConnection
    ) throws -> (App, linkHosts: Set<String>) {
        let apps = try AppStore.apps(andBeingDeleted: false, on: connection)
        guard let current = apps.first(where: { $0.number == app.number }) else {
            throw AppStoreError.unknown(id: app.profile.id, known: apps.map(\.profile.id))
        }
        return (current, Set(apps.flatMap(\.profile.linkHosts)))
    }

    // MARK: All links, for daemons

    /// The number of the last change of a link, of a host or of an app's settings. Cheap.
    package func currentRevision() async throws -> Int64 {
        try await pool.withConnection { try LinkRevision.read(on: $0).last }
    }

    /// All live links. They are read page by page into the table.
    ///
    /// - Parameter number: of the app whose links are read; nil: all apps.
    package func snapshot(ofApp number: Int32? = nil) async throws -> LinkSnapshot {
        try await pool.withConnection(limit: Self.snapshotLimit) { connection in
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                let revision = try LinkRevision.read(on: connection).last
                var snapshot = LinkSnapshot(
                    revision: revision,
                    apps: try Self.hostedApps(on: connection).filter { number == nil || $0.number == number },
                    table: LinkTable()
                )
                for app in snapshot.apps { snapshot.table.set(app.app, hosts: app.hosts) }
                // Most apps have no links.
                if number != nil, !snapshot.table.hasHosts { return snapshot }
                var last = LinkAddress(host: "", slug: "")
                while true {
                    let place: [PostgresValue] = [.text(last.host), .text(last.slug), .int(Int64(Self.pageSize))]
                    let rows =
                        if let number {
                            try connection.query(
                                StoredSQL.listLinks,
                                [.int(Int64(number)), .null, .null, .null] + place
                            )
                        } else {
                            try connection.query(StoredSQL.selectLinkSnapshot, place)
                        }
                    for row in rows {
                        let link = try StoredLink(row).link
                        snapshot.table.set(link)
                        last = LinkAddress(link)
                    }
                    if rows.count < Self.pageSize { return snapshot }
                }
            }
        }
    }

    /// What has changed since a revision.
    ///
    /// - Returns: nil if that cannot be said, and a ``snapshot()`` is needed: an app has been deleted since, very much
    ///   has changed, or the database is another one or was restored from a backup.
    package func changes(since revision: Int64) async throws -> LinkChanges? {
        try await pool.withConnection { connection in
            try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                try Self.changes(since: revision, on: connection)
            }
        }
    }

    /// The same inside the caller's transaction, which sees one state of the links.
    private static func changes(
        since revision: Int64,
        on connection: isolated PostgresConnection
    ) throws -> LinkChanges? {
        let (last, completeSince) = try LinkRevision.read(on: connection)
        guard completeSince...last ~= revision else { return nil }
        let rows = try connection.query(
            StoredSQL.selectChangedLinks,
            [.int(revision), .int(Int64(changeLimit + 1))]
        )
        guard rows.count <= changeLimit else { return nil }
        var changes = LinkChanges(revision: last, apps: try hostedApps(on: connection), set: [], removed: [])
        for row in rows {
            let stored = try StoredLink(row)
            if stored.isDeleted { changes.removed.append(stored.address) } else { changes.set.append(stored.link) }
        }
        return changes
    }

    static func hostedApps(on connection: isolated PostgresConnection) throws -> [HostedApp] {
        let rules = try AppStore.lastRules(on: connection)
        let keys = try AppStore.metaReferrerKeys(on: connection)
        let moved = try AppDeparture.moved(on: connection)
        // Links of an app that has moved are followed as long as people come here.
        return try AppStore.apps(andBeingDeleted: false, andMoved: true, on: connection).map {
            HostedApp(
                $0,
                rules: rules[$0.number],
                metaReferrerKey: keys[$0.profile.id],
                hasMoved: moved.contains($0.number)
            )
        }
    }

    /// Links that are read at once.
    private static let pageSize = 5_000
    /// Changes that are read at once, at about 1 KB each.
    private static let changeLimit = 50_000
    /// A million links take some seconds.
    private static let snapshotLimit = Duration.seconds(600)

    // MARK: Counts

    /// Adds counts of requests that are no clicks. Counts of links that are gone with their app are dropped.
    package func addHits(_ hits: [LinkHits]) async throws {
        var sums: [LinkAddress: [Int: LinkHits]] = [:]
        for hit in hits {
            let sum = sums[hit.address]?[hit.day.number] ?? LinkHits(hit.address, on: hit.day)
            sums[hit.address, default: [:]][hit.day.number] = sum + hit
        }
        let all = sums.values.flatMap(\.values)
        guard !all.isEmpty else { return }
        func numbers(_ count: (LinkHits) -> Int) -> PostgresValue { .intArray(all.map { Int64(count($0)) }) }
        let parameters: [PostgresValue] = [
            .textArray(all.map(\.address.host)), .textArray(all.map(\.address.slug)), numbers(\.day.number),
            numbers(\.preview), numbers(\.bot), numbers(\.head), numbers(\.prefetch), numbers(\.embed),
        ]
        try await pool.withConnection { _ = try $0.execute(StoredSQL.addLinkHits, parameters) }
    }
}
