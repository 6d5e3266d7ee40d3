import Events
import InboundLinks
import RandomTesting
@testable import Reporting
import Testing
import Time
@testable import Timelines

/// `--with` and `--without`. That the figures are those of these people's events alone, the oracle says of every report
/// (`OracleAgreementTests`, `DatabaseAgreementTests`).
@Suite("Conditions on people")
struct PeopleConditionTests {
    private typealias E = OracleEvents

    // MARK: How they are written

    private func condition(_ text: String) throws(ReportError) -> PeopleCondition {
        let reader = try ParameterReader([], report: "channels", allowed: [])
        return try PeopleCondition(parsing: text, isExclusion: false, reader: reader)
    }

    @Test(
        arguments: [
            ("touch", "touch", 1, nil), ("touch[channel=story_links]>=2", "touch[channel=story_links]", 2, nil),
            ("app_open@30d", "app_open", 1, 30), ("install|conversion:buy>=3@7d", "install|conversion:buy", 3, 7),
            ("touch[ref=a@30d]", "touch[ref=a@30d]", 1, nil),
            // A goal whose name ends like a condition.
            ("conversion:mail@30d>=1", "conversion:mail@30d", 1, nil),
            ("conversion:level>=2>=1@7d", "conversion:level>=2", 1, 7),
        ] as [(String, String, Int, Int?)]
    )
    func areRead(text: String, step: String, count: Int, days: Int?) throws {
        let condition = try condition(text)
        #expect(condition.step.description == step && condition.count == count && condition.days == days)
        #expect(condition.text == text)
        #expect(try self.condition(condition.text) == condition)
    }

    @Test(
        arguments: [
            ("moon", "with: unknown step 'moon' (one of: inbound_link, touch,"),
            ("touch>=0", "with: 'touch>=0': >=N takes a number from 1 to 1000000, as touch>=2"),
            ("touch>=99999999999999999999", ">=N takes a number from 1 to 1000000"),
            ("app_open@0d", "with: 'app_open@0d': @Nd takes 1 to 3650 days, as app_open@30d"),
            ("app_open@4000d", "@Nd takes 1 to 3650 days"),
            ("app_open@30", "an event is a step of a funnel, then >=N, then @Nd, as touch[ref=gift]>=2@30d"),
            ("app_open@30d>=2", "unknown step 'app_open@30d'"), ("touch[moon=1]", "with: unknown key 'moon'"),
            ("touch[ref=gift", "has a bracket too many or too few"),
            (String(repeating: "x", count: 2_001), "with: has 2001 bytes; an event has at most 2000"),
        ]
    )
    func areRefused(text: String, message: String) {
        #expect {
            try condition(text)
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test func areEightAtMost() throws {
        func request(_ count: Int) throws(ReportError) -> ReportRequest {
            try ReportRequest.parse(
                name: "paths",
                parameters: (0..<count).map { ($0 < 4 ? "with" : "without", "touch>=\($0 + 1)") },
                origin: .http,
                app: Asking.app(),
                now: E.time(0)
            )
        }
        #expect(try request(8).parameters.map(\.name).filter { $0 == "without" }.count == 4)
        #expect {
            try request(9)
        } throws: { error in
            "\(error)".hasPrefix("there can be 8 events of with and without at most: join events with |")
        }
    }

    // MARK: Whom they keep

    /// Ann pays after two taps on stories, Bob opens the app and pays, Cat taps once. A tap of nobody, too.
    private static let events: [Event] = [
        E.event(1, at: 0, user: "ann", .inboundLink(E.touch(refs: ["gift"]))),
        E.event(2, at: 100, user: "ann", .inboundLink(E.touch(refs: ["boast"]))),
        E.event(3, at: 200, user: "ann", E.conversion("buy", 3_000_000)),
        E.event(4, at: 0, user: "bob", .inboundLink(E.touch(.search))),
        E.event(5, at: 300, user: "bob", E.conversion("buy", 5_000_000)),
        E.event(6, at: 9 * E.day, user: "bob", .appOpen),
        E.event(7, at: 0, user: "cat", .inboundLink(E.touch(refs: ["gift"]))),
        E.event(8, at: 20 * E.day, user: "cat", E.conversion("buy", 7_000_000)),
        E.event(9, at: 0, .inboundLink(E.touch(.search))),
    ]

