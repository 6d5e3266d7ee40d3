import Events
import Postgres
import PostgresTesting
import Storage
import Synchronization
import Testing
import Webhooks

/// What webhooks have to tell of people who are deleted meanwhile.
@Suite("Webhooks and deleted people")
struct WebhookErasureTests {
    private typealias E = OracleEvents

    @Test func aWordThatNamesSomebodyAsTheFormerPosterIsDeleted() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            func countWords(_ condition: String) async throws -> Int {
                try await testing.count("select count(*) from webhook_delivery where \(condition)")
            }
            func tell(_ post: String, of poster: String, _ number: UInt64) async throws {
                let touch = E.touch(postID: post)
                try await testing.store(
                    [
                        E.event(number, at: 0, user: poster, E.post(postID: post)),
                        E.event(number + 1, at: Double(number), device: "phone", .inboundLink(touch)),
                    ],
                    of: app
                )
                #expect(try await testing.pass(webhook, of: app).words == 1)
            }
            try await testing.store([E.event(1, at: 100, device: "phone", E.conversion())], of: app)
            try await tell("first", of: "ann", 10)
            // Later, and yet before the conversion.
            try await tell("second", of: "cat", 20)
            #expect(try await countWords("number = 2 and body like '%previous%ann%'") == 1)
            try await testing.erase(PersonKey(.user, "ann"), of: app)
            #expect(try await countWords("body like '%ann%'") == 0)
            #expect(try await testing.pass(webhook, of: app).words == 1)
            #expect(try await countWords("number = 3 and body like '%cat%' and body not like '%previous%'") == 1)
        }
    }

    /// A pass reads what was there when it began.
    @Test func aPassWaitsForTheDeletion() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            try await testing.store([E.event(1, at: 10, user: "dan", device: "phone", E.conversion())], of: app)
            let holding = try await PostgresConnection.connect(to: testing.pool.address)
            try await holding.executeScript(
                "begin; select from device_link where app_number = \(app.number) for update"
            )
            async let erased: Void = testing.erase(PersonKey(.user, "dan"), of: app)
            // The deletion has deleted everything but the link.
            try await testing.pool.lockWaits()
            let hasPassed = Mutex(false)
            async let passed = {
                defer { hasPassed.withLock { $0 = true } }
                return try await testing.pass(webhook, of: app)
            }()
            try await testing.pool.lockWaits(2, or: { hasPassed.withLock { $0 } })
            try await holding.executeScript("commit")
            await holding.close()
            try await erased
            #expect(try await passed.words == 0)
            #expect(try await testing.count("select count(*) from webhook_event") == 0)
            #expect(try await testing.count("select count(*) from webhook_delivery") == 0)
        }
    }
}
