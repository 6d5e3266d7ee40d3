import Cryptography
import Delivery
import DeliveryTesting
import Postgres
import PostgresTesting
import Storage
import Synchronization
import Testing
import Time
import Timelines

@testable import Webhooks

@Suite("Delivering words")
struct WebhookSenderTests {
    /// A webhook with words of the events 1, 1 and 2.
    private static func with(
        answering answer: @escaping @Sendable (ScriptedReceiver.Request) -> ScriptedReceiver.Answer,
        _ body: @Sendable (Trial) async throws -> Void
    ) async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            try await ScriptedReceiver.run(answering: answer) { receiver in
                let pool = database.pool
                _ = try await AppStore(pool: pool).create(AppProfile(id: "shop", name: "Shop"))
                let app = try await AppStore(pool: pool).app(id: "shop")
                let webhook = try await WebhookStore(pool: pool).add(
                    to: try Destination(receiver.url, allowsPrivate: true),
                    parameters: [("event", "conversion")],
                    settle: .zero,
                    of: app
                )
                _ = try await pool.withConnection { connection in
                    try connection.execute(
                        """
                        insert into webhook_delivery (
                            app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
                        )
                        select $1, $2, number, 'msg_' || number,
                            ('00000000-0000-4000-8000-00000000000' || event)::uuid, now(),
                            format('{"type":"credit.made","event":%s,"number":%s}', event, number), '{}'
                        from (values (1, 1), (2, 1), (3, 2)) as word (number, event)
                        """,
                        [.int(Int64(app.number)), .text(webhook.id)]
                    )
                }
                let client = DeliveryClient(allowsPrivate: true, userAgent: "test", timeLimit: .milliseconds(500))
                let sender = WebhookSender(pool: pool, client: client, allowsPrivate: true)
                let trial = Trial(pool: pool, app: app, webhook: webhook, sender: sender, receiver: receiver)
                do {
                    try await body(trial)
                } catch {
                    await client.shutdown()
                    throw error
                }
                await client.shutdown()
            }
        }
    }

    private struct Trial: Sendable {
        let pool: PostgresPool
        let app: App
        let webhook: Webhook
        let sender: WebhookSender
        let receiver: ScriptedReceiver

        var numbers: [Int] {
            receiver.requests.compactMap { $0.body.last { $0.isNumber }.flatMap { Int(String($0)) } }
        }
        func send() async throws -> WebhookSender.Tally? { try await sender.send(webhook.id, of: app) }
        func waiting() async throws -> [WaitingWord] {
            try await WebhookStore(pool: pool).waiting(of: webhook.id, failed: false, limit: 10)
        }
        /// As if the time until the next attempts were over.
        func makeDue() async throws {
            _ = try await pool.withConnection {
                try $0.execute("update webhook_delivery set next_attempt_at = now() where dead_at is null")
            }
        }
    }

    @Test func sendsTheWordsOfAnEventInOrder() async throws {
        try await Self.with(answering: { _ in .status(204) }) { testing in
            #expect(try await testing.send() == .init(delivered: 2))
            #expect(Set(testing.numbers) == [1, 3])
            #expect(try await testing.send() == .init(delivered: 1))
            #expect(testing.numbers.last == 2)
            #expect(try await testing.send() == nil)
            #expect(try await testing.waiting().isEmpty)
            let request = testing.receiver.requests[0]
            let secret = try #require(testing.webhook.secrets.first)
            let id = try #require(request.headers["webhook-id"])
            let time = try #require(request.headers["webhook-timestamp"].flatMap { Int64($0) })
            #expect(
                request.headers["webhook-signature"] == secret.signature(of: request.body.utf8, id: id, at: time)
            )
        }
    }

    @Test(.enabled(if: !TestDatabases.usesCitus, "it locks a table of one server"), .timeLimit(.minutes(1)))
    func requestsDoNotWaitForCommits() async throws {
        let requests = AsyncStream.makeStream(of: Void.self)
        try await Self.with(
            answering: { _ in
                requests.continuation.yield()
                return .status(204)
            }
        ) { testing in
            _ = try await testing.pool.withConnection { connection in
                try connection.execute(
                    """
                    insert into webhook_delivery (
                        app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
                    )
                    select $1, $2, number, 'msg_' || number, gen_random_uuid(), now(), '{}', '{}'
                    from generate_series(4, 33) as number
                    """,
                    [.int(Int64(testing.app.number)), .text(testing.webhook.id)]
                )
            }
            let blocker = try await PostgresConnection.connect(to: testing.pool.address)
            try await blocker.executeScript("begin; lock table webhook_delivery in exclusive mode")
            async let tally = testing.send()
            var count = 0
            for await _ in requests.stream {
                count += 1
                if count == 32 { break }
            }
            try await blocker.executeScript("commit")
            await blocker.close()
            #expect(try await tally == .init(delivered: 32))
            #expect(try await testing.waiting().count == 1)
        }
    }

    /// When the table of words was analyzed while it was empty, the planner would compare all of them with each event,
    /// and with each word: seconds in every pass.
    @Test(
        .enabled(if: !TestDatabases.usesCitus, "a cluster shows its workers' plans otherwise"),
        arguments: [WebhookSQL.selectDueWords, WebhookSQL.deleteSettledEvents, WebhookSQL.deleteDeliveredWords]
    )
    func readsWordsOnceWhateverThePlannerExpects(statement: String) async throws {
        try await Self.with(answering: { _ in .status(204) }) { testing in
            try await testing.pool.withConnection {
                try $0.executeScript("delete from webhook_delivery")
                try $0.executeScript("vacuum analyze webhook_delivery")
            }
            try await testing.pool.withTransaction { connection in
                let key: [PostgresValue] = [.int(Int64(testing.app.number)), .text(testing.webhook.id)]
                try connection.execute(
                    """
                    with made as (
                        insert into webhook_event (
                            app_number, webhook_id, event_id, occurred_at, received_at, transaction_number, is_settled
                        )
                        select $1, $2, gen_random_uuid(), now(), now(), 1, true
                        from generate_series(1, 2000)
                        returning event_id
                    )
                    insert into webhook_delivery (
                        app_number, webhook_id, number, message_id, event_id, occurred_at, body, mentioned
                    )
                    select $1, $2, row_number() over (), '', event_id, now(), '', '{}'
                    from made
                    """,
                    key
                )
                let rest: [PostgresValue]
                var most = 2000
                switch statement {
                case WebhookSQL.selectDueWords: rest = [.int(500), .int(1 << 20)]
                case WebhookSQL.deleteSettledEvents:
                    try ScanPlanning.byHash.apply(on: connection)
                    rest = [.int(.max)]
                default:
                    most = 100
                    let events = try connection.query("select event_id::text from webhook_delivery order by number")
                    rest = [
                        .textArray(try events.prefix(100).map { try $0.text(0) }),
                        .textArray((1...100).map(String.init)),
                    ]
                }
                let plan = try connection.query("explain (analyze, timing off) " + statement, key + rest)
                    .map { try $0.text(0) }.joined(separator: "\n")
                let rows = plan.matches(of: /(?:actual rows=|Removed by (?:Join )?Filter: )([0-9]+)/).compactMap {
                    Int($0.1)
                }
                let loops = plan.matches(of: /loops=([0-9]+)/).compactMap { Int($0.1) }
                #expect(rows.allSatisfy { $0 <= most } && loops.allSatisfy { $0 == 1 }, "\(plan)")
            }
        }
    }

    @Test(arguments: [ScriptedReceiver.Answer.status(500), .nothing, .end])
    func aWordThatFailsWaitsAndHoldsBackTheNext(answer: ScriptedReceiver.Answer) async throws {
        let isWell = Mutex(false)
        try await Self.with(answering: { _ in isWell.withLock { $0 } ? .status(200) : answer }) { testing in
            #expect(try await testing.send() == .init(failed: 2))
            #expect(try await testing.send() == nil)
            let waiting = try await testing.waiting()
            #expect(waiting.map(\.attempts) == [1, 0, 1])
            #expect(waiting.map { $0.lastError == nil } == [false, true, false])
            isWell.withLock { $0 = true }
            try await testing.makeDue()
            #expect(try await testing.send() == .init(delivered: 2))
            #expect(try await testing.send() == .init(delivered: 1))
            #expect(testing.numbers.last == 2)
        }
    }

    /// The HTTP client would end the program.
    @Test func aURLThatCannotBeIsAFailureOfItsWords() async throws {
        try await Self.with(answering: { _ in .status(204) }) { testing in
            _ = try await testing.pool.withConnection {
                try $0.execute("update webhook set url = 'https://1.1.1.1:65536/'")
            }
            #expect(try await testing.send() == .init(failed: 2))
            #expect(try await testing.waiting().first?.lastError == "the URL's port must be from 1 to 65535")
        }
    }

    @Test func aWordThatIsGivenUpFreesTheNextAndCanBeRetried() async throws {
        let isWell = Mutex(false)
        try await Self.with(answering: { _ in .status(isWell.withLock { $0 } ? 200 : 503) }) { testing in
            _ = try await testing.pool.withConnection {
                try $0.execute("update webhook_delivery set attempts = 17 where number = 1")
            }
            #expect(try await testing.send() == .init(failed: 2, givenUp: 1))
            let store = WebhookStore(pool: testing.pool)
            #expect(try await testing.waiting().first?.diedAt != nil)
            isWell.withLock { $0 = true }
            // The later word makes the earlier one obsolete only when it is delivered.
            #expect(try await store.retry(testing.webhook.id, number: 1) == 1)
            #expect(try await testing.send() == .init(delivered: 1))
            #expect(testing.numbers.last == 1)
            _ = try await testing.pool.withConnection {
                try $0.execute("update webhook_delivery set dead_at = now() where number = 3")
            }
            #expect(try await testing.send() == .init(delivered: 1))
            #expect(try await store.retry(testing.webhook.id, number: nil) == 1)
            #expect(try await testing.send() == .init(delivered: 1))
            #expect(try await testing.waiting().isEmpty)
        }
    }

    @Test func aRotatedSecretSignsAtOnce() async throws {
        try await Self.with(answering: { _ in .status(204) }) { testing in
            _ = try await WebhookStore(pool: testing.pool).rotateSecret(of: testing.webhook.id)
            #expect(try await testing.send() == .init(delivered: 2))
            #expect(
                testing.receiver.requests.allSatisfy {
                    $0.headers["webhook-signature"]?.split(separator: " ").count == 2
                }
            )
        }
    }

    @Test func aReceiverThatIsGoneIsAskedNothingMore() async throws {
        try await Self.with(answering: { _ in .status(410) }) { testing in
            #expect(try await testing.send()?.isUnwanted == true)
            #expect(try await testing.waiting().map(\.attempts) == [0, 0, 0])
            let store = WebhookStore(pool: testing.pool)
            try await store.pause(testing.webhook.id, because: "gone")
            #expect(try await store.webhook(testing.webhook.id).webhook.pauseReason == "gone")
            let rotated = try await store.rotateSecret(of: testing.webhook.id)
            #expect(rotated.secrets.map(\.text) == [rotated.secret, testing.webhook.secret])
            try await store.delete(testing.webhook.id)
            await #expect(throws: WebhookError.self) { try await store.resume(testing.webhook.id) }
            let left = try await testing.pool.withConnection {
                try $0.query("select count(*) from webhook_delivery")[0].int(0)
            }
            #expect(left == 0)
        }
    }

    @Test func triesAReceiver() async throws {
        try await Self.with(answering: { _ in .status(200, body: "hello") }) { testing in
            #expect(await testing.sender.test(testing.webhook) == .answered(status: 200, excerpt: "hello"))
            #expect(testing.receiver.requests[0].body.contains(#""type":"webhook.test""#))
        }
    }
}
