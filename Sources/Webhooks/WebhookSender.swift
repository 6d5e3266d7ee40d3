import Cryptography
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

        fileprivate mutating func count(_ attempt: DeliveryAttempt) {
            switch attempt {
            case .delivered: delivered += 1
            case .failed: failed += 1
            case .givenUp:
                failed += 1
                givenUp += 1
            case .unwanted: isUnwanted = true
            }
        }
    }

    /// How many requests to one webhook run at once.
    private static let concurrency = 8
    /// How many words are read at once. Each time takes a statement, and waits for the slowest of the words.
    private static let batch = 512
    private static let batchBytes = 4 << 20
    /// How long words of a batch are sent. The others are read again, as they may have to wait or be given up by then.
    private static let batchTime: Duration = .seconds(10)

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
        var id: String
        var event: String
        var body: [UInt8]
        var attempts: Int
    }

    private typealias Result = (word: Word, attempt: DeliveryAttempt)

    private enum Step: Sendable {
        case attempted(Result)
        case kept
    }

    /// Sends the words that are due, at most once each, to the webhook as it is now.
    ///
    /// - Returns: nil if none is due.
    package func send(_ id: String, of app: App) async throws -> Tally? {
        let key: [PostgresValue] = [.int(Int64(app.number)), .text(id)]
        let limits: [PostgresValue] = [.int(Int64(Self.batch)), .int(Int64(Self.batchBytes))]
        let (words, found): ([Word], Webhook?) = try await pool.withConnection { connection in
            let words = try connection.query(WebhookSQL.selectDueWords, key + limits).map { row in
                Word(
                    number: try row.int64(0),
                    id: try row.text(4),
                    event: try row.text(1),
                    body: Array(try row.text(2).utf8),
                    attempts: try row.int(3)
                )
            }
            guard !words.isEmpty else { return ([], nil) }
            return (words, try connection.query(WebhookSQL.selectWebhooks, [.text(id), .null]).first.map(Webhook.init))
        }
        guard let webhook = found, webhook.pauseReason == nil else { return nil }
        let end = ContinuousClock.now + Self.batchTime
        var tally = Tally()
        try await withThrowingTaskGroup(of: Step.self) { group in
            var waiting = words[...]
            func sendNext(_ group: inout ThrowingTaskGroup<Step, any Error>) {
                guard let word = waiting.popFirst() else { return }
                group.addTask { await .attempted((word, attempt(word, webhook))) }
            }
            for _ in 0..<Self.concurrency { sendNext(&group) }
            // Results that are not committed yet are lost if the daemon stops; these words are sent again.
            var results: [Result] = []
            var isKeeping = false
            while let step = try await group.next() {
                switch step {
                case .attempted(let result):
                    results.append(result)
                    tally.count(result.attempt)
                    if !tally.isUnwanted, !Task.isCancelled, ContinuousClock.now < end { sendNext(&group) }
                case .kept: isKeeping = false
                }
                // Requests go on while the commit waits for the disk.
                guard !isKeeping, !results.isEmpty else { continue }
                isKeeping = true
                group.addTask { [results] in
                    try await keep(results, key)
                    return .kept
                }
                results = []
            }
        }
        return tally
    }

    /// One request, now.
    private func send(_ body: [UInt8], id: String, to webhook: Webhook) async -> DeliveryOutcome {
        do {
            return await client.post(
                body,
                headers: SigningSecret.headers(webhook.secrets, body: body, id: id, at: now().microseconds / 1_000_000),
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
        let outcome = await send(word.body, id: word.id, to: webhook)
        return DeliveryAttempt(outcome, attempt: word.attempts)
    }

    private func keep(_ results: [Result], _ key: [PostgresValue]) async throws {
        var delivered: [Word] = []
        var failed: [(word: Word, pause: String, reason: String)] = []
        for (word, attempt) in results {
            switch attempt {
            case .delivered: delivered.append(word)
            case .failed(let pause, let reason): failed.append((word, "\(pause / .seconds(1))", reason))
            case .givenUp(let reason): failed.append((word, "", reason))
            case .unwanted: break
            }
        }
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
