import Delivery
import Events
import Foundation
import Postgres
import PostgresTesting
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
@testable import Timelines
import Time
@testable import Webhooks

/// The law of webhooks: whatever arrives in whatever order, each event is told at least once, its words are in order,
/// and the last one says what the report `attribution` says at that time. Reports are compared with the oracle
/// elsewhere; here, the export of single credits and the report itself decide.
@Suite("The law of webhooks")
struct WebhookLawTests {
    private static let everything: [(name: String, value: String)] = [("from", "1900-01-01"), ("to", "9999-12-31")]

    /// What webhooks tell, as they are asked for.
    private static let questions: [[(name: String, value: String)]] = [
        [("event", "install"), ("model", "last")],
        [("event", "conversion"), ("model", "linear"), ("lookback", "90d")],
        [("event", "conversion"), ("goal", "buy"), ("model", "position"), ("lookback", "30d")],
        [("event", "conversion"), ("model", "decay"), ("where", "channel=story_links,search")],
        [("event", "install"), ("model", "first"), ("lookback", "90d"), ("where", "ref!=gift")],
        [("event", "conversion"), ("model", "linear"), ("where", "placement=top"), ("where", "platform!=web")],
    ]

    /// One receiver: the words of each event, as they came.
    private struct Receiver {
        var words: [String: [Word]] = [:]
        var last: Int64 = 0

        struct Word {
            var type: String
            var credits: [Credit]?
            var isDeleted: Bool
            /// A person's parameter of attributions, and its value.
            var person: (name: String, id: String)?
            var doubt: [String]
        }
        struct Credit: Equatable {
            var touch: String
            var credit: Double
            var channel: String
            var refs: [String]
        }

        mutating func receive(_ body: String) throws {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
            let number = try #require(object["sequence"] as? Int64)
            #expect(number > last)
            last = number
            let event = try #require(object["event"] as? [String: Any])
            let credits = (object["credits"] as? [[String: Any]]).map { credits in
                credits.map { credit in
                    Credit(
                        touch: credit["touch_id"] as? String ?? "",
                        credit: (credit["credit"] as? NSNumber)?.doubleValue ?? .nan,
                        channel: credit["channel"] as? String ?? "",
                        refs: credit["refs"] as? [String] ?? []
                    )
                }
            }
            let person = event["person"] as? [String: Any] ?? [:]
            let key = ["user_id", "device_id", "click_id"].first { person[$0] is String }
            let word = Word(
                type: try #require(object["type"] as? String),
                credits: credits,
                isDeleted: event["deleted"] as? Bool ?? false,
                person: key.map { (name: $0, id: person[$0] as? String ?? "") },
                doubt: event["doubt"] as? [String] ?? []
            )
            words[try #require(event["id"] as? String), default: []].append(word)
        }

        /// What the last words sum up to.
        func sums(by key: (Credit) -> [String]) -> [String: Double] {
            var sums: [String: Double] = [:]
            for word in words.values.compactMap(\.last) {
                guard let credits = word.credits else { continue }
                sums["total", default: 0] += credits.isEmpty ? 1 : 0
                if credits.isEmpty { sums["direct", default: 0] += 1 }
                for credit in credits {
                    sums["total", default: 0] += credit.credit
                    let keys = key(credit)
                    for name in keys { sums[name, default: 0] += credit.credit / Double(keys.count) }
                }
            }
            return sums.filter { abs($0.value) > 1e-9 }
        }
    }

    @Test(arguments: TestSeeds.seeds(1, in: 1)) func holdsForRandomStreams(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with { testing in
            for seed in seeds { try await expectLaw(seed, testing) }
        }
    }

    /// The planner of the next pass needs them. On a cluster, workers have their own.
    @Test(.enabled(if: !TestDatabases.usesCitus)) func leavesStatisticsOfTheFirstEvents() async throws {
        try await FigureTesting.with { testing in
            let stream = RandomStream.make(seed: 1)
            let app = try await testing.makeApp("shop")
            let store = WebhookStore(pool: testing.pool)
            let added = try await store.add(
                to: try Destination("https://example.com/", allowsPrivate: false),
                parameters: [("event", "conversion")],
                settle: .days(60),
                of: app
            )
            try await testing.writer.store(stream.events, of: app, receivedAt: stream.now)
            let webhook = try await store.webhook(added.id).0
            let pass = try await testing.pool.withConnection {
                try WebhookFinder().pass(webhook, of: app, now: stream.now, on: $0)
            }
            #expect(pass.words > 0)
            let known = "select (reltuples > 0)::text from pg_class where oid = 'webhook_event'::regclass"
            #expect(try await testing.texts(known, []) == [["true"]])
        }
    }

