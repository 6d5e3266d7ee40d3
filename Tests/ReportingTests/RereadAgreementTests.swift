import Events
import Foundation
import InboundLinks
import Postgres
import PostgresTesting
import RandomTesting
import Redirects
@testable import Reporting
@testable import Storage
import Testing
import Time
@testable import Timelines

/// History that is read again by other rules is the history of a database that had those rules from the start: two apps
/// get the same random events, one of them without the rules until its history is read again.
@Suite("Reports after history was read again", .timeLimit(.minutes(30)))
struct RereadAgreementTests {
    private typealias E = OracleEvents

    private static let yaml = """
        refs: [utm_campaign]
        rules:
          - when: {utm_source: "news*", utm_medium: email}
            channel: story_links
            ref: newsletter
          - when: {host: "shop.example", path: "/sale*"}
            channel: other
          - when: {utm_source: chat}
            channel: requests
        """

    /// How what is stored is kept.
    enum Keeping: CaseIterable {
        case plain, packed, erased
    }

    @Test(arguments: TestSeeds.share(of: Keeping.allCases, 1), TestSeeds.seeds(1))
    func areThoseOfADatabaseThatHadTheRules(_ keeping: Keeping, _ seed: UInt64) async throws {
        try await FigureTesting.with { testing in
            let late = try await testing.makeApp("late")
            let early = try await testing.makeApp("early")
            let rules = try await Self.setRules(of: late, testing)
            let today = TouchRereading(rules: rules, links: ShortLinkJoin(LinkTable(), appID: "late"))
            var random = SeededRandom(seed: seed &* 7_919)
            let events = Self.events(&random)
            let (before, meanwhile, after) = (events.prefix(220), events.dropFirst(220).prefix(40), events.suffix(40))

            try await testing.store(Array(before), of: late)
            try await testing.store(before.map(today.read), of: early)
            if keeping != .plain { try await Self.pack(late, early, testing) }
            // A tail that is not packed.
            try await testing.store(Array(meanwhile.prefix(10)), of: late)
            try await testing.store(meanwhile.prefix(10).map(today.read), of: early)
            if keeping == .erased { try await Self.erase([late, early], testing) }
            var consumers = [Consumer("events"), Consumer("touches")]
            for index in consumers.indices { try await consumers[index].load(late, testing) }

            // A run that is killed in the middle, while events come: of a program that has heard of the rules, and of
            // one that has not yet.
            try await Self.beginAndStop(late, today, from: nil, to: E.time(20 * E.day), testing)
            #expect(await AppStore(pool: testing.pool).historyNotice(of: late) != nil)
            try await testing.store(meanwhile.dropFirst(10).prefix(15).map(today.read), of: late)
            try await testing.store(Array(meanwhile.suffix(15)), of: late)
            try await testing.store(meanwhile.dropFirst(10).map(today.read), of: early)

            let store = RereadStore(app: late, pool: testing.pool)
            let preview = try await store.preview(from: nil, to: nil)
            #expect(preview.moved > 0)
            let outcome = try await store.run(from: nil, to: nil) {
                try await TimelinePacker(app: late, pool: testing.pool).rebuildIfMarked()
            }
            #expect(outcome.moves == preview)
            #expect(!outcome.hasOtherRules)
            #expect(await AppStore(pool: testing.pool).historyNotice(of: late) == nil)
            #expect(try await store.preview(from: nil, to: nil).changed == 0)

            try await testing.store(after.map(today.read), of: late)
            try await testing.store(after.map(today.read), of: early)
            try await Self.expectSameReports(late, early, testing)
            try await testing.refresh(late)
            #expect(try await testing.differences(late).isEmpty)
            if keeping != .plain {
                let check = try await TimelineCheck.run(late, on: testing.pool)
                #expect(check?.isSame == true)
            }
            for index in consumers.indices {
                try await consumers[index].load(late, testing)
                var whole = Consumer(consumers[index].name)
                try await whole.load(late, testing)
                #expect(consumers[index].rows == whole.rows, "\(consumers[index].name)")
            }
        }
    }

