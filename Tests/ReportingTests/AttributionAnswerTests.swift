import Events
import RandomTesting
import JSONReading
import Postgres
@testable import Reporting
@testable import Storage
import Testing
import Time
import Timelines

/// The answer about one person, by indexes, is what the export of all credits says.
@Suite("Answers about attribution")
struct AttributionAnswerTests {
    private typealias E = OracleEvents

    @Test(arguments: TestSeeds.seeds(3, in: 3)) func agreesWithTheExportOfCredits(seeds: Range<UInt64>) async throws {
        try await Self.withDatabase { pool, writer in
            for seed in seeds {
                let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
                let app = try await AppStore(pool: pool).made("app-\(seed)", currency: RandomStream.currency)
                for batch in stream.redelivered(seed: seed) {
                    try await writer.store(batch, of: app, receivedAt: stream.now)
                }
                try await Self.expectAgreement(of: stream, seed: seed, in: app, on: pool)
            }
        }
    }

    private static func expectAgreement(
        of stream: RandomStream,
        seed: UInt64,
        in app: App,
        on pool: PostgresPool
    ) async throws {
        let stored = Oracle.stored(of: stream.events)
        let people = Oracle.People(events: stored)
        // Each key, with the person of an event that carries nothing else.
        let keys = Set(stored.flatMap { EventKeys($0).all }).sorted()
        let lookbacks = ["1d", "7d", "90d"]
        for (number, model) in AttributionModel.allCases.enumerated() {
            let lookback = lookbacks[(number + Int(seed)) % 3]
            for event in AttributionReport.Credited.allCases {
                let request = try Exporting.request(
                    "credits",
                    [
                        ("event", event.rawValue), ("model", model.rawValue), ("lookback", lookback),
                        ("from", "2000-01-01"), ("to", "2100-01-01"),
                    ],
                    app: app,
                    now: stream.now
                )
                let rows = try #require(CSVText(try await Exporting.text(request, on: pool).text)).records
                for key in keys {
                    let question = try AttributionQuestion(
                        parameters: [
                            (key.kind.rawValue + "_id", key.id), ("event", event.rawValue), ("model", model.rawValue),
                            ("lookback", lookback),
                        ]
                    )
                    let answer = try await question.answer(for: app, on: pool)
                    let person = try #require(people.person(of: Self.event(of: key)))
                    let expected = Self.credits(of: person, in: rows)
                    #expect(
                        answer.map(Self.lines) ?? [] == expected,
                        "seed \(seed): \(key) \(event) \(model) \(lookback)"
                    )
                }
            }
        }
    }

    private static func event(of key: PersonKey) -> Event {
        E.event(
            1,
            at: 0,
            user: key.kind == .user ? key.id : nil,
            device: key.kind == .device ? key.id : nil,
            click: key.kind == .click ? key.id : nil,
            E.install
        )
    }

    /// The rows of the export about the latest event of a person: event, touch, time, channel, refs, link, credit.
    private static func credits(of person: Oracle.Person, in rows: [[String: String]]) -> [String] {
        let (kind, id) =
            switch person {
            case .user(let name): ("user", name.text)
            case .device(let name): ("device", name.text)
            case .click(let name): ("click", name.text)
            }
        let own = rows.filter { row in
            row["person_kind"] == kind && (row["person_id"] ?? "").utf8.elementsEqual(id.utf8)
        }
        let latest = own.max { first, second in
            (time(of: first), first["event_id"] ?? "") < (time(of: second), second["event_id"] ?? "")
        }
        return own.filter { $0["event_id"] == latest?["event_id"] }.map { row in
            ["event_id", "touch_id", "touched_at", "channel", "refs", "link", "credit"].map { row[$0] ?? "" }
                .joined(separator: " ")
        }
    }

    private static func time(of row: [String: String]) -> Timestamp {
        row["occurred_at"].flatMap { Timestamp(rfc3339: $0) } ?? Timestamp(microseconds: 0)
    }

    /// The same of an answer, from its JSON.
    private static func lines(_ answer: AttributionAnswer) -> [String] {
        guard let root = try? JSONDocument(reading: answer.json.utf8).root else { return ["no JSON"] }
        let event = root["event_id"]?.string ?? ""
        let credits = root["credits"].map { Array($0.elements) } ?? []
        if credits.isEmpty { return ["\(event)   direct   1"] }
        return credits.map { credit in
            let refs = (credit["refs"].map { Array($0.elements) } ?? []).compactMap(\.string).joined(separator: ",")
            let texts = ["touch_id", "time", "channel"].map { credit[$0]?.string ?? "" }
            return ([event] + texts + [refs, credit["link"]?.string ?? "", credit["credit"]?.number ?? ""])
                .joined(separator: " ")
        }
    }

    /// An install whose referrer was injected is direct, whatever was tapped before.
    @Test func believesNoInjectedReferrer() async throws {
        try await Self.withDatabase { pool, writer in
            let app = try await AppStore(pool: pool).made("injected", currency: "USD")
            let injected = Install(referrerClickedAt: E.time(15), beganAt: E.time(14))
            try await writer.store(
                [
                    E.event(1, at: 10, user: "ann", .inboundLink(E.touch())),
                    E.event(2, at: 20, user: "ann", .install(injected)),
                ],
                of: app,
                receivedAt: E.time(50)
            )
            let question = try AttributionQuestion(parameters: [("user_id", "ann"), ("event", "install")])
            #expect(try #require(await question.answer(for: app, on: pool)).credits.isEmpty)
        }
    }

    /// A backend pays by it: anyone can send with a key for apps.
    @Test func saysWhoSentTheEventAndItsTouches() async throws {
        try await Self.withDatabase { pool, writer in
            let app = try await AppStore(pool: pool).made("senders", currency: "USD")
            var events = [
                E.event(1, at: 10, device: "phone", .inboundLink(E.touch())),
                E.event(2, at: 20, device: "phone", .inboundLink(E.touch())),
                E.event(3, at: 30, device: "phone", E.install),
                E.event(4, at: 40, device: "phone", E.conversion("buy")),
            ]
            events[1].sentBy = .app
            events[2].sentBy = .app
            try await writer.store(events, of: app, receivedAt: E.time(50))
            func answer(_ event: String) async throws -> AttributionAnswer {
                let question = try AttributionQuestion(
                    parameters: [("device_id", "phone"), ("event", event), ("model", "linear")]
                )
                return try #require(try await question.answer(for: app, on: pool))
            }
            let install = try await answer("install")
            #expect(install.sentBy == .app && install.credits.map(\.sentBy) == [.server, .app])
            #expect(try await answer("conversion").sentBy == .server)
        }
    }

    @Test func tellsWhoPostedTheStory() async throws {
        try await Self.withDatabase { pool, writer in
            let app = try await AppStore(pool: pool).made("stories", currency: "USD")
            let events = [
                E.event(1, at: 0, device: "phone", E.post(refs: ["gift"], postID: "p1", link: "a")),
                E.event(2, at: 5, user: "ann", device: "phone", .authentication()),
                E.event(3, at: 10, click: "c", .inboundLink(E.touch(storyLink: "a"))),
                E.event(4, at: 20, device: "tablet", click: "c", E.install),
                E.event(5, at: 30, user: "bob", device: "tablet", .authentication()),
                E.event(6, at: 40, user: "bob", E.conversion("buy")),
                E.event(7, at: 40, user: "cid", E.conversion("level")),
            ]
            try await writer.store(events, of: app, receivedAt: E.time(50))
            func answer(_ parameters: KeyValuePairs<String, String>) async throws -> AttributionAnswer? {
                try await AttributionQuestion(parameters: parameters.map { (name: $0.key, value: $0.value) })
                    .answer(for: app, on: pool)
            }
            // The install, by any id of the person.
            for (name, id) in [("user_id", "bob"), ("device_id", "tablet"), ("click_id", "c")] {
                let install = try #require(try await answer([name: id, "event": "install"]))
                #expect(install.event == events[3].id)
                #expect(install.credits.map(\.touch.id) == [events[2].id])
                #expect(install.credits.map(\.refs) == [["gift"]])
                #expect(install.credits.map(\.postID) == ["p1"])
                #expect(install.credits.map(\.poster) == [EventKeys(userID: "ann", deviceID: "phone")])
                // Without `event`, the latest of both kinds.
                #expect(try await answer([name: id])?.event == events[5].id)
                #expect(try await answer([name: id, "goal": "level"]) == nil)
            }
            func unknownGoal(_ goal: String) async throws -> (message: String, nearest: [String])? {
                try await AttributionQuestion(parameters: [("user_id", "bob"), ("goal", goal)])
                    .unknownGoal(of: app, on: pool)
            }
            #expect(try await unknownGoal("level") == nil)
            let misspelt = try #require(try await unknownGoal("levle"))
            #expect(misspelt.nearest == ["level"])
            #expect(
                misspelt.message
                    == "goal: no conversion of the app has been named 'levle' lately; did you mean 'level'?"
            )
            #expect(try await unknownGoal("subscription")?.message.hasSuffix("named 'subscription' lately") == true)
            let direct = try #require(try await answer(["user_id": "cid"]))
            #expect(
                direct.json
                    == #"{"event_id":"00000000-0000-0000-0000-000000000007","type":"conversion","name":"level","occurred_at":"2026-01-05T00:00:40Z","sent_by":"server","doubt":[],"model":"last","lookback":"7d","credits":[]}"#
            )
            #expect(try await answer(["user_id": "ann"]) == nil)
            #expect(try await answer(["user_id": "nobody"]) == nil)
        }
    }

    @Test(arguments: [
        (["event": "install"], "user_id"), (["user_id": "a", "device_id": "b"], "device_id"),
        (["user_id": ""], "user_id"), (["user_id": String(repeating: "x", count: 257)], "user_id"),
        (["user_id": "a", "event": "login"], "event"), (["user_id": "a", "model": "all"], "model"),
        (["user_id": "a", "event": "install", "goal": "buy"], "goal"),
        (["user_id": "a", "lookback": "91d"], "lookback"), (["user_id": " 4917000"], "user_id"),
        (["user_id": "a", "from": "2026-01-01"], "from"),
    ])
    func refusesWhatItCannotAnswer(parameters: [String: String], field: String) throws {
        let error = #expect(throws: ReportError.self) {
            // In a fixed order.
            try AttributionQuestion(parameters: parameters.sorted { $0.key < $1.key }.reversed().map { ($0, $1) })
        }
        guard case .usage(_, let named, _) = error else { return }
        #expect(named == field)
    }

    private static func withDatabase(
        _ body: @escaping @Sendable (PostgresPool, EventWriter) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in try await body(testing.pool, testing.writer) }
    }
}