    private func expectLaw(_ seed: UInt64, _ testing: FigureTesting) async throws {
        var random = SeededRandom(seed: seed &* 131 &+ 3)
        let stream = RandomStream.make(seed: seed)
        let app = try await AppStore(pool: testing.pool).made(
            "app-\(seed)",
            currency: RandomStream.currency,
            properties: RandomStream.declared
        )
        let store = WebhookStore(pool: testing.pool)
        var hooks: [(id: String, parameters: [(name: String, value: String)], receiver: Receiver)] = []
        for question in Self.questions where random.chance(50) || hooks.isEmpty {
            let webhook = try await store.add(
                to: try Destination("https://example.com/", allowsPrivate: false),
                parameters: question,
                settle: .days(60),
                of: app
            )
            hooks.append((webhook.id, question, Receiver()))
        }

        func pass(now: Timestamp, delivering: Bool) async throws {
            for index in hooks.indices {
                let finder = WebhookFinder(
                    newEvents: random.pick([3, 1_000]),
                    piece: random.pick([2, 7, 500]),
                    pieces: random.pick([1, 3]),
                    pieceBytes: random.pick([500, 2_000, 1 << 20]),
                    keyLimit: random.pick([1, 64]),
                    keysAtOnce: random.pick([3, 1_000]),
                    waitingWords: random.pick([4, 10_000])
                )
                var isHeldBack = true
                repeat {
                    var hasMore = true
                    while hasMore {
                        let (webhook, app) = try await store.webhook(hooks[index].id)
                        let pass = try await testing.pool.withConnection {
                            try finder.pass(webhook, of: app, now: now, on: $0)
                        }
                        (hasMore, isHeldBack) = (pass.hasMore, pass.isHeldBack)
                    }
                    if delivering { try await deliver(to: index) }
                } while delivering && isHeldBack
            }
        }
        func deliver(to index: Int) async throws {
            let bodies = try await testing.texts(
                """
                with delivered as (delete from webhook_delivery where webhook_id = $1 returning number, body)
                select body from delivered order by number
                """,
                [.text(hooks[index].id)]
            )
            for body in bodies { try hooks[index].receiver.receive(body[0]) }
        }
        func expectSame(_ when: String) async throws {
            for hook in hooks {
                let what = Comment("seed \(seed), \(hook.parameters), \(when)")
                let isByRef = !hook.parameters.contains(where: { $0.value.hasPrefix("ref") })
                for by in isByRef ? ["channel", "ref"] : ["channel"] {
                    let request = try ReportRequest.parse(
                        name: "attribution",
                        parameters: hook.parameters + Self.everything + [("by", by)],
                        origin: .http,
                        app: app,
                        now: stream.now
                    )
                    let rows = try await ReportRunner.run(request, on: testing.pool).table.rows.texts
                    var expected: [String: Double] = [:]
                    for row in rows { expected[row[0]] = Double(row[2]) }
                    expected = expected.filter { $0.value != 0 }
                    let sums = hook.receiver.sums {
                        by == "channel" ? [$0.channel] : $0.refs.isEmpty ? ["(none)"] : $0.refs
                    }
                    #expect(Set(sums.keys) == Set(expected.keys), what)
                    for (name, sum) in sums {
                        #expect(abs(sum - (expected[name] ?? 0)) < 1e-4, "\(name): \(what)")
                    }
                }
                if !hook.parameters.contains(where: { $0.name == "where" }) {
                    try await expectCredits(hook.receiver, hook.parameters, app, testing, what)
                }
            }
        }

        for batch in stream.redelivered(seed: seed) {
            try await testing.writer.store(batch, of: app, receivedAt: stream.now)
            if random.chance(60) { try await pass(now: stream.now, delivering: random.chance(60)) }
            if random.chance(20) {
                try await pass(now: stream.now, delivering: true)
                try await expectSame("while events come")
            }
        }
        // As if the app's links had been read again by other rules.
        // Citus takes no volatile function in an update.
        try await testing.pool.withTransaction { connection in
            let transaction = try connection.query("select current_transaction_number()")[0].int64(0)
            let values: [PostgresValue] = [.int(Int64(app.number)), .int(transaction)]
            try connection.execute(
                """
                update event
                set refs = array['again'], reread_transaction = $2
                where app_number = $1 and channel is not null and type <> 'feed_post' and hashtext(event_id::text) % 3 = 0
                """,
                values
            )
            try connection.execute(
                """
                insert into reread (app_number, rules_version, began_at, finished_at, last_transaction)
                values ($1, 0, now(), now(), $2)
                """,
                values
            )
        }
        try await pass(now: stream.now, delivering: true)
        try await expectSame("after reread")
        try await pass(now: stream.now, delivering: true)
        for hook in hooks {
            for (event, words) in hook.receiver.words {
                #expect(words.first?.type == "credit.made", "seed \(seed): \(event)")
                #expect(words.dropFirst().allSatisfy { $0.type == "credit.changed" }, "seed \(seed): \(event)")
            }
        }

        let erased = try await erase(app, from: stream, &random, testing)
        for id in erased.ids {
            let left = try await testing.texts(
                """
                select body
                from webhook_delivery
                where app_number = $3 and position($1 in body) > 0
                union all
                select key
                from webhook_person_key
                where app_number = $3 and (key = $2 or person = $2)
                union all
                select told
                from webhook_event
                where app_number = $3
                    and (position($1 in told) > 0 or keys @> array[$2] or mentioned @> array[$2])
                """,
                [.text("\"\(id.dropFirst())\""), .text(id), .int(Int64(app.number))]
            )
            #expect(left.isEmpty, "seed \(seed): \(id)")
        }
        try await pass(now: stream.now, delivering: true)
        try await expectSame("after a deletion")
        for hook in hooks {
            for event in erased.events {
                guard let words = hook.receiver.words[event] else { continue }
                #expect(words.last?.credits == nil && words.last?.isDeleted == true, "seed \(seed): \(event)")
            }
        }

        try await pass(now: stream.now.advanced(by: .days(1_000)), delivering: true)
        try await expectSame("when everything is settled")
        for hook in hooks { try await expectDoubt(hook.receiver, hook.parameters, app, testing, "seed \(seed)") }
        let settled = hooks.map { $0.receiver.words.mapValues(\.count) }
        for hook in hooks {
            for (event, words) in hook.receiver.words where words.last?.isDeleted != true {
                #expect(words.count { $0.type == "credit.settled" } == 1, "seed \(seed): \(event)")
                #expect(words.last?.type == "credit.settled", "seed \(seed): \(event)")
            }
        }
        let left = try await testing.texts(
            """
            select (select count(*) from webhook_event where app_number = $1 and not is_settled)
                + (select count(*) from webhook_person_key where app_number = $1)
            """,
            [.int(Int64(app.number))]
        )
        #expect(left == [["0"]], "seed \(seed)")
        // After the last word nothing is told, whatever comes.
        try await testing.writer.store(RandomStream.make(seed: seed &+ 1).events, of: app, receivedAt: stream.now)
        try await pass(now: stream.now, delivering: true)
        for (hook, counts) in zip(hooks, settled) {
            for (event, count) in counts {
                #expect(hook.receiver.words[event]?.count == count, "seed \(seed): \(event)")
            }
        }
    }

