import Events
import InboundLinks
import Time
import Timelines

/// How many people had both of two values of a key, such as two refs.
struct OverlapReport: Report {
    static let name = "overlap"
    static let summary = "How many people were touched by both of two refs, channels or other values."
    static let examples = ["--a newsletter --b recipe", "--by channel --limit 4"]
    static let limits = 2...100
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "GROUPING",
            "What the values are of.",
            default: "ref",
            allowed: EventGrouping.filterKeys(of: .touch).map(\.rawValue)
        ),
        ReportParameter("a", "NAME", "One value, with b; (none) for touches without it."),
        ReportParameter("b", "NAME", "The other value."),
        ReportParameter(
            "limit",
            "NUMBER",
            "Without a and b: all pairs of this many values, those with the most people (\(limits.lowerBound)–\(limits.upperBound)).",
            default: "10"
        ),
        .goal, .filter(EventGrouping.filterKeys(of: .touch)),
    ]
    static let columns: [ReportColumn] = [
        .text("a", "One value."),
        .text("b", "The other value."),
        .integer("people_a", unit: "people", "People with a touch in the range that has the value `a`."),
        .integer("people_b", unit: "people", "People with a touch in the range that has the value `b`."),
        .integer("both", unit: "people", "Those who had both, by one touch or by two."),
        .integer("only_a", unit: "people", "`people_a` − `both`."),
        .integer("only_b", unit: "people", "`people_b` − `both`."),
        .rate("jaccard", "`both` ÷ (`people_a` + `people_b` − `both`): 0 if nobody had both, 1 if everybody had."),
        .integer("conversions_both", unit: "conversions", "Conversions in the range of the people who had both."),
    ]

    let grouping: EventGrouping
    /// The two values; nil: those with the most people.
    let pair: (a: String, b: String)?
    let limit: Int
    let goal: String?
    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        grouping = try parameters.choice("by", default: .ref, among: parameters.filterKeys(of: .touch))
        let (a, b) = (try parameters.text("a"), try parameters.text("b"))
        switch (a, b) {
        case (let a?, let b?):
            try Self.check(a, "a", of: grouping)
            try Self.check(b, "b", of: grouping)
            guard !a.utf8.elementsEqual(b.utf8) else { throw .isA(b) }
            guard !parameters.isGiven("limit") else { throw .invalid("limit", "is for all pairs, without a and b") }
            pair = (a, b)
            limit = 2
        case (nil, nil):
            pair = nil
            limit = try parameters.count("limit", default: 10, allowed: Self.limits)
        case (nil, _): throw .required("a", "a value of \(grouping.rawValue), as b is given", example: "newsletter")
        case (_, nil): throw .required("b", "a value of \(grouping.rawValue), as a is given", example: "newsletter")
        }
        goal = try parameters.text("goal")
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .touch))
    }

    private static func check(_ name: String, _ field: String, of key: EventGrouping) throws(ReportError) {
        guard let known = key.closedValues, !(known + [ReportNames.none]).contains(name) else { return }
        throw .unknown(key.rawValue, name, field: field, allowed: known)
    }

    var namedValues: [NamedValue] {
        var values = NamedValue.goals([goal], of: "goal") + filter.namedValues
        if let pair, let kind = grouping.namedKind {
            for (field, name) in [("a", pair.a), ("b", pair.b)] where !kind.isCollective(name) {
                values.append(NamedValue(parameter: field, kind: kind, text: name))
            }
        }
        return values
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery(TimelineQuery.touchTypes.union([.conversion]), in: range)
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    func makeFold(_ run: ReportRun) -> OverlapFold { OverlapFold(self, run) }
}

struct OverlapFold: LimitedFold {
    private struct Both {
        var people: Int64 = 0
        var conversions: Int64 = 0

        mutating func add(_ other: Both) {
            people += other.people
            conversions += other.conversions
        }
    }

    private let report: OverlapReport
    private let range: ReportRange
    private let finder: GroupFinder
    private let matcher: EventMatcher?
    private let conversions: CreditedEvents
    private var people: [GroupKey: Int64]
    /// By two keys, the one that ``precedes(_:_:)`` first.
    private var pairs: [GroupKey: Both] = [:]
    /// Those of the current person.
    private var own: [GroupKey] = []

    init(_ report: OverlapReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        matcher = report.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: matcher, run)
        conversions = CreditedEvents(
            range: run.range,
            installs: false,
            goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: .none
        )
        people = Dictionary(uniqueKeysWithValues: finder.fixedKeys.map { ($0, 0) })
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        own.removeAll(keepingCapacity: true)
        for touch in person.touches where range.contains(touch.time) {
            let event = person.events[touch.event]
            if let matcher, !matcher.keeps(event) { continue }
            finder.forEachKey(of: event, at: touch.time) { key in
                if !own.contains(key) { own.append(key) }
            }
        }
        for key in own { people[key, default: 0] += 1 }
        guard own.count > 1 else { return }
        var count: Int64 = 0
        conversions.forEach(of: person) { _ in count += 1 }
        for (index, first) in own.enumerated() {
            for second in own[(index + 1)...] {
                pairs[Self.pair(first, second), default: Both()].add(Both(people: 1, conversions: count))
            }
        }
    }

    private static func pair(_ first: GroupKey, _ second: GroupKey) -> GroupKey {
        (first.number ?? -1) < (second.number ?? -1) ? GroupKey(first, second) : GroupKey(second, first)
    }

    mutating func merge(_ other: OverlapFold) {
        for (key, count) in other.people { people[key, default: 0] += count }
        for (key, both) in other.pairs {
            pairs[key, default: Both()].add(both)
        }
    }

    consuming func finish() -> [[ReportCell]] {
        if let pair = report.pair { return rows(of: [(pair.a, pair.b)]) }
        let largest = people.map { (name: finder.name(of: $0.key), people: $0.value) }
            .sorted { $0.people == $1.people ? precedes($0.name, $1.name) : $0.people > $1.people }
            .prefix(report.limit)
        return rows(
            of: largest.enumerated().flatMap { index, a in largest.dropFirst(index + 1).map { (a.name, $0.name) } }
        )
    }

    /// The same pairs.
    consuming func finish(beside others: [[ReportCell]]) -> [[ReportCell]] {
        rows(of: others.map { ($0[0].plainText ?? "", $0[1].plainText ?? "") })
    }

    private func rows(of pairs: [(String, String)]) -> [[ReportCell]] {
        // Two spellings of é are equal as strings, but not as names.
        var keys: [[UInt8]: GroupKey] = [:]
        for key in people.keys { keys[Array(finder.name(of: key).utf8)] = key }
        return pairs.map { a, b in row((a, keys[Array(a.utf8)]), (b, keys[Array(b.utf8)])) }
    }

    private func row(_ a: (name: String, key: GroupKey?), _ b: (name: String, key: GroupKey?)) -> [ReportCell] {
        func count(_ key: GroupKey?) -> Int64 { key.flatMap { people[$0] } ?? 0 }
        var both = Both()
        if let first = a.key, let second = b.key { both = pairs[Self.pair(first, second)] ?? Both() }
        let (ofA, ofB) = (count(a.key), count(b.key))
        return [
            .text(a.name), .text(b.name), .integer(ofA), .integer(ofB), .integer(both.people),
            .integer(ofA - both.people), .integer(ofB - both.people),
            .fraction(both.people, of: ofA + ofB - both.people), .integer(both.conversions),
        ]
    }
}
