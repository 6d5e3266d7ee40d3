package import Delivery
import JSONReading
package import Postgres
package import Storage
package import Time

/// Delivers the words of a webhook. One daemon does it, and one task for each webhook, so that a slow receiver delays
/// nobody else.
///
/// A word is forgotten only after the receiver answered, so each is delivered at least once. Of each event, only the
/// earliest word is sent.
package struct WebhookSender: Sendable {
    /// What became of some attempts.
    package struct Tally: Equatable, Sendable {
        package var delivered = 0
        package var failed = 0
        package var givenUp = 0
        /// The receiver wants nothing more.
        package var isUnwanted = false
    }

    /// How many requests to one webhook run at once.
    private static let concurrency = 8
    /// How many words are read at once.
    private static let batch = 64

    private let pool: PostgresPool
    private let client: DeliveryClient
    private let allowsPrivate: Bool
    private let now: @Sendable () -> Timestamp

    package init(
        pool: PostgresPool,
        client: DeliveryClient,
        allowsPrivate: Bool,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) {
        self.pool = pool
        self.client = client
        self.allowsPrivate = allowsPrivate
        self.now = now
    }

    private struct Word: Sendable {
        var number: Int64
        var event: String
        var body: [UInt8]
        var attempts: Int
    }

    /// Sends the words that are due, at most once each.
    ///
    /// - Returns: nil if none is due.
    package func send(_ webhook: Webhook, of app: App) async throws -> Tally? {
        let key: [PostgresValue] = [.int(Int64(app.number)), .text(webhook.id)]
        let words = try await pool.withConnection { connection in
            try connection.query(WebhookSQL.selectDueWords, key + [.int(Int64(Self.batch))]).map { row in
                Word(
                    number: try row.int64(0),
                    event: try row.text(1),
                    body: Array(try row.text(2).utf8),
                    attempts: try row.int(3)
                )
            }
        }
        guard !words.isEmpty else { return nil }
        var tally = Tally()
        try await withThrowingTaskGroup(of: (Word, DeliveryAttempt).self) { group in
            var waiting = words[...]
            for word in waiting.prefix(Self.concurrency) { group.addTask { await (word, attempt(word, webhook)) } }
            waiting = waiting.dropFirst(Self.concurrency)
            var results: [(Word, DeliveryAttempt)] = []
            while let result = try await group.next() {
                results.append(result)
                if result.1 == .unwanted { tally.isUnwanted = true }
                if !tally.isUnwanted, !Task.isCancelled, let word = waiting.popFirst() {
                    group.addTask { await (word, attempt(word, webhook)) }
                }
                // What one hanging request delays is only in memory: it is sent again if the daemon ends.
                if results.count >= Self.concurrency {
                    try await keep(results, key, &tally)
                    results = []
                }
            }
            try await keep(results, key, &tally)
        }
        return tally
    }

    /// One request, now.
    private func send(_ body: [UInt8], id: String, to webhook: Webhook) async -> DeliveryOutcome {
        do {
            return await client.post(
                body,
                headers: WebhookSecret.headers(webhook.secrets, body: body, id: id, at: now()),
                to: try Destination(webhook.url, allowsPrivate: allowsPrivate)
            )
        } catch {
            return .unanswered(reason: error.description)
        }
    }

    /// A request that tells nothing, to try the receiver.
    package func test(_ webhook: Webhook) async -> DeliveryOutcome {
        let id = "msg_test_\(now().microseconds)"
        var json = JSONWriter()
        json.object { json in
            json.member("type", "webhook.test")
            json.member("id", id)
            json.member("app_id", webhook.appID)
            json.member("as_of", now().rfc3339)
        }
        return await send(Array(json.text.utf8), id: id, to: webhook)
    }

    private func attempt(_ word: Word, _ webhook: Webhook) async -> DeliveryAttempt {
        let outcome = await send(word.body, id: webhook.messageID(word.number), to: webhook)
        return DeliveryAttempt(outcome, attempt: word.attempts)
    }

    private func keep(_ results: [(Word, DeliveryAttempt)], _ key: [PostgresValue], _ tally: inout Tally) async throws {
        var delivered: [Word] = []
        var failed: [(word: Word, pause: String, reason: String)] = []
        for (word, attempt) in results {
            switch attempt {
            case .delivered: delivered.append(word)
            case .failed(let pause, let reason): failed.append((word, "\(pause / .seconds(1))", reason))
            case .givenUp(let reason):
                failed.append((word, "", reason))
                tally.givenUp += 1
            case .unwanted: break
            }
        }
        tally.delivered += delivered.count
        tally.failed += failed.count
        let (done, undone) = (delivered, failed)
        try await pool.withTransaction { connection in
            if !done.isEmpty {
                try connection.execute(
                    WebhookSQL.deleteDeliveredWords,
                    key + [.textArray(done.map(\.event)), .textArray(done.map { String($0.number) })]
                )
            }
            if !undone.isEmpty {
                try connection.execute(
                    WebhookSQL.updateFailedWords,
                    key + [
                        .textArray(undone.map { String($0.word.number) }),
                        .textArray(undone.map { String($0.word.attempts + 1) }),
                        .textArray(undone.map(\.pause)), .textArray(undone.map(\.reason)),
                    ]
                )
            }
        }
    }
}
