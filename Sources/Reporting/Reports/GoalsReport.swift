import Events
import Time
import Timelines

/// The names of conversions, with how often they happened.
struct GoalsReport: Report {
    static let name = "goals"
    static let summary = "Conversions by their name: how many, of how many people, their value, the first and the last."
    static let examples = ["--from 7d", "--from 2026-11 --to 2026-12 --format csv"]
    static let parameters: [ReportParameter] = [
        GroupFinder.limit("conversions", isOptional: true),
        .filter(EventGrouping.filterKeys(of: .conversion(nil))),
    ]
    static let columns: [ReportColumn] = [
        .text(
            "goal",
            "The name of the conversions; `(others)` counts all beyond `--limit`, `total` counts all together."
        ),
        .integer("conversions", unit: "conversions", "Conversions in the range, also those that no touch led to."),
        .integer("people", unit: "people", "Distinct people of these conversions."),
        .decimal(
            "value",
            unit: ReportColumn.currency,
            "The value of these conversions. A conversion in another currency adds none without a rate."
        ).asSum(of: "conversions"),
        .time("first_at", "When the first of them happened; empty if there is none.").asFigure(),
        .time("last_at", "When the last of them happened; empty if there is none.").asFigure(),
    ]

    /// By what conversions have themselves. What their touches had is a question of credit.
    let filter: EventFilter
    /// Nil: all goals are shown.
    let limit: Int?

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        limit = try parameters.optionalGroupLimit()
        filter = try EventFilter(reading: &parameters, keys: parameters.filterKeys(of: .conversion(nil)))
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery([.conversion], in: range, needs: .goals)
        filter.add(to: &query)
        return query
    }

    func makeFold(_ run: ReportRun) -> GoalsFold {
        GoalsFold(run, matcher: filter.makeMatcher(run.dictionary), limit: limit)
    }
}

struct GoalsFold: LimitedFold {
    private struct Row {
        var conversions: Int64 = 0
        var people: Int64 = 0
        /// In millionths of the currency.
        var value: Int128 = 0
        /// When the first and the last happened.
        var span: ClosedRange<Timestamp>?
        /// The number of the last counted person, so that each person counts once.
        private var lastPerson = -1

        /// - Returns: whether the person was not counted yet.
        @discardableResult
        mutating func add(_ event: TimelineEvent, value: Int64, of person: Int?) -> Bool {
            conversions += 1
            self.value += Int128(value)
            extend(to: event.occurredAt...event.occurredAt)
            guard let person, person != lastPerson else { return false }
            people += 1
            lastPerson = person
            return true
        }

        private mutating func extend(to other: ClosedRange<Timestamp>) {
            guard let own = span else { return span = other }
            span = min(own.lowerBound, other.lowerBound)...max(own.upperBound, other.upperBound)
        }

        static func += (row: inout Row, other: Row) {
            row.conversions += other.conversions
            row.people += other.people
            row.value += other.value
            if let span = other.span { row.extend(to: span) }
        }

        func cells(named name: String) -> [ReportCell] {
            [
                .text(name), .integer(conversions), .integer(people), .decimal(millionths: value),
                span.map { .text($0.lowerBound.rfc3339) } ?? .empty,
                span.map { .text($0.upperBound.rfc3339) } ?? .empty,
            ]
        }
    }

    private let range: ReportRange
    private let currency: Code
    private let matcher: EventMatcher?
    private let dictionary: TimelineDictionary
    private let limit: Int?
    private var goals = GroupTable(empty: Row())
    private var total = Row()
    /// For `(others)`, whose people are distinct.
    private var converting = GroupPeople()
    private var others: OtherCurrencies
    private var people = 0

    init(_ run: ReportRun, matcher: EventMatcher?, limit: Int?) {
        self.limit = limit
        range = run.range
        currency = run.dictionary.code(of: run.currency, as: .currency)
        self.matcher = matcher
        others = OtherCurrencies(run)
        dictionary = run.dictionary
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices {
            let event = person.events[position]
            guard case .conversion = event.type, !event.goal.isNone, range.contains(event.occurredAt),
                matcher?.keeps(event) ?? true
            else { continue }
            let value = event.currency == currency ? event.value : 0
            let goal = goals.position(of: GroupKey(code: event.goal))
            if goals[goal].add(event, value: value, of: number), limit != nil { converting.add(people, to: goal) }
            total.add(event, value: value, of: number)
            others.add(event)
        }
    }

    var otherCurrencies: [OtherCurrencies] { [others] }
    var size: Int { goals.size + converting.size }
    var rowCount: Int { min(limit ?? goals.rows.count, goals.rows.count) + 2 }

    mutating func merge(_ other: GoalsFold) {
        others += other.others
        converting.merge(other.converting, at: goals.merge(other.goals, +=))
        total += other.total
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        func name(_ key: GroupKey) -> String { dictionary[.goal].text(of: key.code) }
        let shown = goals.shown(limit, beside: other?.map { $0[0] }, count: \.conversions, name: name)
        let others = goals.others(than: shown, +=) { $0.people = converting.count(of: $1) }
        return shown.rows(
            { goals[$0].cells(named: name(goals.keys[$0])) },
            others: others?.cells(named: ReportNames.others)
        )
            + [total.cells(named: ReportNames.total)]
    }
}
