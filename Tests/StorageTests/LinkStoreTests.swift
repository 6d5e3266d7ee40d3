import Events
import InboundLinks
import Postgres
import Redirects
@testable import Storage
import Testing
import Time

@Suite("Stored links")
struct LinkStoreTests {
    typealias Base = StorageTesting

    private static func with(
        hosts: [String] = ["s.example", "t.example"],
        _ body: @Sendable (StorageTesting, LinkStore, App) async throws -> Void
    ) async throws {
        try await Base.with { base in
            let app = try await AppStore(pool: base.pool).update(base.app) { $0.linkHosts = hosts }
            try await body(base, LinkStore(pool: base.pool), app)
        }
    }

    private static func link(_ slug: String = "", host: String = "", _ target: String? = "https://a.example/") -> Link {
        var link = Link(host: host, slug: slug)
        link.targetURL = target
        return link
    }

    /// A link with a value in every field.
    private static var full: Link {
        var link = link("söl🎉", host: "t.example", "https://a.example/?q=%C3%BC&r=a,\"b\"'")
        link.mobileURL = "https://m.a.example/"
        link.appURL = "shop://item/42"
        link.fallback = .web
        link.refs = ["a", "ref \"b\"", "{c}"]
        link.channel = .requests
        link.preview.title = "Two\nlines"
        link.preview.description = "d"
        link.preview.imageURL = "https://a.example/i.png"
        link.preview.siteName = "n"
        link.preview.ogType = "article"
        link.forwardQuery = false
        link.appendClickID = true
        link.campaign = "c"
        link.expiresAt = Base.noon.advanced(by: .microseconds(1))
        link.expiredURL = "https://a.example/over"
        link.disabled = true
        link.note = "n"
        link.createdAt = Base.noon
        link.updatedAt = Base.noon.advanced(by: .seconds(5))
        return link
    }

    private static func created(_ result: LinkStoreResult) throws -> Link {
        guard case .created(let link) = result else {
            Issue.record("\(result)")
            throw CancellationError()
        }
        return link
    }

    private static func updated(_ result: LinkUpdateResult) throws -> Link {
        guard case .updated(let link) = result else {
            Issue.record("\(result)")
            throw CancellationError()
        }
        return link
    }

    private static func faults(_ result: LinkUpdateResult) -> [LinkFault] {
        if case .faults(let faults) = result { faults } else { [] }
    }

    private static func codes(_ result: LinkStoreResult) -> [String] {
        guard case .faults(let faults) = result else { return ["\(result)"] }
        return faults.map { "\($0.field) \($0.code.rawValue)" }
    }

    @Test func areReadAsTheyWereStored() async throws {
        try await Self.with { _, links, app in
            let link = Self.full
            #expect(link.givenFields.map(\.0) == LinkField.names)
            let results = try await links.create([link], of: app, reuse: false)
            #expect(results == [.created(link)])
            #expect(try await links.link(of: app, slug: link.slug) == link)
            // However it was typed.
            #expect(try await links.link(of: app, slug: "so\u{308}l🎉") == link)
            #expect(try await links.link(of: app, host: "s.example", slug: link.slug) == nil)
            #expect(try await links.snapshot().table.link(host: "t.example", slug: link.slug) == link)
        }
    }

    @Test func getAHostASlugAndTimes() async throws {
        try await Self.with { _, links, app in
            let results = try await links.create([Self.link(), Self.link()], of: app, reuse: false)
            let made = try results.map(Self.created)
            #expect(made.map(\.host) == ["s.example", "s.example"])
            #expect(made.allSatisfy { $0.slug.count == 7 && $0.slug.allSatisfy(Slug.alphabet.contains) })
            #expect(made[0].slug != made[1].slug)
            #expect(made.allSatisfy { $0.createdAt != nil && $0.updatedAt == $0.createdAt })
        }
    }

