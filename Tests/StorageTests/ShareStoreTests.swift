import Postgres
import Testing
import Time

@testable import Storage

@Suite("Shared pages")
struct ShareStoreTests {
    private typealias Base = StorageTesting

    private static func with(
        _ body: @Sendable (Base, ShareStore) async throws -> Void
    ) async throws {
        try await Base.with { base in
            let name = try #require(QuestionName("weekly"))
            let questions = QuestionStore(pool: base.pool)
            _ = try #require(try await questions.add(name, report: "channels", parameters: [], of: base.app))
            try await body(base, ShareStore(pool: base.pool))
        }
    }

    @Test func areFoundByTheirSecretAlone() async throws {
        try await Self.with { base, store in
            let (page, secret) = try await store.share("weekly", of: base.app, days: 7, by: "ann@example.com")
            #expect(page.question == "weekly" && page.createdBy == "ann@example.com" && page.revokedAt == nil)
            #expect(page.expiresAt == page.createdAt.advanced(by: .seconds(7 * 86_400)))
            let found = try #require(try await store.page(secret))
            #expect(found.appID == "shop" && found.question == "weekly")
            for text in ["", String(secret.dropLast()), secret + "x", secret.lowercased(), "\(page.number)"] {
                #expect(try await store.page(text) == nil)
            }
            let (second, other) = try await store.share("weekly", of: base.app, days: 366)
            #expect(other != secret && second.createdBy == "command line")
            #expect(try await store.pages(of: base.app) == [second, page])
            #expect(try await !base.texts("select p::text from shared_page p").joined().contains(secret))
        }
    }

    @Test func areRevokedByTheirApp() async throws {
        try await Self.with { base, store in
            _ = try await AppStore(pool: base.pool).create(AppProfile(id: "other", name: "Other"))
            let other = try await AppStore(pool: base.pool).app(id: "other")
            let (page, secret) = try await store.share("weekly", of: base.app, days: 7)
            let (_, kept) = try await store.share("weekly", of: base.app, days: 7)
            #expect(try await !store.revoke(page.number, of: other))
            #expect(try await store.page(secret) != nil)
            #expect(try await store.revoke(page.number, of: base.app))
            #expect(try await store.page(secret) == nil)
            #expect(try await store.page(kept) != nil)
            #expect(try await !store.revoke(page.number, of: base.app), "it is revoked already")
            #expect(try await store.pages(of: base.app).map { $0.revokedAt != nil } == [false, true])
            #expect(try await store.pages(of: other).isEmpty)
        }
    }

    /// Who shared them is a name of somebody.
    @Test func areDeletedThirtyDaysAfterTheirEnd() async throws {
        try await Self.with { base, store in
            for _ in 0..<3 { _ = try await store.share("weekly", of: base.app, days: 7) }
            try await base.run("update shared_page set expires_at = now() - interval '31 days' where page_number = 1")
            try await base.run("update shared_page set revoked_at = now() - interval '31 days' where page_number = 2")
            let receipt = try await RetentionStore(pool: base.pool, packed: NothingPacked())
                .run(RetentionPolicy(), app: base.app, isThorough: false, now: .now)
            #expect(receipt?.counts["shared_page"] == 2)
            #expect(try await store.pages(of: base.app).map(\.number) == [3])
        }
    }

    @Test func expire() async throws {
        try await Self.with { base, store in
            let secret = try await store.share("weekly", of: base.app, days: 1).secret
            try await base.run("update shared_page set expires_at = now()")
            #expect(try await store.page(secret) == nil)
            #expect(try await store.pages(of: base.app).count == 1)
        }
    }

    @Test func goWithTheirQuestion() async throws {
        try await Self.with { base, store in
            let questions = QuestionStore(pool: base.pool)
            let name = try #require(QuestionName("weekly"))
            let secret = try await store.share("weekly", of: base.app, days: 7).secret
            #expect(try await questions.delete(name, of: base.app))
            #expect(try await store.page(secret) == nil)
            #expect(try await store.pages(of: base.app).isEmpty)
            // Another question of the name is another question.
            _ = try await questions.add(name, report: "refs", parameters: [], of: base.app)
            #expect(try await store.page(secret) == nil)
            #expect(try await questions.delete(name, of: base.app))
            let deleted = try await questions.deleted(of: base.app).compactMap(\.deletion)
            _ = try await questions.restore(try #require(deleted.min { $0.number < $1.number }), of: base.app)
            #expect(try await store.page(secret) != nil)
            try await base.run("insert into deleted_app (app_number) values (\(base.app.number))")
            #expect(try await store.page(secret) == nil)
        }
    }

    @Test func areRefused() async throws {
        try await Self.with { base, store in
            for days in [-1, 0, 367, Int.max] {
                await #expect(throws: ShareStoreError.invalidDays(days)) {
                    try await store.share("weekly", of: base.app, days: days)
                }
            }
            for name in ["monthly", "No Name", ""] {
                await #expect(throws: ShareStoreError.unknownQuestion(name)) {
                    try await store.share(name, of: base.app, days: 1)
                }
            }
            try await base.run(
                """
                insert into shared_page (app_number, question_number, secret_hash, expires_at, created_by)
                select app_number, question_number, int4send(number), now() + interval '1 day', ''
                from question, generate_series(1, \(ShareStore.limit)) as number
                """
            )
            await #expect(throws: ShareStoreError.tooMany) { try await store.share("weekly", of: base.app, days: 1) }
            // Those of schedules are counted apart.
            _ = try await store.share("weekly", of: base.app, days: 1, by: ShareStore.schedule)
            try await base.run("delete from shared_page where page_number = (select min(page_number) from shared_page)")
            try await base.run("update shared_page set created_by = 'schedule'")
            _ = try await store.share("weekly", of: base.app, days: 1)
            await #expect(throws: ShareStoreError.tooMany) {
                try await store.share("weekly", of: base.app, days: 1, by: ShareStore.schedule)
            }
        }
    }
}