    /// `with=touch&without=install` as parameters.
    private static func parameters(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1)
            return (name: String(parts[0]), value: String(parts[1]))
        }
    }

    private static func request(
        _ report: String,
        _ span: Oracle.Span,
        _ own: String,
        now: Timestamp = E.time(100 * E.day)
    ) throws -> ReportRequest {
        let parameters = OracleQuestion.range(span) + parameters(own)
        return try ReportRequest.parse(name: report, parameters: parameters, origin: .http, app: Asking.app(), now: now)
    }

    /// `touches`, `people` and `value` of all.
    private static func total(_ conditions: String) throws -> String {
        let row = try #require(try Asking.rows(try request("channels", E.span, conditions), of: events).last)
        return [row[1], row[2], row[6]].joined(separator: " ")
    }

    @Test(
        arguments: [
            ("", "5 3 8"),
            // What Cat does after the range does not matter.
            ("with=conversion:buy", "3 2 8"), ("without=conversion:buy", "1 1 0"),
            ("with=touch[channel=story_links]>=2", "2 1 3"), ("without=touch>=2", "2 2 5"),
            ("without=app_open@3d", "3 2 3"), ("without=app_open@1d", "3 2 3"), ("with=touch@9d", "0 0 0"),
            // Of two stories.
            ("with=touch[ref=gift]&with=touch[ref=boast]", "2 1 3"),
            ("with=conversion|app_open&without=app_open", "2 1 3"), ("with=conversion[outcome=paid]", "3 2 8"),
            ("with=conversion[outcome=free]", "0 0 0"),
        ]
    )
    func countTheirEventsAlone(conditions: String, total: String) throws {
        #expect(try Self.total(conditions) == total)
    }

    /// Nobody knows what an anonymous event's person did or did not.
    @Test func leaveOutWhatIsOfNobody() throws {
        #expect(try Self.total("without=install") == "4 3 8")
    }

    /// The tree is that of all people. Of those alone who posted, Ann is in generation 0 and
    /// Bob, whom she invited, in 1.
    @Test func keepGenerations() throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.install),
            E.event(2, at: 100, user: "ann", E.post(refs: ["gift"], postID: "p1")),
            E.event(3, at: 200, user: "bob", .linkClick(E.touch(postID: "p1"))),
            E.event(4, at: 300, user: "bob", E.install),
            E.event(5, at: 400, user: "bob", E.post(refs: ["gift"], postID: "p2")),
            E.event(6, at: 500, user: "cat", .linkClick(E.touch(postID: "p2"))),
            E.event(7, at: 600, user: "cat", E.install),
        ]
        /// `generation`, `people`, `posts`, `invited`.
        func told(_ name: String) throws -> [[String]] {
            let rows =
                name == "with"
                ? try Asking.rows("generations", ["with": "feed_post"], of: events)
                : try Asking.rows("generations", ["without": "feed_post"], of: events)
            return rows.map { [$0[0], $0[1], $0[3], $0[4]] }
        }
        #expect(try told("with") == [["0", "1", "1", "1"], ["1", "1", "1", "0"], ["total", "2", "2", "1"]])
        #expect(
            try told("without")
                == [["0", "0", "0", "0"], ["1", "0", "0", "0"], ["2", "1", "0", "0"], ["total", "1", "0", "0"]]
        )
    }

    /// Hits are of nobody, and errors of logins are counted without people.
    @Test func areRefusedWhereNobodyIsCounted() throws {
        let links = try Asking.rows("links", ["with": "touch"], of: Self.events)
        #expect(links.map { $0[5...6] } == [["", ""]])
        #expect {
            try Asking.request("logins", ["without": "conversion"])
        } throws: { error in
            guard case .usage(let message, let field, _)? = error as? ReportError else { return false }
            return field == "without" && message.text(for: .commandLine).hasPrefix("--without: the report logins ")
        }
    }

    // MARK: Beside other parameters

    /// In each range, those count who did it up to the end of that range. `changes` compares by itself: its `before` is
    /// the `after` of the range before.
    @Test(
        arguments: [
            ("channels", "", "people", "previous_people"),
            ("retention", "periods=2&pooled=on&matured=off", "people", "previous_people"),
            ("funnel", "steps=touch,conversion&matured=off", "people", "previous_people"),
            ("changes", "metric=people", "after", "before"),
        ]
    )
    func areOfEachRangeByItself(report: String, own: String, column: String, previous: String) throws {
        let asked = own + "&with=touch>=2&without=conversion:buy@3d"
        for seed in TestSeeds.seeds(10) {
            let stream = RandomStream.make(seed: seed)
            let events = MemoryEvents(stream.events)
            /// The figure in the last row.
            func told(_ span: Oracle.Span, _ own: String, _ column: String) throws -> String? {
                let request = try Self.request(report, span, own, now: stream.now)
                let table = try request.table(over: MemoryTimelines(events, query: request.query))
                let place = try #require(table.columns.firstIndex { $0.name == column })
                return table.rows.texts.last?[place]
            }
            let span = Oracle.Span(from: stream.from, to: stream.to)
            let range = ReportRange(from: span.from, to: span.to).preceding(in: try #require(ReportTimeZone("UTC")))
            let compared = report == "changes" ? asked : asked + "&compare-previous=on"
            let before = try told(Oracle.Span(from: range.from, to: range.to), asked, column)
            #expect(try told(span, compared, previous) == before, "seed \(seed): \(report)")
        }
    }

    /// A list has as many people as the figure says.
    @Test func areOfListsToo() throws {
        let app = Asking.app(currency: RandomStream.currency, properties: RandomStream.declared)
        for seed in TestSeeds.seeds(20) {
            let stream = RandomStream.make(seed: seed)
            var questions = RandomQuestions(seed: seed, stream: stream)
            var query = questions.channels()
            query.period = nil
            let question = try #require(OracleQuestion.channels(query).ofPeople(questions.deeds()))
            if question.isRefused { continue }
            let asked = PeopleAsked(question: question, which: "touches", now: stream.now)
            let list = try asked.list(of: MemoryEvents(stream.events), app: app)
            let oracle = Oracle(events: stream.events, currency: RandomStream.currency)
            for row in question.answer(by: oracle, now: stream.now) {
                let people = list.people[Oracle.Name(row[0])]?.count ?? 0
                #expect(String(people) == row[2], "seed \(seed): \(question.text), \(row[0])")
            }
        }
    }

    @Test func areListsInJSON() throws {
        let request = try Asking.request("paths", ["with": "touch>=2", "without": "app_open@30d"])
        let result = ReportResult(request: request, table: ReportTable(columns: request.columns, rows: []))
        #expect(result.text(as: .json).contains(#""with": ["touch>=2"], "without": ["app_open@30d"]}"#))
    }

    /// A goal that occurs nowhere is warned about, and all of history decides.
    @Test func askForWhatDecides() throws {
        let request = try Asking.request("goals", ["with": "conversion:buy", "without": "touch[country=DE]@7d"])
        #expect(request.namedValues.contains { $0.parameter == "with" && $0.text == "buy" })
        let query = request.query
        #expect(query.needs.isSuperset(of: [.goals, .countries]) && query.types.contains(.linkClick))
        #expect(query.eventsFrom < E.time(-1_000 * E.day))
        let recent = try Asking.request("goals", ["without": "touch@7d", "from": "2d"])
        #expect(recent.query.touchesFrom == recent.range.to.advanced(by: .days(-7)))
    }
}
