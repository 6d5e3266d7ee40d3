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

/// A question for the people behind a figure.
struct PeopleAsked {
    let question: OracleQuestion
    let which: String
    let now: Timestamp
    /// Whom the oracle says are behind the figure, by row; nil where the figure itself counts people.
    var oraclePeople: ((Oracle) -> [Oracle.Name: Set<Oracle.Person>])?

    var text: String { "\(question.text) --people \(which)" }

    /// One of each report or more, some with conditions.
    static func some(seed: UInt64, _ stream: RandomStream) throws -> [PeopleAsked] {
        var questions = RandomQuestions(seed: seed, stream: stream)
        var asked: [PeopleAsked] = []
        func add(
            _ question: OracleQuestion,
            _ figures: [String],
            _ people: ((Oracle, Oracle.Credited) -> [Oracle.Name: Set<Oracle.Person>])? = nil
        ) throws {
            let conditions =
                questions.random.chance(40) && !question.keys.isEmpty ? questions.conditions(question.keys) : []
            let question = try (conditions.isEmpty ? question : question.filtered(by: conditions))
                .inZone(questions.zone())
            if question.isRefused { return }
            let which = questions.random.pick(figures)
            var one = PeopleAsked(question: question, which: which, now: stream.now)
            if let people, let credited = Oracle.Credited(rawValue: String(which.dropLast())) {
                one.oraclePeople = { people($0.filtered(by: conditions), credited) }
            }
            asked.append(one)
        }
        let lastTouch = ["touches", "installs", "conversions"]
        for _ in 0..<2 {
            let channels = questions.channels()
            try add(
                .channels(channels),
                lastTouch,
                channels.period != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, channels.goal, channels.span, channels.lookback, by: .channel)
                    }
            )
            let refs = questions.refs()
            try add(
                .refs(refs),
                lastTouch + ["posters"],
                refs.period != nil || refs.limit != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, refs.goal, refs.span, refs.lookback, by: .ref)
                    }
            )
            let links = questions.links()
            try add(
                .links(links),
                lastTouch,
                links.limit != nil
                    ? nil
                    : { oracle, credited in
                        oracle.people(credited, links.goal, links.span, links.lookback, by: .link, amongLinks: true)
                    }
            )
            try add(.breakdown(questions.breakdown()), lastTouch)
            for funnel in [questions.funnel(), questions.variedFunnel()] {
                for question in [OracleQuestion.funnel(funnel), .installs(funnel)] {
                    let count = question.name == "installs" ? 4 : funnel.steps.count
                    let step = Int(questions.random.next() % UInt64(count)) + 1
                    try add(
                        question,
                        step == 1 ? ["1:reached"] : ["reached", "dropped", "open"].map { "\(step):\($0)" }
                    )
                }
            }
            var retention = questions.retention()
            retention.periods = [questions.random.pick([1, 2, 7])]
            try add(.retention(retention), ["retained", "absent"])
            try add(.viral(questions.viral()), ["posters", "installs"])
            try add(.activity(questions.activity()), ActivityReport.peopleFigures)
        }
        return asked
    }

    func request(
        _ app: App,
        people: Bool = true,
        group: String? = nil,
        limit: String? = nil
    ) throws -> ReportRequest {
        try ReportRequest.parse(
            name: question.name,
            parameters: question.parameters.filter { limit == nil || $0.name != "least" }
                .map { ($0.name, $0.name == "limit" ? limit ?? $0.value : $0.value) }
                + (people ? [("people", which)] : []) + (group.map { [("group", $0)] } ?? []),
            origin: .http,
            app: app,
            now: now
        )
    }

    /// A list, without the default choice of rows: with totals, too.
    struct Listed {
        /// As the list shows them, without totals if there are other rows.
        var rows: [[String]]
        /// The keys of the people of each row.
        var people: [Oracle.Name: Set<[UInt8]>]
        /// In millionths × `CreditUnits`.
        var values: [Oracle.Name: Int128]
    }

    /// - Parameter group: the only row that is listed; nil for all.
    func list(of events: MemoryEvents, app: App, group: String? = nil) throws -> Listed {
        let request = try request(app, group: group)
        let report = try #require(request.report as? any PeopleReport)
        return try list(report, request, MemoryTimelines(events, query: request.query))
    }

    private func list<R: PeopleReport>(
        _ report: R,
        _ request: ReportRequest,
        _ timelines: MemoryTimelines
    ) throws -> Listed {
        let asked = try #require(request.people)
        var keys: [[UInt8]] = []
        let (evidence, rows) = try PeopleRunner.evidence(of: asked.figure, report, request, timelines.dictionary) {
            body in
            try timelines.forEachPerson { person in
                keys.append(person.key)
                try body(person)
            }
        }
        var listed = Listed(rows: [], people: [:], values: [:])
        var sorted = try SortedEvidence(evidence.store, in: evidence.positions(of: rows, among: rows), runSize: 5)
        var cells: [(row: Int, first: Int64, key: [UInt8], cells: [String])] = []
        let areTotals = rows.allSatisfy(\.isTotal)
        while let one = try sorted.next() {
            let row = rows[Int(one.group)]
            let key = keys[Int(one.person)]
            let name = Oracle.Name(row.name)
            #expect(listed.people[name, default: []].insert(key).inserted)
            listed.values[name, default: 0] += one.value
            guard asked.lists(row, areTotals: areTotals) else { continue }
            let kinds: [UInt8: String] = [117: "user", 100: "device", 99: "click"]
            let value = ReportCell.decimal(millionths: roundedQuotient(one.value, by: Int128(CreditUnits.one)))
            cells.append(
                (
                    Int(one.group), one.first, key,
                    [
                        row.name, kinds[key[0]] ?? "", String(decoding: key.dropFirst(), as: UTF8.self),
                        one.platform < 0 ? "" : Platform.allCases[Int(one.platform)].rawValue,
                        one.country < 0 ? "" : evidence.countries[Int(one.country)],
                        Timestamp(microseconds: one.first).rfc3339, Timestamp(microseconds: one.last).rfc3339,
                        String(one.events), asked.figure.hasValue ? value.plainText ?? "" : "",
                    ]
                )
            )
        }
        #expect(zip(cells, cells.dropFirst()).allSatisfy { ($0.row, $0.first) <= ($1.row, $1.first) })
        listed.rows = cells.sorted { one, other in
            if (one.row, one.first) != (other.row, other.first) {
                return (one.row, one.first) < (other.row, other.first)
            }
            let ids = (one.key.dropFirst(), other.key.dropFirst())
            return ids.0.elementsEqual(ids.1) ? one.key[0] < other.key[0] : ids.0.lexicographicallyPrecedes(ids.1)
        }.map(\.cells)
        return listed
    }

    /// What the report says of each row.
    struct Figures {
        var names: Set<Oracle.Name> = []
        /// Where the report has a column of people.
        var counts: [Oracle.Name: Int] = [:]
        /// The values of conversions.
        var values: [Oracle.Name: String] = [:]
        /// The people in whose timeline alone the report finds something for the row.
        var people: [Oracle.Name: Set<[UInt8]>] = [:]
    }

    func figures(of events: MemoryEvents) throws -> Figures {
        let app = Asking.app(currency: RandomStream.currency, properties: RandomStream.declared)
        let request = try request(app, people: false)
        // Of one person alone, other rows may be beyond the limit, and all have fewer people than `least`.
        let alone = try self.request(app, people: false, limit: "10000")
        var figures = Figures()
        let timelines = MemoryTimelines(events, query: request.query)
        let table = try request.table(over: timelines)
        for row in named(table.rows.texts, table.columns, request) {
            figures.names.insert(row.name)
            figures.counts[row.name] = count(row.cells)
            if which == "conversions" { figures.values[row.name] = row.cells["value"] }
        }
        let report = try #require(alone.report as? any PeopleReport)
        try timelines.forEachPerson { person in
            guard person.isPerson else { return }
            var hidden: [Oracle.Name: Bool] = [:]
            for row in try rows(report, alone, person, timelines.dictionary) {
                if figures.names.contains(row.name) {
                    if has(row.cells) { figures.people[row.name, default: []].insert(person.key) }
                    continue
                }
                let period = (row.cells["cohort"] ?? row.cells["period"]).map { $0 + " / " } ?? ""
                let others = Oracle.Name(period + ReportNames.others)
                if which != "absent" {
                    if has(row.cells) { hidden[others] = true }
                } else if row.cells["people"] != "0" {
                    // Who is absent from one group may have stayed in another.
                    hidden[others] = hidden[others, default: true] && has(row.cells)
                }
            }
            for (others, isBehind) in hidden where isBehind {
                figures.people[others, default: []].insert(person.key)
            }
        }
        // "In funnels it lists only who reached a step."
        if which.hasSuffix(":dropped") || which.hasSuffix(":open") {
            figures.counts[Oracle.Name(ReportNames.others)] = nil
            figures.people[Oracle.Name(ReportNames.others)] = nil
        }
        return figures
    }

    private typealias Row = (name: Oracle.Name, cells: [String: String])

    private func rows<R: PeopleReport>(
        _ report: R,
        _ request: ReportRequest,
        _ person: borrowing PersonTimeline,
        _ dictionary: TimelineDictionary
    ) throws -> [Row] {
        var fold = report.makeFold(request.run(dictionary: dictionary))
        fold.add(person)
        return named(try fold.finish().texts, report.columns, request)
    }

    /// The rows of the figure with their names, and their cells by column. Those of a funnel have the people of the
    /// step before, too.
    private func named(_ rows: [[String]], _ columns: [ReportColumn], _ request: ReportRequest) -> [Row] {
        let keys: [String] =
            switch request.report {
            case let report as BreakdownReport: report.keys.map(\.rawValue)
            case is RetentionReport: ["cohort", "group"]
            case is ActivityReport: ["period", "group"]
            case is ChannelsReport: ["period", "channel"]
            case is RefsReport: ["period", "ref"]
            case is LinksReport: ["link"]
            default: ["group"]
            }
        let step = which.split(separator: ":").first.flatMap { Int($0) }
        var before = ""
        return rows.compactMap { row in
            var cells: [String: String] = [:]
            for (column, cell) in zip(columns, row) { cells[column.name] = cell }
            cells["before"] = before
            before = cells["people"] ?? ""
            if let step, cells["step"] != String(step) { return nil }
            let name = keys.compactMap { cells[$0] }.filter { !$0.isEmpty }.joined(separator: " / ")
            return (Oracle.Name(name), cells)
        }
    }

    /// The figure, if it counts people and its period has begun.
    private func count(_ cells: [String: String]) -> Int? {
        func number(_ column: String) -> Int { cells[column].flatMap { Int($0) } ?? -1 }
        let isOfStep = which.contains(":")
        if cells[isOfStep ? "people" : which == "absent" ? "retained" : which == "touches" ? "people" : which] == "" {
            return nil
        }
        switch which {
        case "touches": return number("people")
        case "posters": return number("posters")
        case "retained": return number("retained")
        case "new", "returning", "resurrected", "dormant": return number(which)
        case "absent": return number("people") - number("retained")
        case "installs", "conversions": return nil
        default:
            if which.hasSuffix(":reached") { return number("people") }
            if which.hasSuffix(":open") { return number("open") }
            return number("before") - number("people") - number("open")
        }
    }

    private func has(_ cells: [String: String]) -> Bool { count(cells).map { $0 > 0 } ?? (cells[which] != "0") }
}

extension Oracle {
    /// The people of an install or a conversion that a row is credited with.
    fileprivate func people(
        _ credited: Credited,
        _ goal: String?,
        _ span: Span,
        _ lookback: Duration,
        by grouping: Grouping,
        amongLinks: Bool = false
    ) -> [Name: Set<Person>] {
        var people: [Name: Set<Person>] = [:]
        for credit in credits(of: credited, goal: goal, in: span, lookback: lookback, model: .last) {
            guard credit.share > .zero, let person = credit.event.person else { continue }
            if amongLinks, credit.touch?.shortLink == nil { continue }
            let row = credit.from.flatMap { groups(of: $0, by: grouping).first } ?? .direct
            for (name, _) in grouping == .ref ? credit.parts : [(row, credit.share)] {
                people[name, default: []].insert(person)
            }
            people[.total, default: []].insert(person)
        }
        return people
    }
}
