import Delivery
import Postgres
import PostgresTesting
import Storage
import Testing
import Webhooks

/// The rest of `ChangeLogTests`.
@Suite("Webhooks in the log of changes")
struct WebhookLogTests {
    @Test func haveOneEntryOfEachChange() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let (pool, store) = (database.pool, WebhookStore(pool: database.pool))
            _ = try await AppStore(pool: pool).create(AppProfile(id: "shop", name: "Shop"))
            let app = try await AppStore(pool: pool).app(id: "shop")
            let url = try Destination("https://in.example/secretpath?token=hiddenvalue", allowsPrivate: false)
            let webhook = try await store.add(to: url, parameters: [("event", "install")], settle: .zero, of: app)
            let rotated = try await store.rotateSecret(of: webhook.id)
            try await store.pause(webhook.id, because: "a test")
            try await store.resume(webhook.id)
            try await store.delete(webhook.id)
            await #expect(throws: WebhookError.self) { try await store.pause(webhook.id, because: "a test") }
            await #expect(throws: WebhookError.self) { try await store.delete(webhook.id) }
            let changes = try await ChangeLog(pool: pool).changes(of: app, limit: 100).dropLast()
            let kinds = ChangeKind.allCases.map(\.rawValue).filter { $0.hasPrefix("webhook.") }
            #expect(changes.map(\.what).sorted() == kinds.sorted())
            #expect(changes.allSatisfy { $0.subject == webhook.id })
            #expect(changes.last?.after?.contains("https://in.example/…") == true)
            let text = "\(changes)"
            for secret in [webhook.secret, rotated.secret, "secretpath", "hiddenvalue"] {
                #expect(!text.contains(secret))
            }
        }
    }
}
