import Events
import Foundation
import InboundLinks
import JSONReading
import Postgres
import PostgresTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
import Timelines
@testable import Webhooks

/// What a webhook reads, holds and says at once has bounds, whatever was sent.
@Suite("The bounds of webhooks")
struct WebhookBoundsTests {
    private typealias E = OracleEvents

    /// Touches of 8 KiB of one device, each a second after the other.
    private static func touches(_ count: UInt64) -> [Event] {
        (1...count).map { number in
            var touch = E.touch()
            touch.link.targetURL = "https://shop.example/" + String(repeating: "é", count: 4_000)
            return E.event(number, at: Double(number), device: "phone", .inboundLink(touch))
        }
    }

    private static func sum(_ body: JSONNode) -> Decimal {
        let shares = (body["credits"].map { Array($0.elements) } ?? []).map { $0["credit"]?.number }
        return (shares + [body["more_credits"]?["credit"]?.number]).reduce(0) {
            $0 + ($1.flatMap { Decimal(string: $0) } ?? 0)
        }
    }

    @Test(arguments: ["linear", "position", "decay"])
    func aMessageHasTheLargestCreditsAndTheSumOfTheOthers(model: String) async throws {
        try await FigureTesting.withWebhook(model: model) { testing, app, webhook in
            try await testing.store(Self.touches(250), of: app)
            try await testing.store(
                (1_001...1_100).map { E.event($0, at: 1_000, device: "phone", E.conversion()) },
                of: app
            )
            // A piece ends when it is full, however many events are left. 20 of 100 touches are read at once.
            let finder = WebhookFinder(pieceBytes: 1_000)
            var words = 0
            var hasMore = true
            while hasMore {
                let pass = try await testing.pass(webhook, of: app, by: finder)
                #expect(pass.words <= 80)
                (words, hasMore) = (words + pass.words, pass.hasMore)
            }
            #expect(words == 100)
            for row in try await testing.texts("select body, event_id from webhook_delivery", []) {
                #expect(row[0].utf8.count < CreditQuestion.byteLimit + 2_000)
                let document = try JSONDocument(reading: row[0].utf8)
                let body = document.root
                let credits = try #require(body["credits"].map { Array($0.elements) })
                #expect((10...CreditList.limit).contains(credits.count))
                #expect(body["more_credits"]?["count"]?.number == "\(250 - credits.count)")
                #expect(Self.sum(body) == 1)
                let targets = credits.compactMap { $0["target_url"]?.string }
                #expect(targets.allSatisfy { $0.hasSuffix("é…") && $0.count == 501 })
                // Those of the largest shares are there: the last touch, and the first one by position.
                let last = credits.last?["touch_id"]?.string
                #expect(last == EventID(high: 0, low: 250).description)
                let first = credits.first?["touch_id"]?.string
                #expect((first == EventID(high: 0, low: 1).description) == (model == "position"))
            }
            let question = try AttributionQuestion(parameters: [("device_id", "phone"), ("model", model)])
            let answer = try #require(try await question.answer(for: app, on: testing.pool))
            let document = try JSONDocument(reading: answer.json.utf8)
            #expect(document.root["credits"].map { Array($0.elements) }?.count == CreditList.limit)
            #expect(Self.sum(document.root) == 1)
        }
    }

