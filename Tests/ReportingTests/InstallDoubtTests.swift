import Delivery
import Events
import InboundLinks
import JSONReading
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
@testable import Webhooks

/// `GET /v1/attributions` says of one person what the report `generations` counts of all, but for `burst`.
@Suite("Doubt about single installs")
struct InstallDoubtTests {
    private typealias E = OracleEvents

    @Test(arguments: TestSeeds.seeds(4, in: 4)) func isWhatGenerationsCount(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with(poolSize: 4) { testing in
            for seed in seeds {
                let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
                let app = try await AppStore(pool: testing.pool).made("app-\(seed)", currency: RandomStream.currency)
                for batch in stream.redelivered(seed: seed) {
                    try await testing.writer.store(batch, of: app, receivedAt: stream.now)
                }
                let oracle = Oracle(events: stream.events, currency: RandomStream.currency)
                for days in [1, 7, 90] {
                    try await Self.expectAgreement(oracle, days, in: app, stream.now, "seed \(seed)", testing.pool)
                }
            }
        }
    }

    private static func expectAgreement(
        _ oracle: Oracle,
        _ days: Int,
        in app: App,
        _ now: Timestamp,
        _ place: String,
        _ pool: PostgresPool
    ) async throws {
        let request = try ReportRequest.parse(
            name: "generations",
            parameters: [("from", "1900-01-01"), ("to", "9999-12-31"), ("by", "doubt"), ("lookback", "\(days)d")],
            origin: .http,
            app: app,
            now: now
        )
        var counted: [String: Int] = [:]
        for row in try await ReportRunner.run(request, on: pool).table.rows.texts where row[0] == "total" {
            counted[row[1]] = Int(row[2])
        }
        let invitations = Oracle.Invitations(oracle, .days(days))
        var told = ["total": 0]
        for person in invitations.installs.keys {
            let (name, id) =
                switch person {
                case .user(let name): ("user_id", name.text)
                case .device(let name): ("device_id", name.text)
                case .click(let name): ("click_id", name.text)
                }
            for event in ["install", "conversion"] {
                let question = try AttributionQuestion(
                    parameters: [(name, id), ("event", event), ("lookback", "\(days)d")]
                )
                guard let answer = try await question.answer(for: app, on: pool) else {
                    #expect(event == "conversion", "\(place): \(person)")
                    continue
                }
                let doubts = invitations.doubts(about: person)
                #expect(!doubts.contains("burst"), "\(place): random streams are too small")
                #expect(Set(answer.doubt.names) == doubts, "\(place), \(days) days, \(event): \(person)")
                guard event == "install" else { continue }
                told[answer.doubt.names.first ?? "(none)", default: 0] += 1
                told["total", default: 0] += 1
            }
        }
        #expect(told == counted, "\(place), \(days) days")
    }

    /// Bob taps a post of Ann, who installed from the same phone, and installs five seconds later.
    private static let events: [Event] = [
        E.event(1, at: 0, user: "ann", device: "phone", E.install),
        E.event(2, at: 10, user: "ann", E.post(postID: "p1")),
        E.event(3, at: 20, user: "bob", .linkClick(E.touch(postID: "p1"))),
        E.event(4, at: 25, user: "bob", device: "phone", E.install),
        E.event(5, at: 30, user: "bob", .inboundLink(E.touch(.search))),
        E.event(6, at: 40, user: "bob", E.conversion("buy")),
    ]