    /// And back: without rules, everything is as it was.
    @Test func goesBackWithoutTheRules() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            let plain = try await testing.makeApp("early")
            var random = SeededRandom(seed: TestSeeds.first &+ 3)
            let events = Self.events(&random)
            try await testing.store(events, of: app)
            try await testing.store(events, of: plain)
            try await Self.pack(app, plain, testing)
            let store = RereadStore(app: app, pool: testing.pool)
            for yaml in [Self.yaml, nil] {
                _ = try await Self.setRules(yaml, of: app, testing)
                let outcome = try await store.run(from: nil, to: nil) {
                    try await TimelinePacker(app: app, pool: testing.pool).rebuildIfMarked()
                }
                #expect(outcome.moves.moved > 0)
            }
            try await Self.expectSameReports(app, plain, testing)
        }
    }

    @Test func saysThatTheRulesHaveChangedMeanwhile() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            var random = SeededRandom(seed: TestSeeds.first &+ 4)
            try await testing.store(Self.events(&random), of: app)
            _ = try await Self.setRules(of: app, testing)
            let store = RereadStore(app: app, pool: testing.pool)
            let first = try await store.run(from: nil, to: nil) { _ = try await Self.setRules(nil, of: app, testing) }
            #expect(first.hasOtherRules && first.moves.moved > 0)
            let second = try await store.run(from: nil, to: nil) {}
            #expect(!second.hasOtherRules && second.moves.moved == first.moves.moved)
            #expect(try await store.preview(from: nil, to: nil).changed == 0)
        }
    }

    @Test func onlyTheRangeIsReadAgain() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            _ = try await Self.setRules(of: app, testing)
            let url = "https://a.example/?utm_source=chat"
            try await testing.store(
                (1...4).map { Self.touch(UInt64($0), at: Double($0) * E.day, url) },
                of: app
            )
            let store = RereadStore(app: app, pool: testing.pool)
            let outcome = try await store.run(from: E.time(2 * E.day), to: E.time(4 * E.day)) {}
            #expect(
                outcome.moves.rows.map(\.count) == [2]
                    && outcome.moves.rows.map(\.move.toChannel) == [.requests]
            )
            #expect(try await testing.count("select count(*) from event where channel_rule = 'app:3'") == 2)
        }
    }

    @Test func whatEventsStatedStays() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            _ = try await Self.setRules(of: app, testing)
            let url = "https://shop.example/sale?utm_campaign=c"
            let stated = [
                LinkOverrides(channel: .search), LinkOverrides(refs: ["mine"]),
                LinkOverrides(targetURL: "https://other.example/?utm_source=chat"), .none,
            ]
            let events = stated.enumerated().map { index, stated in
                Self.touch(UInt64(index + 1), at: Double(index), url, stated)
            }
            try await testing.store(events, of: app)
            _ = try await RereadStore(app: app, pool: testing.pool).run(from: nil, to: nil) {}
            #expect(
                try await testing.texts("select channel, channel_rule, refs[1] from event order by event_id")
                    == [
                        ["search", "explicit", "c"], ["other", "app:2", "mine"], ["requests", "app:3", "c"],
                        ["other", "app:2", "c"],
                    ]
            )
            #expect(try await RereadStore(app: app, pool: testing.pool).preview(from: nil, to: nil).changed == 0)
        }
    }

    /// The link and its short link have the same ref, so only what named it changes.
    @Test func aRefMayComeFromElsewhereAfterwards() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("late")
            var event = Self.touch(1, at: 0, "https://a.example/?utm_campaign=spring")
            guard case .inboundLink(var touch) = event.content else { return }
            (touch.link.refs, touch.link.stated) = (["spring"], .shortLinkRefs)
            (touch.shortLink, touch.storyLink) = ("go.example/spring", nil)
            event.content = .inboundLink(touch)
            try await testing.store([event], of: app)
            try await testing.pool.passHorizon()
            try await TimelinePacker(app: app, pool: testing.pool).rebuild()
            let question = [(name: "by", value: "ref_from")]
            #expect(try await Self.rows("breakdown", question, of: app, testing).map { $0[0] }.first == "short_link")
            _ = try await Self.setRules(of: app, testing)
            let outcome = try await RereadStore(app: app, pool: testing.pool).run(from: nil, to: nil) {
                try await TimelinePacker(app: app, pool: testing.pool).rebuildIfMarked()
            }
            #expect(outcome.moves.moved == 0 && outcome.moves.changed == 1)
            #expect(try await Self.rows("breakdown", question, of: app, testing).map { $0[0] }.first == "link")
        }
    }

    // MARK: -

    private static func touch(
        _ number: UInt64,
        at seconds: Double,
        user: String = "ann",
        _ url: String,
        _ stated: LinkOverrides = .none
    ) -> Event {
        guard case .inboundLink(let link) = LinkReader.read(url, overriding: stated) else {
            return E.event(number, at: seconds, user: user, E.install)
        }
        return E.event(number, at: seconds, user: user, .inboundLink(Touch(reading: link)))
    }

    private static func events(_ random: inout SeededRandom) -> [Event] {
        let urls = [
            "https://shop.example/sale/1", "https://shop.example/item", "https://a.example/",
            "https://a.example/x?ref=own",
            "fb1://authorize?target_url=https%3A%2F%2Fshop.example%2Fsale%3Futm_campaign%3Dinner",
            "x://y?al_applink_data=%7B%22target_url%22%3A%22https%3A%2F%2Fa.example%2F%3Futm_source%3Dchat%22%7D",
        ]
        let parameters = [
            "utm_source=newsletter", "utm_medium=email", "utm_source=chat", "utm_campaign=spring", "utm_campaign=a,b",
            "fb_source=search", "fb_source=feed", "fb_ref=story", "campaign_ids=1", "access_token=abc",
        ]
        let people = (1...12).map { "p\($0)" }
        return (1...300).map { number in
            let at = Double.random(in: 0..<60 * E.day, using: &random).rounded()
            let user = random.pick(people)
            switch random.pick(["touch", "touch", "touch", "click", "post", "install", "login", "buy"]) {
            case "touch":
                var url = random.pick(urls)
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    url += (url.contains("?") ? "&" : "?") + random.pick(parameters)
                }
                let stated = LinkOverrides(
                    refs: random.chance(10) ? ["mine"] : [],
                    channel: random.chance(10) ? .bookmarks : nil,
                    refererApp: random.pickOrNone(["Facebook", "Chat"], percent: 10)
                )
                return touch(UInt64(number), at: at, user: user, url, stated)
            case "click":
                guard
                    case .inboundLink(let link) = LinkReader.read(
                        random.pick(urls) + "#x",
                        overriding: LinkOverrides(targetURL: random.pickOrNone(["https://a.example/"], percent: 30))
                    )
                else { return E.event(UInt64(number), at: at, user: user, E.install) }
                return E.event(UInt64(number), at: at, user: user, .linkClick(Touch(reading: link)))
            case "post":
                let link = random.pickOrNone(["https://a.example/", "https://shop.example/item"], percent: 70)
                return E.event(
                    UInt64(number),
                    at: at,
                    user: user,
                    E.post(refs: random.chance(70) ? ["posted"] : [], link: link.map(StoryLink.normalised))
                )
            case "install": return E.event(UInt64(number), at: at, user: user, E.install)
            case "login": return E.event(UInt64(number), at: at, user: user, .authentication())
            default: return E.event(UInt64(number), at: at, user: user, E.conversion("buy", 2_500_000))
            }
        }
    }

    private static func setRules(
        _ yaml: String? = yaml,
        of app: App,
        _ testing: FigureTesting
    ) async throws -> ReadingRules {
        _ = try await AppStore(pool: testing.pool).setRules(yaml, of: app)
        return try await AppStore(pool: testing.pool).rules(of: app)
    }

    private static func pack(_ first: App, _ second: App, _ testing: FigureTesting) async throws {
        try await testing.pool.passHorizon()
        for app in [first, second] { try await TimelinePacker(app: app, pool: testing.pool).rebuild() }
    }

    private static func erase(_ apps: [App], _ testing: FigureTesting) async throws {
        let store = try await PersonStore(
            pool: testing.pool,
            spools: SpoolFolder(path: "/nonexistent", of: testing.pool),
            packed: TimelineRemoval()
        )
        for app in apps { _ = try await store.erase(PersonKey(.user, "p1"), in: app) }
    }

    /// Rewrites a part, as a run that is killed then.
    private static func beginAndStop(
        _ app: App,
        _ rereading: TouchRereading,
        from: Timestamp?,
        to: Timestamp?,
        _ testing: FigureTesting
    ) async throws {
        let moves = try await testing.pool.withConnection { connection in
            try connection.execute(StoredSQL.beginReread, [.int(Int64(app.number)), .int(1)])
            return try RereadRun(app: app.number, rereading: rereading, from: from, to: to, progress: { _ in })
                .rewrite(on: connection)
        }
        #expect(moves.moved > 0)
    }

    private static let questions: [(name: String, parameters: [(name: String, value: String)])] = [
        ("channels", []), ("refs", []), ("posts", []), ("viral", []), ("paths", []), ("links", []),
        ("attribution", [("event", "conversion"), ("model", "all"), ("by", "ref")]),
        ("attribution", [("event", "install"), ("model", "all"), ("by", "channel")]),
        ("funnel", [("steps", "touch,install,conversion"), ("by", "ref")]),
        ("funnel", [("steps", "inbound_link,authentication"), ("by", "target_url")]),
        ("installs", [("by", "referer_app")]), ("retention", [("by", "channel")]),
        ("breakdown", [("by", "ref,ref_from")]),
    ]

    private static func expectSameReports(_ late: App, _ early: App, _ testing: FigureTesting) async throws {
        for question in questions {
            let lateRows = try await rows(question.name, question.parameters, of: late, testing)
            let earlyRows = try await rows(question.name, question.parameters, of: early, testing)
            #expect(lateRows == earlyRows, "\(question.name) \(question.parameters)")
        }
    }

    private static func rows(
        _ report: String,
        _ parameters: [(name: String, value: String)],
        of app: App,
        _ testing: FigureTesting
    ) async throws -> [[String]] {
        let request = try ReportRequest.parse(
            name: report,
            parameters: parameters + [
                (name: "from", value: E.time(0).rfc3339), (name: "to", value: E.time(70 * E.day).rfc3339),
            ],
            origin: .http,
            app: app,
            now: E.time(100 * E.day)
        )
        return try await ReportRunner.run(request, on: testing.pool).table.rows.texts
    }

    /// Loads an export again and again, with its cursor.
    private struct Consumer {
        let name: String
        var cursor = ExportCursor.beginning
        var rows: [String: [[String: String]]] = [:]

        init(_ name: String) { self.name = name }

        mutating func load(_ app: App, _ testing: FigureTesting) async throws {
            let request = try Exporting.request(name, [("since", cursor)], app: app)
            let (text, summary) = try await Exporting.text(request, on: testing.pool)
            let records = try #require(CSVText(text)).records
            for (key, new) in Dictionary(
                grouping: records,
                by: { $0[name == "events" ? "event_id" : "person_id"] ?? "" }
            ) {
                if name == "events" { #expect(new.count == 1) }
                rows[key] = new.filter { $0["deleted"] != "true" }
                if rows[key]?.isEmpty == true { rows[key] = nil }
            }
            cursor = try #require(summary.cursor).description
        }
    }
}
