import Events
import JSONReading
package import Postgres
import Reporting
package import Storage
package import Time
import Timelines

/// Finds what a webhook has to tell, and puts the words into the outbox (docs/architecture.md, *Webhooks*).
///
/// One daemon does it. A pass is a transaction: what it finds, the words and the webhook's new position are committed
/// together, so every event is told once, whenever the daemon ends.
package struct WebhookFinder: Sendable {
    /// What a pass did.
    package struct Pass: Equatable, Sendable {
        package var words = 0
        /// Whether there is more to do now.
        package var hasMore = false
        /// Whether it left events for later, because too many words wait to be delivered.
        package var isHeldBack = false
        /// How far it has seen: when it began.
        package var asOf = Timestamp.now
    }

    /// How many events a pass reads, and how many of the webhook's it looks at: so many pieces of so many bytes. They
    /// bound memory and the time of a pass.
    private let newEvents: Int
    private let piece: Int
    private let pieces: Int
    private let pieceBytes: Int
    /// How many devices and clicks of its person are stored with each event. Those of people with more are stored once.
    private let keyLimit: Int
    /// How many devices and clicks of people are read at once, if it is not one person who has more.
    private let keysAtOnce: Int
    /// How many words may wait. While a receiver takes fewer than there are, an event that changes several times is
    /// told once, as it is when there is room again.
    private let waitingWords: Int64
    private static let attempts = 3

    package init(
        newEvents: Int = 20_000,
        piece: Int = 500,
        pieces: Int = 4,
        pieceBytes: Int = 4 << 20,
        keyLimit: Int = 64,
        keysAtOnce: Int = 100_000,
        waitingWords: Int64 = 10_000
    ) {
        self.newEvents = newEvents
        self.piece = piece
        self.pieces = pieces
        self.pieceBytes = pieceBytes
        self.keyLimit = keyLimit
        self.keysAtOnce = keysAtOnce
        self.waitingWords = waitingWords
    }

    /// - Parameter now: what was received before it by the time until settling is settled.
    package func pass(
        _ webhook: Webhook,
        of app: App,
        now: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> Pass {
        let question = try CreditQuestion(parameters: webhook.parameters, app: app)
        return try connection.transaction(isolation: .repeatableRead, attempts: Self.attempts) {
            // First: what deletes or redacts events waits for the pass, or the pass reads what it has left
            // (`wait_for_webhook_passes.sql`).
            try connection.execute(
                "select from webhook where webhook_id = $1 for no key update",
                [.text(webhook.id)]
            )
            // As of this snapshot, also if the transaction runs again.
            guard let current = try connection.query(WebhookSQL.selectWebhooks, [.text(webhook.id), .null]).first
            else { return Pass() }
            var webhook = try Webhook(current)
            guard webhook.pauseReason == nil else { return Pass() }
            var pass = Pass(asOf: now)
            let key: [PostgresValue] = [.int(Int64(app.number)), .text(webhook.id)]
            pass.hasMore = try takeUp(&webhook, question, app, key, on: connection)
            let settled = now.advanced(by: .zero - webhook.settle)
            var room = waitingWords
            room -= try connection.query(WebhookSQL.countWaitingWords, key + [.int(waitingWords)])[0].int64(0)
            var left: Set<String> = []
            for count in 1...pieces {
                pass.isHeldBack = room <= 0
                if pass.isHeldBack { break }
                let done = try look(webhook, question, app, key, settled, now, on: connection)
                webhook.nextNumber += Int64(done.words)
                pass.words += done.words
                room -= Int64(done.words)
                left.formUnion(done.left)
                if done.events == 0 { break }
                if count == pieces { pass.hasMore = true }
            }
            if !left.isEmpty {
                let statement = Self.text(WebhookSQL.deletePersonKeys, on: connection)
                try connection.execute(statement, key + [.textArray(left.sorted())])
            }
            try ScanPlanning.byHash.apply(on: connection)
            try connection.execute(WebhookSQL.deleteSettledEvents, key + [.int(webhook.position)])
            try connection.execute(
                "update webhook set position = $2, next_number = $3 where webhook_id = $1",
                [.text(webhook.id), .int(webhook.position), .int(webhook.nextNumber)]
            )
            try analyzeFirstEvents(on: connection)
            return pass
        }
    }

    /// Without statistics, the planner believes that a webhook has few events, and `mark_stale.sql` reads all of them
    /// for each key. Autovacuum may come a minute later.
    private func analyzeFirstEvents(on connection: isolated PostgresConnection) throws {
        let unknown = try connection.query(
            """
            select
            from pg_class
            where oid = 'webhook_event'::regclass
                and reltuples < 0
                and pg_relation_size(oid) > 0
            """
        )
        if !unknown.isEmpty { try connection.execute("analyze webhook_event") }
    }

    /// Takes up new events, marks those that something new concerns, and moves the position.
    ///
    /// - Returns: whether more are new.
    private func takeUp(
        _ webhook: inout Webhook,
        _ question: CreditQuestion,
        _ app: App,
        _ key: [PostgresValue],
        on connection: isolated PostgresConnection
    ) throws -> Bool {
        let horizon = try TransactionHorizon.read(of: app.number, on: connection)
        try ScanPlanning.byHash.apply(on: connection)
        let limit = try nextPosition(after: webhook.position, upTo: horizon, key[0], on: connection)
        // Up to the limit, or everything that this snapshot sees.
        let range = key + [.int(webhook.position), .int(limit ?? .max)]
        try connection.execute(Self.text(WebhookSQL.markStale, on: connection), range)
        try connection.execute(
            WebhookSQL.insertEvents,
            range + [.text(question.eventType.rawValue), question.goal.map { .text($0) } ?? .null]
        )
        webhook.position = limit ?? horizon
        return limit != nil
    }

    /// Where a pass that reads so many events ends; nil: it reads all there are. At least one transaction, however many
    /// events it stored.
    ///
    /// It looks at few transactions first, because what lies behind may be millions of events, in no order.
    private func nextPosition(
        after position: Int64,
        upTo horizon: Int64,
        _ app: PostgresValue,
        on connection: isolated PostgresConnection
    ) throws -> Int64? {
        var span: Int64 = 256
        while true {
            let end = horizon - position <= span ? horizon : position + span
            let next = try connection.query(
                WebhookSQL.selectNextPosition,
                [app, .int(position), .int(end), .int(Int64(newEvents))]
            ).first
            if let next { return max(try next.int64(0), position + 1) }
            if end == horizon { return nil }
            span = span > .max / 8 ? .max : span * 8
        }
    }

    /// What a look at the next events did.
    private struct Look {
        var events = 0
        var words = 0
        /// The people whose events were settled, or are another person's now.
        var left: Set<String> = []
    }

    /// Looks at the next events.
    private func look(
        _ webhook: Webhook,
        _ question: CreditQuestion,
        _ app: App,
        _ key: [PostgresValue],
        _ settled: Timestamp,
        _ now: Timestamp,
        on connection: isolated PostgresConnection
    ) throws -> Look {
        try ScanPlanning.byLookup.apply(on: connection)
        var events = try connection.query(
            WebhookSQL.selectNextEvents,
            key + [.timestamp(microseconds: settled.microseconds), .int(Int64(piece)), .int(Int64(pieceBytes))]
        ).map { try WebhookEvent($0, settledUntil: settled) }
        guard !events.isEmpty else { return Look() }
        try leaveCrowds(&events, key[0], on: connection)
        let present = events.filter { !$0.isErased }.compactMap(\.facts)
        var answers: CreditQuestion.Answers?
        if let first = present.map(\.time).min(), let last = present.map(\.time).max() {
            let found = try question.answers(
                for: Set(present.map(\.id)),
                of: Set(present.map(\.person)).sorted(),
                between: (first, last),
                in: app,
                keyLimit: keyLimit,
                upTo: pieceBytes,
                on: connection
            )
            // They stay as they are, for the next piece.
            events.removeAll { found.left.contains($0.id) }
            for (person, keys) in found.crowds {
                try connection.execute(WebhookSQL.insertPersonKeys, key + [.text(person), .textArray(keys)])
            }
            answers = found
        }
        var done = Look(events: events.count)
        var words: [Told] = []
        var known: [WebhookEvent.Known] = []
        for event in events {
            let (told, state) = event.look(answers?.byEvent[event.id])
            if state.isSettled || state.person != event.toldPerson {
                done.left.formUnion([event.toldPerson, state.isSettled ? state.person : nil].compactMap(\.self))
            }
            for word in told {
                let messageID = Webhook.newMessageID()
                let body = word.body(
                    of: webhook,
                    id: messageID,
                    number: webhook.nextNumber + Int64(words.count),
                    question: (question.model, question.lookback),
                    asOf: now
                )
                words.append(Told(event: event, id: messageID, body: body, mentioned: Self.array(word.mentioned)))
            }
            known.append(state)
        }
        try connection.execute(
            WebhookSQL.insertWords,
            key + [
                .int(webhook.nextNumber), .textArray(words.map(\.event.id.description)),
                .textArray(words.map(\.body)), .textArray(words.map(\.mentioned)), .textArray(words.map(\.id)),
                .textArray(words.map(\.event.occurredAt.rfc3339)),
            ]
        )
        try connection.execute(
            WebhookSQL.updateEvents,
            key + [
                .textArray(events.map(\.id.description)), .textArray(known.map { $0.told ?? "" }),
                .textArray(known.map { $0.person ?? "" }), .textArray(known.map { Self.array($0.keys) }),
                .textArray(known.map { Self.array($0.mentioned) }),
                .textArray(known.map { $0.isSettled ? "true" : "false" }),
            ]
        )
        done.words = words.count
        return done
    }

    /// Leaves the events of people for the next piece who have too many devices and clicks to be read with the others.
    /// Those of the first person stay, whatever it has.
    private func leaveCrowds(
        _ events: inout [WebhookEvent],
        _ app: PostgresValue,
        on connection: isolated PostgresConnection
    ) throws {
        let people = Set(events.filter { !$0.isErased }.compactMap { $0.facts?.person }).sorted()
        let rows = try connection.query(WebhookSQL.countKeys, [app, .textArray(people), .int(Int64(keysAtOnce))])
        let counts = Dictionary(uniqueKeysWithValues: zip(people, try rows.map { try $0.int(0) }))
        var read: Set<String> = []
        var room = keysAtOnce
        events = events.filter { event in
            guard let person = event.facts?.person, let count = counts[person], !read.contains(person) else {
                return true
            }
            guard read.isEmpty || count <= room else { return false }
            read.insert(person)
            room -= count
            return true
        }
    }

    /// A word on its way into the outbox.
    private struct Told {
        var event: WebhookEvent
        var id: String
        var body: String
        /// A JSON array.
        var mentioned: String
    }

    private static func text(_ original: String, on connection: isolated PostgresConnection) -> String {
        (connection.isDistributed ? WebhookSQL.citusVariants[original] : nil) ?? original
    }

    private static func array(_ texts: [String]) -> String {
        "[" + texts.map { JSONWriter.quoted($0) }.joined(separator: ",") + "]"
    }
}