    @Test func isToldOfThePersonAndOfEachCredit() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("shop")
            try await testing.writer.store(Self.events, of: app, receivedAt: E.time(50))
            func answer(_ user: String, _ event: String) async throws -> AttributionAnswer {
                let question = try AttributionQuestion(
                    parameters: [("user_id", user), ("event", event), ("model", "linear")]
                )
                return try #require(try await question.answer(for: app, on: testing.pool))
            }
            let install = try await answer("bob", "install")
            #expect(install.doubt.names == ["self", "device", "speed"])
            #expect(install.credits.map(\.doubt.names) == [["self", "speed"]])
            #expect(install.json.contains(#""sent_by":"server","doubt":["self","device","speed"],"model""#))
            #expect(install.json.contains(#""poster":{"user_id":"ann","device_id":null},"doubt":["self","speed"]}"#))
            // What the touches have to do with the purchase: one is of a post of Ann, one came from a search.
            let conversion = try await answer("bob", "conversion")
            #expect(conversion.doubt.names == ["self", "device", "speed"])
            #expect(conversion.credits.map(\.doubt.names) == [["self"], []])
            // She installed before he did.
            #expect(try await answer("ann", "install").doubt.names == [])
            let history = try await PersonHistory.read(PersonKey(.user, "bob"), in: app, on: testing.pool)
            #expect(history.doubt == ["self", "device", "speed"])
        }
    }

    /// Ann's install becomes doubtful when an earlier one of somebody else on the phone is stored. The phone is then
    /// somebody else's, so her install is looked at again.
    @Test func isToldByWebhooks() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("shop")
            let store = WebhookStore(pool: testing.pool)
            let added = try await store.add(
                to: try Destination("https://example.com/", allowsPrivate: false),
                parameters: [("event", "install")],
                settle: .days(60),
                of: app
            )
            func words(of user: String, after events: [Event]) async throws -> [String] {
                try await testing.store(events, of: app)
                let webhook = try await store.webhook(added.id).webhook
                _ = try await testing.pool.withConnection {
                    try WebhookFinder().pass(webhook, of: app, now: E.time(100), on: $0)
                }
                let bodies = try await testing.texts("select body from webhook_delivery order by number", [])
                return try bodies.flatMap { $0 }.compactMap { body in
                    let word = try JSONDocument(reading: body.utf8).root
                    guard word["event"]?["person"]?["user_id"]?.string == user else { return nil }
                    func doubt(_ node: JSONNode?) -> String {
                        (node?["doubt"].map { $0.elements.compactMap(\.string) } ?? []).joined(separator: ",")
                    }
                    let credits = word["credits"].map { $0.elements.map { doubt($0) } } ?? []
                    return "\(word["type"]?.string ?? "") \(doubt(word["event"])) \(credits)"
                }
            }
            #expect(
                try await words(of: "bob", after: Self.events) == [#"credit.made self,device,speed ["self,speed"]"#]
            )
            let earlier = E.event(10, at: -10, user: "zoe", device: "phone", E.install)
            #expect(try await words(of: "ann", after: [earlier]) == ["credit.made  []", "credit.changed device []"])
        }
    }

    /// The id of the person, and that of a device of hers, begin with a mark that belongs to the letter before it. Her
    /// touch on that device is found, and the webhook names her.
    @Test func isToldOfPeopleByTheirBytes() async throws {
        try await FigureTesting.with { testing in
            let (user, device) = ("\u{301}ann", "\u{302}phone")
            let app = try await testing.makeApp("shop")
            let added = try await WebhookStore(pool: testing.pool).add(
                to: try Destination("https://example.com/", allowsPrivate: false),
                parameters: [("event", "install")],
                settle: .days(60),
                of: app
            )
            try await testing.store(
                [
                    E.event(1, at: 0, user: user, device: device, .appOpen),
                    E.event(2, at: 10, device: device, .linkClick(E.touch(.search))),
                    E.event(3, at: 25, user: user, E.install),
                ],
                of: app
            )
            let webhook = try await WebhookStore(pool: testing.pool).webhook(added.id).webhook
            _ = try await testing.pool.withConnection {
                try WebhookFinder().pass(webhook, of: app, now: E.time(100), on: $0)
            }
            let bodies = try await testing.texts("select body from webhook_delivery order by number", [])
            let word = try JSONDocument(reading: #require(bodies.first)[0].utf8).root
            let named = try #require(word["event"]?["person"]?["user_id"]?.string)
            #expect(Array(named.utf8) == Array(user.utf8))
            #expect(word["credits"]?.elements.first { _ in true }?["channel"]?.string == "search")

            let request = try ReportRequest.parse(
                name: "channels",
                parameters: [
                    ("from", "2026-01-01"), ("to", "2026-02-01"), ("people", "installs"), ("group", "search"),
                ],
                origin: .http,
                app: app,
                now: E.time(100)
            )
            let people = try await PeopleRunner.table(request, on: testing.pool).rows.texts
            #expect(people.map { Array($0[1].utf8) } == [Array("user".utf8)])
            #expect(people.map { Array($0[2].utf8) } == [Array(user.utf8)])
        }
    }

    /// Ids are compared byte by byte: this one begins with a mark that belongs to the letter before it.
    @Test func readsPeopleByTheirBytes() {
        #expect(PersonKey(text: "u\u{301}1") == PersonKey(.user, "\u{301}1"))
        #expect(PersonKey(text: "dphone") == PersonKey(.device, "phone"))
        #expect(PersonKey(text: nil) == nil && PersonKey(text: "") == nil)
    }
}
