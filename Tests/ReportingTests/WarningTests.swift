import Events
import InboundLinks
import Postgres
import RandomTesting
import Storage
import Testing
import Time
@testable import Reporting
@testable import Timelines

/// A request that names a goal or a ref is warned exactly if no event of the app has it, whether events are packed,
/// and whatever the range is.
@Suite("Warnings of names that occur nowhere")
struct WarningTests {
    private typealias E = OracleEvents

    @Test(arguments: TestSeeds.seeds(4, in: 4)) func areThoseOfTheOracle(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with { testing in
            for seed in seeds { try await expectAgreement(seed: seed, testing.writer, testing.pool) }
        }
    }

    private func expectAgreement(seed: UInt64, _ writer: EventWriter, _ pool: PostgresPool) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 3 == 0)
        let app = try await AppStore(pool: pool).made("app-\(seed)", currency: RandomStream.currency)
        let packer = TimelinePacker(app: app, pool: pool)
        var random = SeededRandom(seed: seed &* 13 &+ 1)
        for batch in stream.redelivered(seed: seed) {
            try await writer.store(batch, of: app, receivedAt: stream.now)
            if random.chance(25) { try await packer.pack() }
        }
        // What events say themselves: of an open and a click that are one touch, only one has its refs in the facts.
        let events = Oracle.stored(of: stream.events).filter { !Oracle.isTestTraffic($0) }
        var goals: Set<Oracle.Name> = []
        var refs: Set<Oracle.Name> = []
        for event in events {
            switch event.content {
            case .conversion(let conversion): goals.insert(Oracle.Name(conversion.name))
            case .feedPost(let post): refs.formUnion(post.refs.map(Oracle.Name.init))
            case .inboundLink, .linkClick, .install, .authentication, .appOpen: break
            }
            refs.formUnion((event.touch?.link.refs ?? []).map(Oracle.Name.init))
        }
        for goal in RandomStream.goals + ["bye"] {
            let asked: [(String, [(String, String)])] = [
                ("channels", [("goal", goal)]), ("paths", [("goal", goal)]),
                ("funnel", [("steps", "touch,conversion:\(goal)")]), ("funnel", [("exclude", "conversion:\(goal)")]),
                ("retention", [("cohort", "conversion:\(goal)")]), ("retention", [("returns", "conversion:\(goal)")]),
            ]
            for (name, parameters) in asked {
                let warned = try await warnings(name, parameters, stream, app, pool).compactMap(\.value)
                let expected = goals.contains(Oracle.Name(goal)) ? [] : [goal]
                #expect(warned == expected, "seed \(seed): \(name) \(parameters)")
            }
        }
        for ref in ["gift", "boast", "Zeta", "\u{E9}", "e\u{301}", "ä"] {
            let warned = try await warnings("compare", [("a", "gifts"), ("b", ref)], stream, app, pool).compactMap(
                \.value
            )
            let expected = ["gifts"] + (refs.contains(Oracle.Name(ref)) ? [] : [ref])
            #expect(warned.map(Oracle.Name.init) == expected.map(Oracle.Name.init), "seed \(seed): \(ref)")
        }
        // Who posted, whatever the post's id or link says of it.
        let people = Oracle.People(events: Oracle.stored(of: stream.events))
        let posts = events.filter { event in
            guard case .feedPost(let post) = event.content else { return false }
            return post.outcome == .posted || post.postID != nil
                || post.storyLink != nil && post.outcome == .unconfirmed
        }
        let posters = Set(posts.compactMap(people.person).map(\.name))
        for poster in ["user-1", "device-2", "click-1", "usr-1"] {
            let warned = try await warnings("viral", [("where", "poster=\(poster)")], stream, app, pool)
            let expected = posters.contains(Oracle.Name(poster)) ? [] : [poster]
            #expect(warned.filter { $0.parameter != nil }.compactMap(\.value) == expected, "seed \(seed): \(poster)")
        }
        #expect(try await warnings("compare", [("a", "search"), ("b", "bookmarks")], stream, app, pool).isEmpty)
        // Sums in other currencies are about no parameter.
        let others = try await warnings("channels", [], stream, app, pool)
        #expect(others.allSatisfy { $0.parameter == nil })
    }

    /// Over a range of one instant: the whole app decides.
    private func warnings(
        _ name: String,
        _ parameters: [(String, String)],
        _ stream: RandomStream,
        _ app: App,
        _ pool: PostgresPool
    ) async throws -> [ReportWarning] {
        let moment = Oracle.Span(from: stream.from, to: stream.from.advanced(byMicroseconds: 1))
        let request = try ReportRequest.parse(
            name: name,
            parameters: OracleQuestion.range(moment) + parameters.map { (name: $0.0, value: $0.1) },
            origin: .http,
            app: app,
            now: stream.now
        )
        return try await ReportRunner.run(request, on: pool).warnings
    }

    /// Whether events are packed or not.
    @Test(arguments: [false, true]) func knowTheValuesOfDeclaredProperties(arePacked: Bool) async throws {
        try await FigureTesting.with { testing in
            let app = try await AppStore(pool: testing.pool).made(
                "shop",
                currency: RandomStream.currency,
                properties: [AppProperty("plan", of: .person), AppProperty("tier", of: .touch, values: 1)]
            )
            let events = [("free", "ann"), ("pro", "bob"), ("pro", "cy"), ("total", "dan")].enumerated().map {
                var event = E.event(
                    UInt64($0.offset + 1),
                    at: Double($0.offset),
                    user: $0.element.1,
                    .inboundLink(E.touch())
                )
                event.properties = #"{"plan":"\#($0.element.0)","tier":"gold"}"#
                return event
            }
            try await testing.writer.store(events, of: app, receivedAt: E.time(10))
            if arePacked { try await TimelinePacker(app: app, pool: testing.pool).pack() }
            func warned(_ condition: String) async throws -> [String] {
                let request = try ReportRequest.parse(
                    name: "channels",
                    parameters: [("where", condition)],
                    origin: .http,
                    app: app,
                    now: E.time(20)
                )
                let sharing = ScanSharing(connections: 1)
                let warnings = try await ReportRunner.warnings(of: [request], on: testing.pool, sharing)[0]
                return warnings.map { $0.message.text(for: .http) }
            }
            #expect(try await warned(#"plan=pro,free,"total",(none),(others)"#) == [])
            #expect(
                try await warned("plan=prod") == [
                    "where: the plan 'prod' occurs in no event of the app; did you mean 'pro'?"
                ]
            )
            #expect(try await warned("tier=gold") == [])
            #expect(
                try await warned("plan=x") == [
                    "where: the plan 'x' occurs in no event of the app; the most frequent are 'pro', 'free', "
                        + "'\"total\"'"
                ]
            )
        }
    }

    @Test func sayThatAValueMayBeAmongOthers() {
        let asked = NamedValue(parameter: "where", kind: .key(.country), text: "FR")
        #expect(
            ReportWarning(asked, among: ["DE"], hasOthers: true).message.text(for: .http)
                == "where: the country 'FR' has no row of its own: it occurs in no event of the app, or is among "
                + "'(others)'; the most frequent are 'DE'"
        )
    }

    @Test func suggestNamesThatOccur() {
        let asked = NamedValue(parameter: "steps", kind: .goal, text: "premum")
        let near = ReportWarning(asked, among: ["cookbook", "premium", "premiums", "trial", "remium"])
        #expect(near.nearest == ["premium", "premiums", "remium"])
        #expect(
            near.message.text(for: .http)
                == "steps: the goal 'premum' occurs in no event of the app; "
                + "did you mean 'premium', 'premiums', 'remium'?"
        )
        let far = ReportWarning(NamedValue(parameter: "goal", kind: .goal, text: "xyz"), among: ["cookbook", "trial"])
        #expect(far.nearest.isEmpty)
        #expect(
            far.message.text(for: .http).hasSuffix(
                "occurs in no event of the app; the most frequent are 'cookbook', 'trial'"
            )
        )
        let none = ReportWarning(NamedValue(parameter: "a", kind: .key(.ref), text: "gift"), among: [])
        let channel = NamedValue(parameter: "a", kind: .key(.ref), text: "serch", others: ["search", "other"])
        #expect(ReportWarning(channel, among: ["gift"]).nearest == ["search"])
        #expect(none.message.text(for: .http) == "a: the ref 'gift' occurs in no event of the app; no event has a ref")
    }

    @Test func meanEveryValueBehindAPrefix() {
        let value = NamedValue(parameter: "where", kind: .key(.targetURL), text: "https://example.com/", isPrefix: true)
        #expect(value.matches("https://example.com/a"))
        #expect(!value.matches("https://example.org/"))
        #expect(ReportWarning(value, among: []).value == "https://example.com/*")
    }

    @Test func areAListInJSON() throws {
        let request = try Asking.request("channels", ["goal": "bye"])
        let table = try request.table(over: MemoryTimelines([], query: request.query))
        var result = ReportResult(request: request, table: table)
        #expect(result.text(as: .json).contains("  \"warnings\": [],\n"))
        result.warnings = [ReportWarning(parameter: "goal", value: "bye", nearest: ["buy"], message: "m")]
        let expected =
            "  \"warnings\": [{\"parameter\": \"goal\", \"value\": \"bye\", \"nearest\": [\"buy\"], \"message\": \"m\"}],\n"
        #expect(result.text(as: .json).contains(expected))
    }
}