    /// A user id that many share: its devices are stored once, not with each event, and every change of one of them is
    /// told all the same.
    @Test func aPersonWithManyDevicesHasThemOnce() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            func pass(after days: Int = 0) async throws -> Int {
                let now = RandomStream.monday.advanced(by: .days(days))
                return try await testing.pass(webhook, of: app, at: now).words
            }
            func countKeys() async throws -> Int { try await testing.count("select count(*) from webhook_person_key") }
            func open(_ number: UInt64, at seconds: Double, of user: String, on device: String) async throws {
                let event = E.event(number, at: seconds, user: user, device: device, .appOpen)
                try await testing.store([event], of: app)
            }
            let installs = (1...100).map { E.event($0, at: 900, user: "shared", device: "phone-\($0)", E.install) }
            let conversions = (201...500).map { E.event($0, at: 1_000, user: "shared", E.conversion()) }
            try await testing.store(installs + conversions, of: app)
            #expect(try await pass() == 300)
            #expect(try await countKeys() == 100)
            #expect(try await testing.count("select max(cardinality(keys)) from webhook_event") == 1)
            #expect(try await testing.count("select max(cardinality(mentioned)) from webhook_delivery") == 1)
            #expect(try await pass() == 0)
            // An event of a device alone.
            try await testing.store([E.event(600, at: 950, device: "phone-7", .inboundLink(E.touch()))], of: app)
            #expect(try await pass() == 300)
            // A new device, and what it did before.
            try await testing.store([E.event(601, at: 960, device: "phone-101", .inboundLink(E.touch()))], of: app)
            #expect(try await pass() == 0)
            try await open(602, at: 990, of: "shared", on: "phone-101")
            #expect(try await pass() == 300)
            #expect(try await countKeys() == 101)
            // A device was another user's before.
            try await open(603, at: 800, of: "bob", on: "phone-101")
            #expect(try await pass() == 300)
            #expect(try await pass(after: 61) == 300)
            #expect(try await countKeys() == 0)
        }
    }

    /// Those of all answers of a piece.
    @Test func aPieceHoldsFewKeys() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            let installs = (1...10 as ClosedRange<UInt64>).map { number in
                let device = "\(number)-" + String(repeating: "x", count: 98)
                return E.event(number, at: 900, user: "ann", device: device, E.install)
            }
            let conversions = (201...220).map { E.event($0, at: 1_000, user: "ann", E.conversion()) }
            try await testing.store(installs + conversions, of: app)
            let pass = try await testing.pass(webhook, of: app, by: WebhookFinder(pieces: 1, pieceBytes: 3_000))
            #expect((2...4).contains(pass.words) && pass.hasMore)
        }
    }

    /// As many as the first person has, and no more. Events of others whose devices fit are looked at with them.
    @Test func aPieceReadsFewKeys() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            try await testing.store(
                (1...15 as ClosedRange<UInt64>).map { number in
                    let user = ["kiosk", "shop", "ann"][Int(number % 3)]
                    return E.event(
                        number,
                        at: 900,
                        user: user,
                        device: user == "ann" ? "phone" : "d\(number)",
                        E.conversion()
                    )
                },
                of: app
            )
            var words: [Int] = []
            for limit in [5, 6, 6] {
                let finder = WebhookFinder(pieces: 1, keysAtOnce: limit)
                words.append(try await testing.pass(webhook, of: app, by: finder).words)
            }
            #expect(words == [5, 10, 0])
        }
    }

    /// Everything that is stored of a person marks all events of the person.
    @Test func nobodyWaitsForAPersonWhoseEventsChangeAllTheTime() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            try await testing.store((1...5).map { E.event($0, at: 900, device: "kiosk", E.conversion()) }, of: app)
            try await testing.pass(webhook, of: app)
            try await testing.store([E.event(6, at: 900, device: "phone", E.conversion())], of: app)
            let finder = WebhookFinder(piece: 2, pieces: 1)
            for number in 11...18 as ClosedRange<UInt64> {
                try await testing.store(
                    [E.event(number, at: Double(number), device: "kiosk", .inboundLink(E.touch()))],
                    of: app
                )
                try await testing.pass(webhook, of: app, by: finder)
            }
            #expect(try await testing.count("select count(*) from webhook_event where told is not null") == 6)
        }
    }

    /// Retention deletes the links of devices without events.
    @Test func devicesThatNobodyHasAreForgotten() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            try await testing.store(
                (1...70).map { E.event($0, at: 900, user: "shared", device: "d\($0)", E.conversion()) },
                of: app
            )
            try await testing.pass(webhook, of: app)
            try await testing.pool.withConnection { connection in
                try connection.execute("delete from device_link where device_id = 'd1'")
                let time = PostgresValue.timestamp(microseconds: RandomStream.monday.microseconds)
                try connection.execute(StoredSQL.expireWebhookKeys, [time, .null])
            }
            #expect(try await testing.count("select count(*) from webhook_person_key") == 69)
        }
    }

    /// What lies behind is for later passes: a webhook that is millions of events behind catches up.
    @Test(.enabled(if: !TestDatabases.usesCitus, "a cluster shows its workers' plans otherwise"))
    func aPassReadsOnlyWhatItMovesBy() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            var ends: [Int64] = []
            for batch in 0..<20 as Range<UInt64> {
                let events = (1...50).map { number in
                    E.event(
                        batch * 50 + number,
                        at: 10,
                        user: "u\(number)",
                        device: "d\(batch)-\(number)",
                        E.conversion()
                    )
                }
                try await testing.store(events, of: app)
                let end = "select max(transaction_number) from event"
                ends.append(try await testing.pool.withConnection { try $0.query(end)[0].int64(0) })
            }
            let pass = try await testing.pass(webhook, of: app, by: WebhookFinder(newEvents: 100))
            #expect(pass.hasMore)
            let position = try await WebhookStore(pool: testing.pool).webhook(webhook.id).webhook.position
            #expect(position == ends[2])
            #expect(try await testing.count("select count(*) from webhook_event") == 100)
            let plan = try await testing.texts(
                "explain (analyze, timing off) " + WebhookSQL.markStale,
                [.int(Int64(app.number)), .text(webhook.id), .int(position), .int(ends[3])]
            ).joined().joined(separator: "\n")
            for name in ["fresh", "changed_device"] {
                let rows = plan.matches(of: try Regex("CTE Scan on \(name) .*actual rows=([0-9]+)")).compactMap {
                    $0.output[1].substring.flatMap { Int($0) }
                }
                #expect(!rows.isEmpty && rows.allSatisfy { $0 <= 50 }, "\(name): \(plan)")
            }
        }
    }

    /// Statistics know the events of another webhook, and none of this one's: the planner expects one. It must not read
    /// all of them for each key.
    @Test(.enabled(if: !TestDatabases.usesCitus, "a cluster shows its workers' plans otherwise"))
    func aPassLooksUpEventsByTheirKeys() async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            let number = PostgresValue.int(Int64(app.number))
            try await testing.pool.withConnection { connection in
                for (id, command) in [("wh_known", "analyze webhook_event"), (webhook.id, "select")] {
                    try connection.execute(
                        """
                        insert into webhook_event (
                            app_number, webhook_id, event_id, occurred_at, received_at, transaction_number, keys
                        )
                        select $1, $2, gen_random_uuid(), now(), now(), 1, array['u' || person]
                        from generate_series(1, 5000) as person
                        """,
                        [number, .text(id)]
                    )
                    try connection.execute(command)
                }
            }
            let plan = try await testing.texts(
                "explain " + WebhookSQL.markStale,
                [number, .text(webhook.id), .int(0), .int(.max)]
            ).joined().joined(separator: "\n")
            #expect(plan.contains("Bitmap Index Scan on webhook_event_by_key"), "\(plan)")
        }
    }

    /// When all of it is.
    @Test(arguments: [(false, 0), (true, 3)])
    func afterRereadingEachEventIsLookedAtOnce(isFinished: Bool, marked: Int) async throws {
        try await FigureTesting.withWebhook { testing, app, webhook in
            try await testing.store((1...3).map { E.event($0, at: 10, device: "d\($0)", E.conversion()) }, of: app)
            // After the first three words nothing is told, so marks stay.
            let finder = WebhookFinder(pieces: 1, waitingWords: 3)
            func countMarks() async throws -> Int {
                try await testing.pass(webhook, of: app, by: finder)
                return try await testing.count("select count(*) from webhook_event where is_stale")
            }
            #expect(try await countMarks() == 0)
            try await testing.pool.withTransaction { connection in
                let number = try connection.query("select current_transaction_number()")[0].int64(0)
                try connection.execute(
                    """
                    insert into reread (app_number, rules_version, began_at, finished_at, last_transaction)
                    values ($1, 0, now(), case when $2 then now() end, $3)
                    """,
                    [.int(Int64(app.number)), .bool(isFinished), .int(number)]
                )
            }
            #expect(try await countMarks() == marked)
            _ = try await testing.pool.withConnection { try $0.execute("update webhook_event set is_stale = false") }
            #expect(try await countMarks() == 0)
        }
    }
}
