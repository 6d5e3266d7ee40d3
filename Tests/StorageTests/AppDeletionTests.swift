import Events
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time
import InboundLinks

@Suite("An app's deletion")
struct AppDeletionTests {
    typealias Base = StorageTesting

    private func other(_ base: StorageTesting) async throws -> App {
        let store = AppStore(pool: base.pool)
        _ = try await store.create(AppProfile(id: "other", name: "Other"))
        return try await store.app(id: "other")
    }

    private static let events = [
        Base.event(1, user: "alice", device: "phone", click: "tap"),
        Base.event(2, at: Base.noon.advanced(by: Base.day * 40), user: "alice"),
        Base.event(3, user: "alice", .feedPost(FeedPost(outcome: .posted, postID: "post", refs: []))),
    ]

    @Test func takesEverythingOfIt() async throws {
        try await Base.with { base in
            let other = try await other(base)
            try await base.store(Self.events, rejections: [Base.rejection("{}")])
            var kept = base.submission(Self.events, rejections: [Base.rejection("{}")])
            kept.appNumber = other.number
            _ = try await base.writer.store(kept)
            _ = try await base.people().erase(PersonKey(.user, "bob"), in: base.app)
            try await base.storeLink(of: base.app, host: "s.example")
            try await base.storeLink(of: other, host: "o.example")
            try await base.storeSettings()
            let receipt = try await AppStore(pool: base.pool).delete(base.app)
            #expect(receipt.kind == .app)
            #expect(receipt.counts["event"] == 3)
            #expect(receipt.counts["event_key"] == 3)
            #expect(receipt.counts["api_key"] == 2)
            #expect(receipt.counts["rejected_event"] == 1)
            #expect(receipt.counts["link"] == 1)
            // Only the user who has no other app.
            #expect(receipt.counts["dashboard_role"] == 2 && receipt.counts["dashboard_user"] == 1)
            #expect(try await base.texts("select email from dashboard_user") == ["ann@example.com"])
            #expect(
                try await base.count("select count(*) from dashboard_session where app_number <> \(other.number)") == 0
            )
            #expect(try await base.count("select count(*) from dashboard_session") == 1)
            for table in StoredTable.all where table.isOfAnApp {
                let (own, others) = (
                    try await base.count("select count(*) from \(table.name) where app_number = \(base.app.number)"),
                    try await base.count("select count(*) from \(table.name) where app_number = \(other.number)")
                )
                #expect(own == 0, "\(table.name)")
                // The other app has no figures and no imports, and nothing of it is packed.
                let isEmpty =
                    table.name.contains("figures") || table.name.hasPrefix("timeline_")
                    || ["erasure", "import_progress", "changed_story", "link_removal"].contains(table.name)
                #expect(others > 0 || isEmpty, "\(table.name)")
            }
            #expect(try await AppStore(pool: base.pool).list().map(\.profile.id) == ["other"])
            #expect(
                try await DeletionReceiptStore(pool: base.pool).list(appID: "shop", limit: 9).first?.id == receipt.id
            )
        }
    }

    /// A spool on another machine delivers events of the app, together with events of other apps.
    @Test func dropsWhatComesLater() async throws {
        try await Base.with { base in
            let other = try await other(base)
            try await AppStore(pool: base.pool).delete(base.app)
            var kept = base.submission([Base.event(1, user: "carol")])
            kept.appNumber = other.number
            let receipts = try await base.writer.store(contentsOf: [
                base.submission(Self.events, rejections: [Base.rejection("{}")]), kept,
            ])
            #expect(receipts.map(\.erased) == [3, 0])
            #expect(receipts.map(\.duplicates) == [0, 0])
            #expect(try await base.texts("select user_id from event") == ["carol"])
            #expect(try await base.count("select count(*) from event_key") == 1)
            #expect(try await base.count("select count(*) from rejected_event") == 0)
        }
    }

    @Test func emptiesTheSpool() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.append(base.submission(Self.events))
                    var kept = base.submission([Base.event(1, user: "carol")])
                    kept.appNumber += 1
                    try await spool.append(kept)
                    let receipt = try await AppStore(pool: base.pool).delete(
                        base.app,
                        spools: SpoolFolder(path: folder, of: base.pool)
                    )
                    #expect(receipt.counts["spooled_event"] == 3)
                    #expect(try await spool.oldest()?.submissions.filter { !$0.events.isEmpty } == [kept])
                    #expect(try !Base.holds(folder, "alice"))
                }
            }
        }
    }

    /// An app with the same number in another database is another app.
    @Test func leavesWhatWaitsForAnotherDatabase() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.claim(for: DatabaseIdentity(text: "other"))
                    let kept = base.submission(Self.events)
                    try await spool.append(kept)
                    let receipt = try await AppStore(pool: base.pool).delete(
                        base.app,
                        spools: SpoolFolder(path: folder, of: base.pool)
                    )
                    #expect(receipt.counts["spooled_event"] == 0)
                    #expect(try await spool.oldest()?.submissions == [kept])
                }
            }
        }
    }

    @Test func goesOnWhereItWasBrokenOff() async throws {
        try await Base.with { base in
            try await base.store(Self.events)
            let store = AppStore(pool: base.pool)
            try await base.pool.withConnection { connection in
                _ = try connection.execute(StoredSQL.insertDeletedApp, [.int(Int64(base.app.number))])
            }
            await #expect(throws: AppStoreError.self) { try await store.app(id: "shop") }
            let receipt = try await store.delete(try await store.app(id: "shop", orBeingDeleted: true))
            #expect(receipt.counts["event"] == 3)
            // Another app may use the id now.
            _ = try await store.create(AppProfile(id: "shop", name: "Again"))
            #expect(try await store.app(id: "shop").number != base.app.number)
        }
    }

    @Test func revokesItsKeysFirst() async throws {
        try await Base.with { base in
            try await base.store(Self.events)
            // Another session locks the first table.
            let holding = try await PostgresConnection.connect(to: base.database.address)
            try await holding.executeScript("begin; lock table feed_post_key in share mode")
            async let receipt = AppStore(pool: base.pool).delete(base.app)
            while try await base.count("select count(*) from api_key where revoked_at is null") > 0 {
                await Task.yield()
            }
            try await holding.executeScript("commit")
            await holding.close()
            #expect(try await receipt.counts["event"] == 3)
        }
    }
}