    @Test func keepTheirSlugWhenTheyAreDeleted() async throws {
        try await Self.with { _, links, app in
            _ = try Self.created(try await links.create([Self.link("a")], of: app, reuse: false)[0])
            #expect(
                try await Self.codes(links.create([Self.link("a")], of: app, reuse: false)[0]) == ["slug slug_taken"]
            )
            #expect(try await links.delete(of: app, slug: "a")?.slug == "a")
            #expect(try await links.delete(of: app, slug: "a") == nil)
            #expect(try await links.link(of: app, slug: "a") == nil)
            #expect(try await links.list(of: app, limit: 9) == [])
            #expect(
                try await Self.codes(links.create([Self.link("a")], of: app, reuse: true)[0]) == ["slug slug_taken"]
            )
            // Another spelling and another host are other links.
            let others = [Self.link("A"), Self.link("a", host: "t.example")]
            #expect(
                try await links.create(others, of: app, reuse: false).map { try Self.created($0).slug } == ["A", "a"]
            )
        }
    }

    @Test func ofABatchAreCheckedEachAlone() async throws {
        try await Self.with { base, links, app in
            _ = try await AppStore(pool: base.pool).create(
                {
                    var other = AppProfile(id: "other", name: "Other")
                    other.linkHosts = ["o.example"]
                    return other
                }()
            )
            let results = try await links.create(
                [
                    Self.link("a"), Self.link("a"), Self.link("v1"), Self.link("b", host: "o.example"),
                    Self.link("c", "https://o.example/x"), Self.link("d", nil), Self.link("e", "javascript:1"),
                ],
                of: app,
                reuse: false
            )
            #expect(try Self.created(results[0]).slug == "a")
            #expect(
                results.dropFirst().map(Self.codes) == [
                    ["slug slug_taken"], ["slug reserved_slug"], ["host invalid_value"], ["target_url link_loop"],
                    ["target_url missing_target"], ["target_url invalid_url"],
                ]
            )
            #expect(try await links.list(of: app, limit: 9).map(\.slug) == ["a"])
        }
    }

    @Test func needAHost() async throws {
        try await Self.with(hosts: []) { _, links, app in
            let result = try await links.create([Self.link("a")], of: app, reuse: false)[0]
            #expect(Self.codes(result) == ["host invalid_value"])
            #expect("\(result)".contains("--link-host"))
        }
    }

    @Test func areReusedIfAllFieldsAreTheSame() async throws {
        try await Self.with { _, links, app in
            let first = try Self.created(try await links.create([Self.link()], of: app, reuse: false)[0])
            var other = Self.link()
            other.refs = ["x"]
            let results = try await links.create(
                [
                    Self.link(), other, other, Self.link(host: "t.example"), Self.link(first.slug),
                    Self.link(first.slug, "https://b.example/"), Self.link("own"),
                ],
                of: app,
                reuse: true
            )
            #expect(results[0] == .reused(first))
            let second = try Self.created(results[1])
            #expect(results[2] == .reused(second))
            #expect(try Self.created(results[3]).host == "t.example")
            #expect(results[4] == .reused(first))
            #expect(Self.codes(results[5]) == ["slug slug_taken"])
            #expect(try Self.created(results[6]).slug == "own")
            try await links.delete(of: app, slug: first.slug)
            try await links.delete(of: app, slug: "own")
            try await links.delete(of: app, host: "t.example", slug: try Self.created(results[3]).slug)
            #expect(try Self.created(try await links.create([Self.link()], of: app, reuse: true)[0]).slug != first.slug)
        }
    }

    @Test func changeWithinTheRules() async throws {
        try await Self.with { _, links, app in
            let link = try Self.created(try await links.create([Self.link("a")], of: app, reuse: false)[0])
            let revision = try await links.currentRevision()
            let new = try Self.updated(try await links.update(of: app, slug: "a") { $0.note = "n" })
            #expect(new.note == "n" && new.createdAt == link.createdAt)
            #expect(try #require(new.updatedAt) > #require(link.updatedAt))
            #expect(try await links.currentRevision() > revision)
            #expect(try await links.update(of: app, slug: "a") { _ in } == .updated(new))
            #expect(try await links.update(of: app, slug: "b") { $0.note = "n" } == .notFound)
            let loop = try await links.update(of: app, slug: "a") { $0.targetURL = "https://t.example/x" }
            #expect(Self.faults(loop).map(\.code) == [.linkLoop])
            let moved = try await links.update(of: app, slug: "a") { $0.slug = "b" }
            #expect(Self.faults(moved).map(\.field) == ["slug"])
            #expect(try await links.link(of: app, slug: "a") == new)
            // A link is found by its new fields.
            var twin = Self.link()
            twin.note = "n"
            #expect(try await links.create([twin], of: app, reuse: true) == [.reused(new)])
        }
    }

    @Test func areListedPageByPage() async throws {
        try await Self.with { _, links, app in
            for slug in ["b", "c", "a", "B"] {
                var link = Self.link(slug, host: slug == "c" ? "t.example" : "", "https://a.example/\(slug)%_")
                link.refs = slug == "c" ? ["r"] : []
                _ = try await links.create([link], of: app, reuse: false)
            }
            func slugs(_ order: LinkOrder) async throws -> [[String]] {
                var pages: [[String]] = []
                var last: LinkAddress?
                while true {
                    let page = try await links.list(of: app, order: order, after: last, limit: 3)
                    pages.append(page.map(\.slug))
                    guard let link = page.last, page.count == 3 else { return pages }
                    last = LinkAddress(host: link.host, slug: link.slug)
                }
            }
            #expect(try await slugs(.address) == [["B", "a", "b"], ["c"]])
            #expect(try await slugs(.newestFirst) == [["B", "a", "c"], ["b"]])
            var filter = LinkFilter()
            filter.text = "EXAMPLE/B%_"
            #expect(try await links.list(of: app, filter, limit: 9).map(\.slug) == ["B", "b"])
            filter = LinkFilter()
            filter.ref = "r"
            filter.host = "t.example"
            #expect(try await links.list(of: app, filter, limit: 9).map(\.slug) == ["c"])
        }
    }

    @Test func belongToOneApp() async throws {
        try await Self.with { base, links, app in
            let apps = AppStore(pool: base.pool)
            var profile = AppProfile(id: "other", name: "Other")
            profile.linkHosts = ["t.example"]
            await #expect(throws: AppStoreError.hostTaken(host: "t.example", by: "shop")) {
                try await apps.create(profile)
            }
            profile.linkHosts = []
            _ = try await apps.create(profile)
            let other = try await apps.app(id: "other")
            _ = try await links.create([Self.link("a", host: "t.example")], of: app, reuse: false)
            #expect(try await links.link(of: other, slug: "a") == nil)
            #expect(try await links.delete(of: other, slug: "a") == nil)
            // The host still has a link of the app.
            _ = try await apps.update(app) { $0.linkHosts = ["s.example"] }
            await #expect(throws: AppStoreError.hostTaken(host: "t.example", by: "shop")) {
                try await apps.update(other) { $0.linkHosts = ["t.example"] }
            }
            #expect(try await links.snapshot().table.app(of: "t.example") == nil)
            _ = try await apps.update(app) { $0.linkHosts = ["t.example", "s.example"] }
            #expect(try await apps.app(id: "shop").profile.linkHosts == ["t.example", "s.example"])
        }
    }

    @Test func knowTheSettingsOfTheirApp() async throws {
        try await Self.with { base, links, app in
            let changed = try await AppStore(pool: base.pool).update(app) {
                $0.name = "Shop 2"
                $0.androidPackage = "com.example.shop"
                $0.androidCertificates = ["AA", "BB"]
                $0.appleTeamID = "ABCDE12345"
                $0.appleProviderToken = "7"
                $0.iPhoneStoreID = "1"
                $0.iPadStoreID = "0"
                $0.bundleIDs = ["com.example.shop"]
                $0.deepLinking = false
            }
            #expect(try await AppStore(pool: base.pool).app(id: "shop") == changed)
            let snapshot = try await links.snapshot()
            #expect(snapshot.apps == [HostedApp(changed)])
            #expect(snapshot.table.app(of: "s.example") == changed.linkApp)
            #expect(changed.linkApp.isAssociated(on: .ios) && changed.linkApp.isAssociated(on: .android))
        }
    }

    @Test func readTheLinksOfOneApp() async throws {
        try await Self.with { base, links, app in
            let apps = AppStore(pool: base.pool)
            var profile = AppProfile(id: "other", name: "Other")
            profile.linkHosts = ["o.example"]
            _ = try await apps.create(profile)
            let other = try await apps.app(id: "other")
            _ = try await links.create([Self.link("a"), Self.link("b", host: "t.example")], of: app, reuse: false)
            _ = try await links.create([Self.link("c", host: "o.example")], of: other, reuse: false)
            let one = try await links.snapshot(ofApp: app.number)
            #expect(one.apps.map(\.number) == [app.number])
            #expect(one.table.count == 2)
            #expect(one.table.link(host: "t.example", slug: "b") != nil)
            #expect(one.table.app(of: "o.example") == nil)
            #expect(try await links.snapshot(ofApp: other.number).table.count == 1)
            #expect(try await links.snapshot().table.count == 3)
        }
    }

    @Test func countWhatIsNoClick() async throws {
        try await Self.with { base, links, app in
            _ = try await links.create([Self.link("a")], of: app, reuse: false)
            var hits = LinkHits(LinkAddress(host: "s.example", slug: "a"), on: Base.noon.date)
            (hits.preview, hits.bot, hits.head, hits.prefetch, hits.embed) = (1, 2, 3, 4, 5)
            try await links.addHits([hits, hits, LinkHits(LinkAddress(host: "s.example", slug: "none"), on: hits.day)])
            try await links.addHits([hits])
            #expect(
                try await base.texts(
                    "select concat_ws(' ', app_number, slug, day, preview, bot, head, prefetch, embed) from link_hits"
                ) == ["\(app.number) a 2026-03-15 3 6 9 12 15"]
            )
        }
    }
}