    /// The last word about an event tells what is known of its person by then.
    private func expectDoubt(
        _ receiver: Receiver,
        _ parameters: [(name: String, value: String)],
        _ app: App,
        _ testing: FigureTesting,
        _ place: String
    ) async throws {
        let lookback = parameters.filter { $0.name == "lookback" }
        for (event, words) in receiver.words {
            guard let word = words.last, word.credits != nil, let person = word.person else { continue }
            let question = try AttributionQuestion(parameters: [(person.name, person.id)] + lookback)
            let answer = try #require(try await question.answer(for: app, on: testing.pool))
            #expect(word.doubt == answer.doubt.names, "\(place), \(parameters): \(event)")
        }
    }

    /// Event by event.
    private func expectCredits(
        _ receiver: Receiver,
        _ parameters: [(name: String, value: String)],
        _ app: App,
        _ testing: FigureTesting,
        _ what: Comment
    ) async throws {
        let request = try Exporting.request("credits", parameters + Self.everything, app: app)
        let records = try #require(CSVText(try await Exporting.text(request, on: testing.pool).text)).records
        let expected = Dictionary(grouping: records) { $0["event_id"] ?? "" }.mapValues { rows in
            rows.filter { $0["touch_id"] != "" }.map { row in
                "\(row["touch_id"] ?? "") \((Double(row["credit"] ?? "") ?? .nan).rounded(6)) \(row["channel"] ?? "")"
            }
        }
        var told: [String: [String]] = [:]
        for (event, words) in receiver.words {
            guard let credits = words.last?.credits else { continue }
            told[event] = credits.map { "\($0.touch) \($0.credit.rounded(6)) \($0.channel)" }
        }
        let isSame = told == expected
        #expect(isSame, what)
        for event in Set(told.keys).union(expected.keys) where told[event] != expected[event] {
            Issue.record("\(event): \(told[event] ?? ["nothing"]), not \(expected[event] ?? ["nothing"])")
            break
        }
    }

    /// - Returns: the ids of a person who was deleted, as keys, and of the person's events.
    private func erase(
        _ app: App,
        from stream: RandomStream,
        _ random: inout SeededRandom,
        _ testing: FigureTesting
    ) async throws -> (ids: [String], events: [String]) {
        let stored = Oracle.stored(of: stream.events)
        guard let chosen = stored.filter({ EventKeys($0).owner != nil }).randomElement(using: &random),
            let key = EventKeys(chosen).owner
        else { return ([], []) }
        let people = try await PersonStore(
            pool: testing.pool,
            spools: SpoolFolder(path: "/nonexistent", of: testing.pool),
            packed: TimelineRemoval()
        )
        let summary = try await people.summary(of: key, in: app)
        _ = try await people.erase(key, in: app)
        return (summary.person.keys.filter { $0.kind == .user }.map(\.text), summary.events.map(\.id.description))
    }
}

extension Double {
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (self * scale).rounded() / scale
    }
}
