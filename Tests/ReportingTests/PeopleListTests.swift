import Events
import InboundLinks
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
import Time
@testable import Timelines

/// The people behind a figure are as many as the figure says, and those whom the definitions name.
@Suite("Lists of people")
struct PeopleListTests {
    /// Each row's people are those in whose timeline alone the report finds something for the row. As many are in the
    /// figure, which the oracle answers (`OracleAgreementTests`); whom credits are of, it answers here.
    @Test(arguments: TestSeeds.seeds(40, in: 4)) func namesWhomTheFigureCounts(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            let events = MemoryEvents(stream.events)
            let oracle = Oracle(events: stream.events, currency: RandomStream.currency)
            let stored = Oracle.stored(of: stream.events)
            let owners = Oracle.People(events: stored)
            let byPerson = Dictionary(grouping: stored.filter { !Oracle.isTestTraffic($0) }) {
                owners.person(of: $0)
            }
            for asked in try PeopleAsked.some(seed: seed, stream) {
                let list = try asked.list(
                    of: events,
                    app: Asking.app(currency: RandomStream.currency, properties: RandomStream.declared)
                )
                let place = "seed \(seed): \(asked.text)"
                let range = try asked.request(Asking.app(properties: RandomStream.declared)).range
                for row in list.rows {
                    let known = Self.device(of: byPerson[Self.person(row)] ?? [], in: range)
                    #expect(Array(row[3...4]) == known, "\(place), \(row)")
                }
                let figures = try asked.figures(of: events)
                let counts = list.people.mapValues(\.count)
                for (name, figure) in figures.counts {
                    #expect(counts[name, default: 0] == figure, "\(place), \(name)")
                }
                // A period that has not begun has no figures.
                for (name, value) in figures.values where !value.isEmpty {
                    let sum = roundedQuotient(list.values[name, default: 0], by: Int128(CreditUnits.one))
                    #expect(ReportCell.decimal(millionths: sum).plainText == value, "\(place), \(name), value")
                }
                #expect(Set(counts.keys).isSubset(of: figures.names), "\(place)")
                let listed = list.people.filter { figures.people[$0.key] != nil || $0.key.text != ReportNames.others }
                #expect(listed == figures.people, "\(place)")
                if let people = asked.oraclePeople?(oracle) {
                    #expect(counts.filter { $0.value > 0 } == people.mapValues(\.count), "\(place), by the oracle")
                }
            }
        }
    }

    /// "What the last of the person's events in the range names, of whatever type."
    private static func device(of events: [Event], in range: ReportRange) -> [String] {
        let events = events.filter { range.contains($0.occurredAt) }
            .sorted { ($0.occurredAt, $0.id) < ($1.occurredAt, $1.id) }
        return [
            events.last { $0.platform != nil }?.platform?.rawValue ?? "",
            events.last { $0.country != nil }?.country ?? "",
        ]
    }

    /// Of a row of a list.
    private static func person(_ row: [String]) -> Oracle.Person {
        let name = Oracle.Name(row[2])
        return row[1] == "user" ? .user(name) : row[1] == "device" ? .device(name) : .click(name)
    }

    /// Through the whole product: from events that are not packed, and from packed ones with a delta and changed links,
    /// the list is the same to the digit as in memory.
    @Test(arguments: TestSeeds.seeds(2, in: 2)) func isTheSameFromTheDatabase(seeds: Range<UInt64>) async throws {
        try await FigureTesting.with(poolSize: 4) { testing in
            for seed in seeds { try await expectSame(seed: seed, testing.writer, testing.pool) }
        }
    }

    private func expectSame(seed: UInt64, _ writer: EventWriter, _ pool: PostgresPool) async throws {
        let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
        let plain = try await AppStore(pool: pool).made(
            "plain-\(seed)",
            currency: RandomStream.currency,
            properties: RandomStream.declared
        )
        let packed = try await AppStore(pool: pool).made(
            "packed-\(seed)",
            currency: RandomStream.currency,
            properties: RandomStream.declared
        )
        var random = SeededRandom(seed: seed &* 977 &+ 11)
        for batch in stream.redelivered(seed: seed) {
            try await writer.store(batch, of: plain, receivedAt: stream.now)
        }
        let packer = TimelinePacker(app: packed, pool: pool)
        for batch in stream.redelivered(seed: seed &+ 1) {
            try await writer.store(batch, of: packed, receivedAt: stream.now)
            if random.chance(45) { try await packer.pack(limit: Int(random.next() % 20) + 1) }
            if random.chance(20) { try await packer.compact() }
        }
        let events = MemoryEvents(stream.events)
        for asked in try PeopleAsked.some(seed: seed, stream) {
            let rows = try asked.list(of: events, app: plain).rows
            for app in [plain, packed] {
                let table = try await PeopleRunner.table(try asked.request(app), on: pool)
                #expect(table.rows.texts == rows, "seed \(seed), \(app.profile.id): \(asked.text)")
            }
        }
        // Only the database knows what posts are called.
        var questions = RandomQuestions(seed: seed, stream: stream)
        let posts = PeopleAsked(
            question: .breakdown(questions.breakdown(with: .post)),
            which: "touches",
            now: stream.now
        )
        if posts.question.isRefused { return }
        let lists = [
            try await PeopleRunner.table(try posts.request(plain), on: pool).rows.texts,
            try await PeopleRunner.table(try posts.request(packed), on: pool).rows.texts,
        ]
        #expect(lists[0] == lists[1], "seed \(seed): \(posts.text)")
        let figures = try await ReportRunner.run(try posts.request(plain, people: false), on: pool).table
        let column = try #require(figures.columns.firstIndex { $0.name == "people" })
        let counts = figures.rows.dropLast().compactMap { row in row[column].plainText.flatMap { Int($0) } }
        #expect(lists[0].count == counts.reduce(0, +), "seed \(seed): \(posts.text)")
    }

    @Test func tellsWhoIsNewBackOrGone() throws {
        typealias E = OracleEvents
        let touch = Event.Content.inboundLink(E.touch())
        let events = MemoryEvents([
            E.event(1, at: 0, user: "ann", touch), E.event(2, at: 60, user: "ann", .appOpen),
            E.event(3, at: 5, user: "bob", touch), E.event(4, at: 7 * E.day, user: "bob", .appOpen),
            E.event(5, at: 14 * E.day, user: "ann", E.conversion()), E.event(6, at: 8 * E.day, user: "cid", touch),
            // Who only fails to log in is not active.
            E.event(7, at: 9 * E.day, user: "dan", .authentication(Login(outcome: .failed))),
        ])
        func list(_ which: String) throws -> [String] {
            let span = Oracle.Span(from: E.time(0), to: E.time(21 * E.day))
            let question = OracleQuestion.activity(Oracle.ActivityQuery(span: span, period: .week))
            let asked = PeopleAsked(question: question, which: which, now: E.time(30 * E.day))
            return try asked.list(of: events, app: Asking.app()).rows.map { row in
                "\(row[0]): \(row[2]), \(row[5].prefix(10)) to \(row[6].prefix(10)), \(row[7])"
            }
        }
        #expect(
            try list("new") == [
                "2026-01-05 / total: ann, 2026-01-05 to 2026-01-05, 2",
                "2026-01-05 / total: bob, 2026-01-05 to 2026-01-05, 1",
                "2026-01-12 / total: cid, 2026-01-13 to 2026-01-13, 1",
            ]
        )
        #expect(try list("returning") == ["2026-01-12 / total: bob, 2026-01-12 to 2026-01-12, 1"])
        #expect(try list("resurrected") == ["2026-01-19 / total: ann, 2026-01-19 to 2026-01-19, 1"])
        // What they did before they were gone.
        #expect(
            try list("dormant") == [
                "2026-01-12 / total: ann, 2026-01-05 to 2026-01-05, 2",
                "2026-01-19 / total: bob, 2026-01-12 to 2026-01-12, 1",
                "2026-01-19 / total: cid, 2026-01-13 to 2026-01-13, 1",
            ]
        )
    }

    /// The people of one ref are those of its row among all rows, and only this ref has a row.
    @Test(arguments: TestSeeds.seeds(8, in: 4)) func countsOneRefAloneIfItsPeopleAreWanted(
        seeds: Range<UInt64>
    ) throws {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed)
            let events = MemoryEvents(stream.events)
            let app = Asking.app(currency: RandomStream.currency, properties: RandomStream.declared)
            var questions = RandomQuestions(seed: seed, stream: stream)
            var refs = questions.refs()
            refs.limit = nil
            let which = questions.random.pick(["touches", "installs", "conversions", "posters"])
            let asked = PeopleAsked(question: .refs(refs), which: which, now: stream.now)
            if asked.question.isRefused { continue }
            let all = try asked.list(of: events, app: app)
            let rows = Dictionary(grouping: all.rows) { Oracle.Name($0[0]) }
            // By the name of all people together, a ref of this name is listed, too.
            for (name, expected) in rows where !name.text.hasSuffix(ReportNames.total) {
                let one = try asked.list(of: events, app: app, group: name.text)
                #expect(one.rows == expected, "seed \(seed): \(asked.text), \(name.text)")
            }
        }
    }

    /// An app may have more refs than an answer; the people of one of them are an answer all the same.
    @Test(arguments: ["r7", "(none)", "total"]) func keepsNoRefButTheOneThatIsWanted(group: String) throws {
        let touches = (0..<1_000).map { number in
            OracleEvents.event(
                UInt64(number),
                at: Double(number),
                user: "u\(number)",
                .inboundLink(OracleEvents.touch(refs: ["r\(number)"]))
            )
        }
        let request = try Asking.request(
            "refs",
            ["from": "2026-01-01", "to": "2026-01-31", "people": "touches", "group": group]
        )
        let report = try #require(request.report as? RefsReport)
        let timelines = MemoryTimelines(touches, query: request.query)
        let (evidence, rows) = try PeopleRunner.evidence(of: .touches, report, request, timelines.dictionary) {
            try timelines.forEachPerson($0)
        }
        #expect(rows.map(\.name) == (group == "r7" ? ["r7"] : []) + ["(none)", "direct", "total"])
        #expect(evidence.size < 1_000)
    }

    /// Runs that do not fit into memory are merged in order, and a person who is in several groups of one row counts
    /// once.
    @Test func sortsMoreThanMemoryHolds() throws {
        var random = SeededRandom(seed: 7)
        var evidence = PeopleEvidence(of: .touches)
        var expected: Set<String> = []
        for person in 0..<500 {
            for group in 0..<4 where random.chance(60) {
                let time = OracleEvents.time(Double(random.next() % 50))
                let event = TimelineEvent(
                    occurredAt: time,
                    id: EventID(high: UInt64(person), low: 0),
                    type: .inboundLink
                )
                evidence.note(.named(GroupKey(number: group)), Evidence(event, first: time, last: time))
                if group < 3 { expected.insert("\(group == 2 ? 0 : 1) \(person)") }
            }
            evidence.end(isPerson: true)
        }
        let rows = [
            PeopleRow(names: [.text("b")], groups: [.named(GroupKey(number: 2))]),
            PeopleRow(names: [.text("a")], groups: [.named(GroupKey(number: 0)), .named(GroupKey(number: 1))]),
        ]
        var sorted = try SortedEvidence(evidence.store, in: evidence.positions(of: rows, among: rows), runSize: 37)
        var found: [Evidence] = []
        while let next = try sorted.next() { found.append(next) }
        #expect(Set(found.map { "\($0.group) \($0.address.event.high)" }) == expected)
        #expect(found.count == expected.count)
        #expect(zip(found, found.dropFirst()).allSatisfy { !Evidence.precedes($1, $0) })
    }

    @Test(arguments: [
        ("channels", ["people": "clicks"], "people"),
        ("channels", ["people": "touches", "compare-previous": "true"], "people"),
        ("channels", ["group": "search"], "group"),
        ("retention", ["people": "lost"], "people"),
        ("funnel", ["people": "1:dropped"], "people"),
        ("funnel", ["people": "9:reached"], "people"),
        ("funnel", ["people": "2:reached", "times": "true"], "people"),
        ("posts", ["people": "posters"], "people"),
        ("channels", ["people": "touches", "columns": "touches"], "columns"),
    ]) func refuses(name: String, parameters: [String: String], field: String) {
        do {
            _ = try ReportRequest.parse(
                name: name,
                parameters: parameters.map { ($0.key, $0.value) },
                origin: .http,
                app: Asking.app(),
                now: OracleEvents.time(0)
            )
            Issue.record("\(name) takes \(parameters)")
        } catch {
            guard case .usage(_, let found, _) = error else { return }
            #expect(found == field)
        }
    }
}
