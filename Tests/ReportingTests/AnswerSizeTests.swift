import Events
import InboundLinks
import RandomTesting
import Testing
import Time

@testable import Reporting
@testable import Timelines

/// A key with many values exhausts nobody's memory, and limits change no figure.
@Suite("The size of answers")
struct AnswerSizeTests {
    private typealias E = OracleEvents

    /// People of groups without counts are logged, by each of several folds.
    @Test(arguments: TestSeeds.seeds(8, in: 4)) func areTheSameWithoutMemoryForCounts(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let stream = RandomStream.make(seed: seed)
            func expectSame<R: Report>(
                _ type: R.Type,
                _ parameters: [(String, String)],
                _ makeFold: (R, ReportRun, Int) -> R.Fold
            ) throws {
                var request = try ReportRequest.parse(
                    name: R.name,
                    parameters: [("from", stream.from.rfc3339), ("to", stream.to.rfc3339)] + parameters,
                    origin: .http,
                    app: Asking.app(),
                    now: stream.now
                )
                request.firstEvent = stream.from.advanced(by: .days(-90))
                let report = try #require(request.report as? R)
                let source = MemoryTimelines(stream.events, query: request.query)
                let run = request.run(dictionary: source.dictionary)
                func rows(_ countsLimits: [Int]) throws -> [[ReportCell]] {
                    var folds = countsLimits.map { makeFold(report, run, $0) }
                    var next = 0
                    try source.forEachPerson { person in
                        folds[next % folds.count].add(person)
                        next += 1
                    }
                    for fold in folds.dropFirst() { folds[0].merge(fold) }
                    return try folds[0].finish()
                }
                let expected = try rows([.max])
                for limits in [[0], [0, 0, 0], [0, .max], [.max, 0], [2_000, 0], [20_000, 0]] {
                    #expect(try rows(limits) == expected, "seed \(seed): \(R.name) \(parameters), \(limits)")
                }
            }
            for (key, limit) in [("ref", "2"), ("target_url", "1"), ("channel", "1"), ("language", "50")] {
                let by = [("by", key), ("limit", limit)]
                try expectSame(ActivityReport.self, by) { ActivityFold($0, $1, countsLimit: $2) }
                try expectSame(RetentionReport.self, by) { RetentionFold($0, $1, countsLimit: $2) }
                try expectSame(RetentionReport.self, by + [("pooled", "on")]) { RetentionFold($0, $1, countsLimit: $2) }
                try expectSame(FunnelReport.self, by) { FunnelTableFold($0.table, $0.funnel, $1, countsLimit: $2) }
            }
        }
    }

    /// A breakdown with as many rows as posts logs people, and goes through its log twice.
    @Test(arguments: TestSeeds.seeds(4)) func areTheSameWithPeopleInALog(seed: UInt64) throws {
        let stream = RandomStream.make(seed: seed)
        let events = MemoryEvents(stream.events)
        let figures = BreakdownReport.Figure.allCases.filter { !$0.isOfCosts && $0 != .days }.map(\.rawValue)
        for (by, column) in ["channel", "ref", "ref,platform", "poster", "poster,ref", "post"].flatMap({ by in
            (figures + figures.map { "\($0):reverse" } + [String(by.prefix { $0 != "," })]).map { (by, $0) }
        }) {
            let request = try ReportRequest.parse(
                name: "breakdown",
                parameters: [
                    ("from", stream.from.rfc3339), ("to", stream.to.rfc3339), ("by", by), ("sort", column),
                    ("rates", "on"), ("per-touch", "on"), ("limit", ["1", "3", "34%", "100%"][Int(seed % 4)]),
                    ("least", "1"),
                ],
                origin: .http,
                app: Asking.app(currency: RandomStream.currency),
                now: stream.now
            )
            let report = try #require(request.report as? BreakdownReport)
            let source = MemoryTimelines(events, query: request.query)
            let run = request.run(dictionary: source.dictionary)
            func fold(of parts: Int, logsPeople: Bool) throws -> BreakdownFold {
                var folds = (0..<parts).map { _ in BreakdownFold(report, run, logsPeople: logsPeople) }
                var next = 0
                try source.forEachPerson { person in
                    folds[next % parts].add(person)
                    next += 1
                }
                for fold in folds.dropFirst() { folds[0].merge(fold) }
                return folds[0]
            }
            let counted = try fold(of: 1, logsPeople: false)
            let (rows, people) = (try counted.finish(beside: nil), try counted.peopleRows())
            for parts in [1, 3] {
                let logged = try fold(of: parts, logsPeople: true)
                let place = "seed \(seed): by \(by), sorted by \(column), \(parts) parts"
                #expect(try logged.finish(beside: nil) == rows, "\(place)")
                #expect(try logged.finish(beside: rows) == counted.finish(beside: rows), "\(place)")
                let told = try logged.peopleRows()
                #expect(told.map(\.names) == people.map(\.names), "\(place)")
                #expect(told.map(\.groups) == people.map(\.groups), "\(place)")
            }
        }
    }

    /// Ten thousand values of a key, each of two people.
    private func fold<R: Report>(_ name: String, _ type: R.Type, _ parameters: [(String, String)]) throws -> R.Fold {
        let request = try ReportRequest.parse(
            name: name,
            parameters: [("from", "2026-01-01"), ("to", "2026-01-31"), ("by", "target_url")] + parameters,
            origin: .http,
            app: Asking.app(),
            now: E.time(100 * E.day)
        )
        let report = try #require(request.report as? R)
        let dictionary = TimelineDictionary()
        var fold = report.makeFold(request.run(dictionary: dictionary))
        var person = PersonTimeline()
        for number in 0..<20_000 {
            person.begin(isPerson: true)
            var event = TimelineEvent(
                occurredAt: E.time(Double(number % 10) * E.day),
                id: EventID(high: 1, low: UInt64(number)),
                type: .inboundLink
            )
            event.channel = .search
            event.target = dictionary.code(of: "https://shop.example/\(number % 10_000)", as: .target)
            person.append(event)
            person.finish()
            fold.add(person)
        }
        return fold
    }

    @Test func keepCountsOfFewGroups() throws {
        let activity = try fold("activity", ActivityReport.self, [])
        #expect(activity.countedGroups < 3_000)
        let retention = try fold("retention", RetentionReport.self, [])
        #expect(retention.countedGroups < 1_000)
        let funnel = try fold("funnel", FunnelReport.self, [("steps", "touch,conversion")])
        #expect(funnel.countedGroups < 8_000)
        for (rows, column) in [(try activity.finish(), 2), (try retention.finish(), 3), (try funnel.finish(), 3)] {
            func people(_ group: String) -> Int {
                rows.filter { $0.contains(.text(group)) }.reduce(0) { $0 + (Int($1[column].plainText ?? "") ?? 0) }
            }
            // Fifty groups of two people are shown.
            #expect(people("total") > 0 && people("(others)") * 20_000 == people("total") * 19_900)
        }
    }

    @Test func countPeopleOfOthersOnce() throws {
        func touch(_ number: UInt64, _ user: String, refs: [String]) -> Event {
            E.event(number, at: Double(number), user: user, .inboundLink(E.touch(refs: refs)))
        }
        let events = [
            touch(1, "ann", refs: ["a"]), touch(2, "bob", refs: ["a", "b", "c"]), touch(3, "cid", refs: ["b"]),
            E.event(4, at: 9, user: "bob", E.conversion("buy")),
        ]
        let of = ["a 2", "(others) 2", "total 3"]
        let activity = try Asking.rows("activity", ["period": "month", "by": "ref", "limit": "1"], of: events)
        let active: [String] = activity.map { row in "\(row[1]) \(row[2])" }
        #expect(active.filter { $0 != "direct 0" } == of)
        let retention = try Asking.rows("retention", ["by": "ref", "limit": "1", "at": "1"], of: events)
        #expect(retention.map { "\($0[1]) \($0[3])" } == of)
        let funnel = try Asking.rows("funnel", ["by": "ref", "limit": "1", "steps": "touch,conversion"], of: events)
        #expect(funnel.filter { $0[1] == "1" }.map { "\($0[0]) \($0[3])" } == of)
        #expect(funnel.filter { $0[1] == "2" }.map { "\($0[0]) \($0[3])" } == ["a 1", "(others) 1", "total 1"])
        let credits = try Asking.rows(
            "attribution",
            ["event": "conversion", "by": "ref", "limit": "1"],
            of: events
        )
        #expect(credits.map { $0[0] } == ["a", "(others)", "(none)", "direct", "total"])
        #expect(credits[0][2] == "0.333333" && credits[1][2] == "0.666667")
        // A touch counts in the row of each of its refs, so (others) has three.
        let refs = try Asking.rows("refs", ["limit": "1"], of: events)
        let counts = ["a 2 2", "(others) 3 2", "(none) 0 0", "direct 0 0", "total 3 3"]
        #expect(refs.map { "\($0[0]) \($0[7]) \($0[8])" } == counts)
    }

    @Test func countPeopleOfOtherGoalsOnce() throws {
        let events = [("ann", "a"), ("bob", "a"), ("ann", "b"), ("ann", "c"), ("cid", "c"), ("cid", "c")].enumerated()
            .map { number, conversion in
                let (user, goal) = conversion
                return E.event(UInt64(number), at: Double(number), user: user, E.conversion(goal))
            }
        let rows = try Asking.rows("goals", ["limit": "1"], of: events)
        #expect(rows.map { $0[0...2].joined(separator: " ") } == ["c 3 2", "(others) 3 2", "total 6 3"])
        let all = try Asking.rows("goals", of: events)
        #expect(all.map { $0[0] } == ["c", "a", "b", "total"])
    }

    /// One device with n refs had n² pairs.
    @Test(arguments: [[], [("a", "r1"), ("b", "r2")]]) func keepNoPairsOfOnePerson(pair: [(String, String)]) throws {
        let touches = (0..<1_000).map { number in
            E.event(UInt64(number), at: Double(number), user: "kiosk", .inboundLink(E.touch(refs: ["r\(number)"])))
        }
        let request = try ReportRequest.parse(
            name: "overlap",
            parameters: [("from", "2026-01-01"), ("to", "2026-01-31")] + pair,
            origin: .http,
            app: Asking.app(),
            now: E.time(100 * E.day)
        )
        let report = try #require(request.report as? OverlapReport)
        let source = MemoryTimelines(touches, query: request.query)
        var fold = report.makeFold(request.run(dictionary: source.dictionary))
        try source.forEachPerson { fold.add($0) }
        #expect(fold.keptCount <= (pair.isEmpty ? 2_002 : 6))
        #expect(try fold.finish().allSatisfy { $0[2...4] == [.integer(1), .integer(1), .integer(1)] })
    }

    private static func refusal(
        _ size: AnswerSize,
        _ dictionary: TimelineDictionary,
        groups: Int = 0,
        growing: Bool = true
    ) -> String? {
        do {
            try size.check(dictionary, groups: groups, growing: growing)
            return nil
        } catch {
            return error.description
        }
    }

    /// Two connections have the texts and the groups; the third table of texts, or the merged groups, come on top.
    @Test func countsTextsGroupsAndPosts() throws {
        let size = AnswerSize(columns: 1, options: [.key, .filter, .limit])
        let dictionary = TimelineDictionary()
        #expect(Self.refusal(size, dictionary, groups: AnswerSize.held / 2) == nil)
        let groups = try #require(Self.refusal(size, dictionary, groups: AnswerSize.held))
        #expect(
            groups == "there are more different groups than 80 MB hold: ask for fewer values with where, "
                + "or for another key with by"
        )
        // Fewer values or months would leave as many people.
        let compared = AnswerSize(columns: 1, options: [.key, .filter, .months, .oneRange], keepsPeople: true)
        #expect(
            Self.refusal(compared, dictionary, groups: AnswerSize.held)
                == "more people installed or posted than 80 MB hold, and the report must know each: ask for one range "
                + "after the other, without compare-previous"
        )
        for number in 0..<30_000 {
            _ = dictionary.code(of: String(repeating: "x", count: 1_000) + "\(number)", as: .target)
        }
        // All texts of a month are read, whatever is asked of them; a range of several months may be cut.
        let targets = try #require(Self.refusal(size, dictionary))
        #expect(
            targets == "the different targets, with what is counted of each, take more than 26 MB: ask for another key "
                + "with by"
        )
        let spanning = AnswerSize(columns: 1, options: [.months])
        #expect(try #require(Self.refusal(spanning, dictionary)).hasSuffix("ask for a range of fewer months"))
        #expect(Self.refusal(AnswerSize(columns: 1), dictionary)?.contains("ask") == false)

        let withPosts = TimelineDictionary()
        var posts = StoryPostTable()
        for number in UInt64(0)..<2_000_000 { _ = posts.append(E.time(0), event: EventID(high: 0, low: number)) }
        withPosts.storyPosts = posts
        let refusal = try #require(Self.refusal(size, withPosts, groups: AnswerSize.held / 2))
        #expect(refusal.contains("more posts than"))
    }

    /// 15.6 MB of long targets were refused, because their table was nearly full, and 17.6 MB answered.
    @Test func refusesNoFewerTextsThanItAnswers() {
        let size = AnswerSize(columns: 1)
        let dictionary = TimelineDictionary()
        var answered: [Int] = []
        for number in 1...3_600 {
            _ = dictionary.code(of: String(repeating: "x", count: 8_000) + "\(number)", as: .target)
            guard number.isMultiple(of: 50) else { continue }
            if Self.refusal(size, dictionary, growing: false) == nil { answered.append(number) }
        }
        #expect(answered.count > 60 && answered.count < 72)
        #expect(answered == answered.indices.map { 50 * ($0 + 1) })
    }

    /// What a table takes, and its copy if it is about to grow.
    @Test func countsTablesThatGrow() {
        var table = CodeTable()
        var largest = 0
        for number in 0..<40_000 {
            _ = table.code(of: "ref-\(10_000 + number)")
            guard number.isMultiple(of: 97) else { continue }
            let (count, bytes) = (table.count, table.count * 9)
            // An end, a hash and at least two slots for each text.
            #expect(table.size >= bytes + count * (8 + 4 + 8))
            #expect(table.size <= 2 * bytes + count * 2 * (8 + 4) + max(64, count * 4) * 4 * 3)
            largest = max(largest, table.size)
        }
        #expect(largest > 40_000 * (9 + 8 + 4 + 8))
        var positions = GroupPositions()
        for number in 0..<10_000 { _ = positions.position(of: GroupKey(GroupKey(number: number), GroupKey(number: 1))) }
        #expect(positions.size >= 10_000 * (8 + 12))
    }

    /// One of two connections read most people of `generations` while the other one waited: the report was refused.
    @Test func judgesConnectionsByTheirAverage() {
        let held = HeldSizes()
        var (first, second) = (SizeChecks(), SizeChecks())
        #expect(first.average(10, among: held) == 10)
        #expect(first.average(50, among: held) == 50)
        #expect(second.average(10, among: held) == 30)
        #expect(first.average(70, among: held) == 40)
        #expect(second.average(10, among: held) == 40)
    }

    @Test func looksAtTheFirstPersonAndThenNowAndThen() {
        var checks = SizeChecks()
        func due(_ people: Int, events: Int) -> [Int] {
            var person = PersonTimeline()
            for _ in 0..<events { person.append(.blank) }
            return (0..<people).filter { _ in checks.areDue(after: person) }
        }
        #expect(due(4_097, events: 1) == [0, 4_096])
        #expect(due(10, events: 1_000) == [4, 9])
        #expect(due(3, events: 5_000) == [0, 1, 2])
    }

    /// Names of conversions are read only for questions that tell them apart.
    @Test func readsGoalsOnlyIfTheQuestionNamesOne() throws {
        for report in ReportCatalogue.descriptions {
            let needs = try Asking.request(report.name, report.name == "compare" ? ["a": "x", "b": "y"] : [:]).query
                .needs
            #expect(needs.contains(.goals) == (report.name == "goals"), "\(report.name)")
        }
        for (name, parameters) in [
            ("channels", ["goal": "buy"]), ("attribution", ["event": "conversion", "goal": "buy"]),
            ("paths", ["goal": "buy"]),
            ("overlap", ["goal": "buy"]), ("posts", ["each": "on", "goal": "buy"]),
            ("funnel", ["steps": "touch,conversion:buy"]), ("retention", ["returns": "conversion:buy"]),
        ] as [(String, KeyValuePairs<String, String>)] {
            #expect(try Asking.request(name, parameters).query.needs.contains(.goals), "\(name)")
        }
    }

    @Test func areRefusedIfTheyWouldBeTooLarge() throws {
        #expect(throws: ReportError.self) { try AnswerSize(columns: 10).check(rows: 50_001) }
        try AnswerSize(columns: 10).check(rows: 50_000)
        let touches = (0..<3_000).map { number in
            E.event(
                UInt64(number),
                at: Double(number % 30) * E.day,
                user: "u\(number)",
                .inboundLink(E.touch(refs: ["r\(number)"]))
            )
        }
        let request = try Asking.request(
            "retention",
            ["from": "2026-01-01", "to": "2026-02-01", "by": "ref", "limit": "10000", "periods": "64"]
        )
        let error = #expect(throws: ReportError.self) { try Asking.rows(request, of: touches) }
        #expect("\(String(describing: error))".contains("limit"))
    }

    /// Only what the question has can be asked otherwise. `--by` of some reports takes periods: no other key would
    /// help.
    @Test(
        arguments: [
            ("refs", [:], ["limit", "where"]), ("refs", ["by": "day"], ["limit", "longer periods", "where"]),
            ("refs", ["by": "month"], ["limit", "where"]), ("attribution", ["by": "ref"], ["limit", "where"]),
            ("attribution", ["by": "ref", "model": "all"], ["limit", "model", "where"]),
            ("attribution", ["by": "ref", "model": "last,first"], ["limit", "model", "where"]),
            ("retention", ["by": "ref"], ["limit", "periods", "longer periods", "where"]),
            ("retention", ["by": "ref", "at": "7", "period": "month"], ["limit", "where"]),
        ] as [(String, KeyValuePairs<String, String>, [String])]
    )
    func nameWhatTheQuestionCanAskOtherwise(
        name: String,
        parameters: KeyValuePairs<String, String>,
        advice: [String]
    ) throws {
        let size = try Asking.request(name, parameters).run(dictionary: TimelineDictionary()).size
        let sentence = try #require(throws: ReportError.self) { try size.check(rows: .max) }.description
        let asked = try #require(sentence.firstRange(of: "ask for ")).upperBound
        let words = sentence[asked...].split(separator: ", or for ").map { part in
            part.split(separator: " with ").last.map { String($0) } ?? ""
        }
        #expect(words == advice, "\(sentence)")
    }

    @Test(arguments: [("refs", false), ("channels", false), ("breakdown", true)])
    func nameAnotherKeyOnlyIfThereAreOthers(name: String, hasOtherKeys: Bool) throws {
        let dictionary = TimelineDictionary()
        let size = try Asking.request(name).run(dictionary: dictionary).size
        let error = #expect(throws: ReportError.self) { try size.check(dictionary, groups: AnswerSize.held) }
        #expect("\(String(describing: error))".contains("another key") == hasOtherKeys)
    }
}
