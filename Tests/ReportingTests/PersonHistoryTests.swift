import Events
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
import Timelines

/// A person's timeline says of each install and conversion what `GET /v1/attributions` says.
@Suite("Timelines of single people")
struct PersonHistoryTests {
    @Test(arguments: TestSeeds.seeds(2, in: 2)) func creditsAsAttributionsDo(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with(poolSize: 4) { testing in
            for seed in seeds {
                let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
                let app = try await AppStore(pool: testing.pool).made("app-\(seed)", currency: RandomStream.currency)
                for batch in stream.redelivered(seed: seed) {
                    try await testing.writer.store(batch, of: app, receivedAt: stream.now)
                }
                let stored = Oracle.stored(of: stream.events)
                for key in Set(stored.flatMap { EventKeys($0).all }).sorted() {
                    try await Self.expectAgreement(of: key, in: app, stored, "seed \(seed): \(key)", testing.pool)
                }
            }
        }
    }

    private typealias E = OracleEvents

    /// Ann's post brings Bob, Bob's brings Cat. Dan and Eve invite each other, Dan first. Zoe never installed.
    private static let invitations: [Event] = [
        E.event(1, at: 0, user: "ann", E.install),
        E.event(2, at: 10, device: "ann's", E.post(postID: "p1")),
        E.event(3, at: 11, user: "ann", device: "ann's", .authentication()),
        E.event(4, at: 20, user: "bob", .linkClick(E.touch(postID: "p1"))),
        E.event(5, at: 30, user: "bob", E.install),
        E.event(6, at: 40, user: "bob", E.post(link: "https://example.com/a")),
        E.event(7, at: 50, device: "cat", .linkClick(E.touch(storyLink: "https://example.com/a"))),
        E.event(8, at: 60, device: "cat", E.install),
        E.event(10, at: 10, user: "eve", E.post(postID: "p2")),
        E.event(11, at: 20, user: "dan", .linkClick(E.touch(postID: "p2"))),
        E.event(12, at: 30, user: "dan", E.install),
        E.event(13, at: 40, user: "dan", E.post(postID: "p3")),
        E.event(14, at: 50, user: "eve", .linkClick(E.touch(postID: "p3"))),
        E.event(15, at: 60, user: "eve", E.install),
        E.event(20, at: 10, user: "zoe", E.post(postID: "p4")),
        E.event(21, at: 20, user: "fay", .linkClick(E.touch(postID: "p4"))),
        E.event(22, at: 30, user: "fay", E.install),
    ]

    @Test func followsTheChainOfInvitationsUpwards() async throws {
        try await FigureTesting.with(poolSize: 4) { testing in
            let app = try await AppStore(pool: testing.pool).made("chains", currency: RandomStream.currency)
            _ = try await testing.writer.store(Self.invitations, of: app, receivedAt: E.time(100))
            func chain(_ kind: PersonKey.Kind, _ id: String) async throws -> [String] {
                try await PersonHistory.read(PersonKey(kind, id), in: app, on: testing.pool).inviters.map {
                    $0.key.id + ($0.installedAt == nil ? ", never installed" : "")
                }
            }
            #expect(try await chain(.device, "cat") == ["bob", "ann"])
            #expect(try await chain(.user, "bob") == ["ann"])
            #expect(try await chain(.user, "ann") == [])
            #expect(try await chain(.user, "eve") == ["dan"])
            #expect(try await chain(.user, "dan") == [])
            #expect(try await chain(.user, "fay") == ["zoe, never installed"])
            #expect(try await chain(.user, "unheard-of") == [])
        }
    }

    private static func expectAgreement(
        of key: PersonKey,
        in app: App,
        _ stored: [Event],
        _ place: String,
        _ pool: PostgresPool
    ) async throws {
        let history = try await PersonHistory.read(key, in: app, on: pool)
        for event in AttributionReport.Credited.allCases {
            let question = try AttributionQuestion(
                parameters: [(key.kind.rawValue + "_id", key.id), ("event", event.rawValue)]
            )
            let answer = try await question.answer(for: app, on: pool)
            let kind: PersonEntry.Kind = event == .install ? .install : .conversion
            let entry = history.entries.filter { $0.kind == kind && !$0.isTest }
                .max { ($0.time, $0.event) < ($1.time, $1.event) }
            #expect(entry?.event == answer?.event, "\(place)")
            #expect(entry?.credit?.touch == answer?.credits.first?.touch.id.description, "\(place)")
            #expect((entry?.credit?.words == "direct") == (answer.map(\.credits.isEmpty) ?? false), "\(place)")
        }
        // Everything else of the person is there, once.
        let people = Oracle.People(events: stored)
        let person = people.person(of: Self.event(of: key))
        let others = stored.filter { ![.inboundLink, .linkClick].contains($0.type) && people.person(of: $0) == person }
        #expect(
            history.entries.filter { $0.kind != .touch }.map(\.event).sorted() == others.map(\.id).sorted(),
            "\(place)"
        )
    }

    private static func event(of key: PersonKey) -> Event {
        OracleEvents.event(
            1,
            at: 0,
            user: key.kind == .user ? key.id : nil,
            device: key.kind == .device ? key.id : nil,
            click: key.kind == .click ? key.id : nil,
            OracleEvents.install
        )
    }
}
