import Postgres
import PostgresTesting
import RandomTesting
import Redirects
@testable import Storage
import Testing

@Suite("Changes of links")
struct LinkChangeTests {
    typealias Base = StorageTesting

    /// What a daemon holds.
    private struct Copy {
        var revision: Int64
        var links: [LinkAddress: Link] = [:]
        var hosts: [String: LinkApp] = [:]

        mutating func apply(_ changes: LinkChanges) {
            revision = changes.revision
            for link in changes.set { links[LinkAddress(link)] = link }
            for address in changes.removed { links[address] = nil }
            hosts = [:]
            for app in changes.apps { for host in app.hosts { hosts[host] = app.app } }
        }
    }

    private static func truth(_ store: LinkStore, _ apps: [App]) async throws -> [LinkAddress: Link] {
        var truth: [LinkAddress: Link] = [:]
        for app in apps {
            for link in try await store.list(of: app, limit: 10_000) { truth[LinkAddress(link)] = link }
        }
        return truth
    }

    /// Three tasks change links at random, while a reader follows.
    @Test(arguments: TestSeeds.seeds(2)) func giveEveryReaderTheTruth(seed: UInt64) async throws {
        try await Base.with { base in
            let (store, apps) = (LinkStore(pool: base.pool), AppStore(pool: base.pool))
            _ = try await apps.create(AppProfile(id: "other", name: "Other"))
            let all = try await [base.app, apps.app(id: "other")]
            for (app, host) in zip(all, ["s.example", "o.example"]) {
                _ = try await apps.update(app) { $0.linkHosts = [host] }
            }
            var copy = Copy(revision: try await store.currentRevision())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<3 as Range<UInt64> {
                    group.addTask { try await Self.change(store, apps, all, seed: seed * 10 + task) }
                }
                // Revisions that become visible out of order would lose a change here.
                for _ in 0..<20 {
                    let changes = try #require(try await store.changes(since: copy.revision))
                    #expect(changes.revision >= copy.revision)
                    copy.apply(changes)
                }
                try await group.waitForAll()
            }
            copy.apply(try #require(try await store.changes(since: copy.revision)))
            #expect(try await copy.revision == store.currentRevision())
            let truth = try await Self.truth(store, all)
            #expect(copy.links == truth)
            let snapshot = try await store.snapshot()
            #expect(snapshot.revision == copy.revision)
            #expect(snapshot.table.count == truth.count)
            for link in truth.values { #expect(snapshot.table.link(host: link.host, slug: link.slug) == link) }
            #expect(copy.hosts.allSatisfy { snapshot.table.app(of: $0.key) == $0.value })
            #expect(snapshot.table.linkHosts == Set(copy.hosts.keys))
        }
    }

    private static func change(_ store: LinkStore, _ apps: AppStore, _ all: [App], seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for step in 0..<25 {
            let app = random.pick(all)
            let slug = "s\(Int.random(in: 0..<12, using: &random))"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                var link = Link(host: "", slug: random.chance(50) ? slug : "")
                link.targetURL = "https://a.example/\(Int.random(in: 0..<3, using: &random))"
                _ = try await store.create([link, link], of: app, reuse: random.chance(50))
            case 5..<7:
                _ = try await store.update(of: app, slug: slug) { $0.note = "\(seed) \(step)" }
            case 7..<9:
                _ = try await store.delete(of: app, slug: slug)
            default:
                _ = try await apps.update(app) { $0.name = "\(seed) \(step)" }
            }
        }
    }

    /// A change that begins later gets a greater number and is visible later.
    @Test func waitForTheChangeBefore() async throws {
        try await Base.with { base in
            try await base.storeLink(of: base.app, host: "s.example")
            let store = LinkStore(pool: base.pool)
            let before = try await store.currentRevision()
            let first = try await PostgresConnection.connect(to: base.database.address)
            let number = try await first.run { connection in
                try connection.executeScript("begin")
                return try LinkRevision.raise(on: connection).number
            }
            #expect(number == before + 1)
            async let deleted = store.delete(of: base.app, slug: "sale")
            try await base.pool.lockWaits()
            #expect(try await store.currentRevision() == before)
            try await first.run { try $0.executeScript("commit") }
            #expect(try await deleted != nil)
            await first.close()
            #expect(try await store.currentRevision() == before + 2)
            #expect(try await store.changes(since: before + 1)?.removed.map(\.slug) == ["sale"])
        }
    }

    @Test func needACompleteReadingAfterAnAppIsDeleted() async throws {
        try await Base.with { base in
            try await base.storeLink(of: base.app, host: "s.example")
            let store = LinkStore(pool: base.pool)
            let before = try await store.currentRevision()
            #expect(try await store.changes(since: before)?.set == [])
            try await AppStore(pool: base.pool).delete(base.app)
            #expect(try await store.changes(since: before) == nil)
            let snapshot = try await store.snapshot()
            #expect(snapshot.table.count == 0 && snapshot.table.linkHosts == [])
            #expect(try await store.changes(since: snapshot.revision) != nil)
            // A database that was restored from a backup.
            #expect(try await store.changes(since: snapshot.revision + 1) == nil)
        }
    }

    @Test func areRefusedForAnAppThatIsBeingDeleted() async throws {
        try await Base.with { base in
            try await base.storeLink(of: base.app, host: "s.example")
            let store = LinkStore(pool: base.pool)
            try await base.pool.withConnection { connection in
                _ = try connection.execute(StoredSQL.insertDeletedApp, [.int(Int64(base.app.number))])
            }
            await #expect(throws: AppStoreError.self) {
                try await store.create([Link(host: "", slug: "a")], of: base.app, reuse: false)
            }
            #expect(try await store.snapshot().apps == [])
        }
    }
}
