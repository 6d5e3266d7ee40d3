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
            for app in [base.app, other] {
                #expect(try await AppStore(pool: base.pool).setRules("refs: [utm_campaign]", of: app) != nil)
                try await AppStore(pool: base.pool).declare(AppProperty("plan", of: .person), of: app)
            }
            try await base.run("insert into reread select app_number, 1, now(), now(), 0 from app")
            try await base.run(
                """
                insert into question (app_number, name, report, parameter_names, parameter_values)
                select app_number, 'weekly', 'refs', '{}', '{}' from app;
                insert into click_code_use (app_number, click_id) select app_number, gen_random_uuid() from app;
                insert into app_secret (app_number, meta_referrer_key)
                select app_number, decode(repeat('ab', 32), 'hex') from app
                """
            )
            try await base.run(
                """
                insert into question_schedule (
                    app_number, question_number, period, send_day, send_minute, format, target
                )
                select app_number, question_number, 'day', 0, 480, 'csv', 'mail:ann@example.com' from question
                """
            )
            try await base.run(
                """
                insert into question_run (schedule_number, app_number, period_start, period_end)
                select schedule_number, app_number, current_date, current_date + 1 from question_schedule
                """
            )
            try await base.run("insert into note (app_number, day, text) select app_number, current_date, 'x' from app")
            try await base.run(
                """
                insert into shared_page (app_number, question_number, secret_hash, expires_at, created_by)
                select app_number, question_number, int4send(app_number), now() + interval '1 day', 'x' from question;
                with made as (
                    insert into dashboard_user (email) values ('ann@example.com'), ('bob@example.com')
                    returning user_number, email
                )
                insert into dashboard_role (user_number, app_number, role)
                select user_number, app_number, 'viewer'
                from made, app
                where email = 'ann@example.com' or app_id = 'shop';
                insert into dashboard_invitation (token_hash, user_number, app_number, sets_password, created_by)
                select int4send(app_number), min(user_number), app_number, false, 'x'
                from dashboard_role
                group by app_number;
                insert into dashboard_session (session_hash, user_number, app_number)
                select int4send(app_number), min(user_number), app_number from dashboard_role group by app_number
                """
            )
            try await base.run(
                """
                insert into exchange_rate (app_number, currency, day, numerator, denominator)
                select app_number, 'CHF', current_date, 1, 2 from app;
                insert into cost (app_number, kind, name, starts_on, ends_on, amount, currency)
                select app_number, 'ref', 'x', current_date, current_date + 1, 1, 'USD' from app
                """
            )
            try await base.run(
                """
                insert into webhook (
                    webhook_id, app_number, url, parameter_names, parameter_values, settle, secret, position
                )
                select 'wh_' || app_number, app_number, 'https://example.com', '{}', '{}', '1 day', 'x', 0 from app;
                insert into webhook_event (
                    app_number, webhook_id, event_id, occurred_at, received_at, transaction_number
                )
                select app_number, webhook_id, gen_random_uuid(), now(), now(), 1 from webhook;
                insert into webhook_delivery (
                    app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
                )
                select app_number, webhook_id, 1, 'msg_1', gen_random_uuid(), now(), '{}', '{}' from webhook
                """
            )
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
