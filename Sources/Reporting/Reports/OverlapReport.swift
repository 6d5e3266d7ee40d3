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
    private struct Value {
        var people: UInt32 = 0
        /// The number of the last counted person, so that each person counts once.
        var lastPerson = UInt32.max
    }

    /// Who had both of two values.
    private struct Both {
        var people: Int64 = 0
        var conversions: Int64 = 0
    }

    private let report: OverlapReport
    private let range: ReportRange
    private let finder: GroupFinder
    private let matcher: EventMatcher?
    private let conversions: CreditedEvents
    /// The values that are counted; nil for all.
    private let only: Set<GroupKey>?
    private var values = GroupTable(empty: Value())
    /// Who had several values: how many conversions, and the positions of the values. Pairs are counted at the end, of
    /// the values that are shown: one person with n values would make n² pairs.
    private let log: PeopleLog
    /// Those of merged folds, with the position here of each of their values.
    private var logs: [(log: PeopleLog, places: [Int32])] = []
    private var people: UInt32 = 0
    /// Of the current person.
    private var own: [UInt32] = []

    init(_ report: OverlapReport, _ run: ReportRun) {
        self.report = report
        range = run.range
        log = PeopleLog(run.file)
        matcher = report.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: matcher, run)
        only = report.pair.map { [finder] pair in Set([pair.a, pair.b].compactMap(finder.key(named:))) }
        conversions = CreditedEvents(
            range: run.range,
            installs: false,
            goal: report.goal.map { run.dictionary.code(of: $0, as: .goal) },
            currency: .none
        )
        for key in finder.fixedKeys { _ = values.position(of: key) }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        people += 1
        own.removeAll(keepingCapacity: true)
        for touch in person.touches where range.contains(touch.time) {
            let event = person.events[touch.event]
            if let matcher, !matcher.keeps(event) { continue }
            finder.forEachKey(of: event, at: touch.time) { key in
                if let only, !only.contains(key) { return }
                let position = values.position(of: key)
                guard values[position].lastPerson != people else { return }
                values[position].lastPerson = people
                values[position].people += 1
                own.append(UInt32(position))
            }
        }
        guard own.count > 1 else { return }
        var count: UInt32 = 0
        conversions.forEach(of: person) { _ in count += 1 }
        log.append([count] + own)
    }

    /// How many numbers it keeps: of values, not of pairs.
    var keptCount: Int { values.rows.count + log.count }
    var size: Int { values.size }

    mutating func merge(_ other: OverlapFold) {
        let places = values.merge(other.values) { $0.people += $1.people }
        logs.append((other.log, places))
        for (log, own) in other.logs { logs.append((log, own.map { places[Int($0)] })) }
    }

    /// Beside another range, its pairs.
    func finish(beside others: [[ReportCell]]?) throws -> [[ReportCell]] {
        if let others { return try rows(of: others.map { ($0[0].plainText ?? "", $0[1].plainText ?? "") }) }
        if let pair = report.pair { return try rows(of: [(pair.a, pair.b)]) }
        let largest = smallest(report.limit, of: values.rows.indices) { one, other in
            values[one].people == values[other].people
                ? precedes(finder.name(of: values.keys[one]), finder.name(of: values.keys[other]))
                : values[one].people > values[other].people
        }
        .map { finder.name(of: values.keys[$0]) }
        return try rows(
            of: largest.enumerated().flatMap { index, a in largest.dropFirst(index + 1).map { (a, $0) } }
        )
    }

    private func rows(of pairs: [(a: String, b: String)]) throws -> [[ReportCell]] {
        /// The positions of the values that are shown; nil for one that nobody had.
        func position(_ name: String) -> Int? { finder.key(named: name).flatMap(values.known) }
        let found = pairs.map { (a: position($0.a), b: position($0.b)) }
        let shown = Array(Set(found.flatMap { [$0.a, $0.b].compactMap(\.self) }))
        var places = Array(repeating: Int32(-1), count: values.rows.count)
        for (place, position) in shown.enumerated() { places[position] = Int32(place) }
        var table = Array(repeating: Both(), count: shown.count * shown.count)
        var had: [Int] = []
        for (log, own) in [(log, values.rows.indices.map { Int32($0) })] + logs {
            try log.forEach { words in
                had.removeAll(keepingCapacity: true)
                for word in words.dropFirst() {
                    let place = places[Int(own[Int(word)])]
                    if place >= 0 { had.append(Int(place)) }
                }
                for one in had {
                    for other in had where other != one {
                        table[one * shown.count + other].people += 1
                        table[one * shown.count + other].conversions += Int64(words.first ?? 0)
                    }
                }
            }
        }
        return zip(pairs, found).map { names, found in
            func count(_ position: Int?) -> Int64 { position.map { Int64(values[$0].people) } ?? 0 }
            var both = Both()
            if let a = found.a, let b = found.b { both = table[Int(places[a]) * shown.count + Int(places[b])] }
            let (ofA, ofB) = (count(found.a), count(found.b))
            return [
                .text(names.a), .text(names.b), .integer(ofA), .integer(ofB), .integer(both.people),
                .integer(ofA - both.people), .integer(ofB - both.people),
                .fraction(both.people, of: ofA + ofB - both.people), .integer(both.conversions),
            ]
        }
    }
}
