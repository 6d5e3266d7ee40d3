import Text

/// The live links of all apps, by host and slug.
///
/// A value: a reader keeps the table that it took, while a writer changes a copy and puts it in the place of the old
/// one. Copies share what is the same. A change copies one shard of 4096, so it costs the same for few and many links.
///
/// Links are packed into bytes: one with a target, a mobile page, a preview and a ref takes about 300.
package struct LinkTable: Sendable {
    private var apps: [LinkApp] = []
    private var appNumbers: [String: Int] = [:]
    /// The app of each host, by its number in ``apps``.
    private var hosts: [String: Int] = [:]
    private var shards = [LinkShard](repeating: LinkShard(), count: shardCount)
    /// How many links there are.
    package private(set) var count = 0

    private static let shardCount = 4096

    package init() {}

    /// Adds an app with its hosts, or replaces it. Links of hosts that the app no longer has stay, and are served again
    /// if the host comes back.
    ///
    /// - Parameter hosts: in lower case. A host belongs to one app.
    package mutating func set(_ app: LinkApp, hosts newHosts: [String]) {
        let number = appNumbers[app.id] ?? apps.count
        if number == apps.count { apps.append(app) } else { apps[number] = app }
        appNumbers[app.id] = number
        hosts = hosts.filter { $0.value != number }
        for host in newHosts { hosts[host] = number }
    }

    /// The app of a host.
    package func app(of host: String) -> LinkApp? { hosts[host].map { apps[$0] } }

    package var hasHosts: Bool { !hosts.isEmpty }

    /// All hosts of short links.
    package var linkHosts: Set<String> { Set(hosts.keys) }

    /// Adds a link, or replaces the one with its host and slug.
    package mutating func set(_ link: Link) {
        let place = Place(link.host, link.slug)
        if !shards[place.shard].set(link, hash: place.hash) { count += 1 }
    }

    /// Removes a link. There is none afterwards, whether there was one or not.
    package mutating func remove(host: String, slug: String) {
        let place = Place(host, slug)
        if shards[place.shard].remove(host: host, slug: slug, hash: place.hash) { count -= 1 }
    }

    /// The link of this slug; else the one link that differs only by case.
    ///
    /// - Parameter host: in lower case, without a port (``LinkHost``).
    package func link(host: String, slug: String) -> Link? {
        let place = Place(host, slug)
        return shards[place.shard].link(host: host, slug: slug, hash: place.hash)
    }

    /// The link that a visitor means by a slug: ``link(host:slug:)``. If there is none, what text programs stick to the
    /// end of a link is cut off.
    package func link(host: String, askedAs slug: String) -> Link? {
        if let link = link(host: host, slug: slug) { return link }
        let cut = Slug.withoutAttachment(slug)
        return cut.isEmpty || cut.utf8.count == slug.utf8.count ? nil : link(host: host, slug: cut)
    }

    /// Calls a function with each link, in any order.
    package func forEach(_ body: (Link) throws -> Void) rethrows {
        for shard in shards { try shard.forEach(body) }
    }

    /// The bytes that the links take, without what an array adds.
    package var byteCount: Int { shards.reduce(0) { $0 + $1.byteCount } }

    /// Where a link lies. Slugs that differ only by case lie together.
    private struct Place {
        let shard: Int
        let hash: UInt32

        init(_ host: String, _ slug: String) {
            var hasher = Hasher()
            for text in [host, Slug.folded(slug)] {
                var text = text
                text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
                hasher.combine(0 as UInt8)
            }
            let value = UInt64(bitPattern: Int64(hasher.finalize()))
            shard = Int(value >> 52)
            hash = UInt32(truncatingIfNeeded: value)
        }
    }
}
