import Events
import Time
import Timelines

/// Posts and touches by ref: which category of story brings people.
struct RefsReport: PeriodReport {
    static let name = "refs"
    static let summary =
        "Posts and touches by ref, with the installs, conversions and value credited to the last touch."
    static let examples = ["--from yesterday", "--goal premium --format csv"]
    static let parameters: [ReportParameter] = [.byPeriod] + LastTouchParameters.described
    static let columns: [ReportColumn] =
        [
            .text(
                "ref",
                "The category of the post; `(none)` counts events without one, `direct` counts installs and conversions without a touch, `total` counts everything."
            )
        ] + ReportColumn.posts(counted: "posts") + [
            .touches, .touchPeople, .authenticatedTouches, .creditedInstalls, .creditedConversions, .creditedValue,
            .ratio(
                "touches_per_post",
                unit: "touches per post",
                "`touches` ÷ `posts`. In `total`, of the rows that have a ref alone: what came without one is no post's doing."
            ),
            .ratio(
                "installs_per_poster",
                unit: "installs per person",
                "`installs` ÷ `posters`. In `total`, of the rows that have a ref alone. The viral coefficient is `k` of `viral`."
            ),
        ]

    let period: PeriodParameter
    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    var namedValues: [NamedValue] { lastTouch.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = lastTouch.query(in: range)
        query.types.insert(.feedPost)
        query.needs.insert(.refs)
        return query
    }

    func makeFold(_ run: ReportRun) -> RefsFold {
        RefsFold(
            events: lastTouch.events(run),
            matcher: lastTouch.filter.makeMatcher(run.dictionary),
            postMatcher: lastTouch.filter.ofPosts.makeMatcher(run.dictionary),
            lookback: lastTouch.lookback.microseconds,
            periods: ReportPeriods(period.length, run),
            dictionary: run.dictionary,
            others: OtherCurrencies(run)
        )
    }
}

struct RefsFold: ReportFold {
    private struct Row {
        var posts = PostCounts()
        var touches = TouchCounts()
        var credits = LastTouchCredits()

        static func += (row: inout Row, other: Row) {
            row.posts += other.posts
            row.touches += other.touches
            row.credits += other.credits
        }

        func cells(named name: String) -> [ReportCell] {
            [.text(name)] + posts.cells + touches.cells + credits.cells + ratios
        }

        /// `touches_per_post`, `installs_per_poster`.
        var ratios: [ReportCell] {
            [
                .fraction(touches.touches, of: posts.posted),
                .fraction(credits.installs.units, of: Int128(posts.posters) * Int128(CreditUnits.one)),
            ]
        }
    }

    /// The table of one period.
    private struct Table {
        var refs = RowsByCode(empty: Row())
        var none = Row()
        var direct = Row()
        /// What has a ref, each once, however many it has.
        var named = Row()
        var total = Row()

        /// Calls `body` with the row of each ref of a list, its position, and the number of refs. An empty list has the
        /// row `(none)`. Refs that the matcher does not keep have no row.
        @inline(__always)
        mutating func forEachRow(
            of list: Code,
            _ dictionary: TimelineDictionary,
            _ matcher: EventMatcher?,
            _ body: (inout Row, Int, Int) -> Void
        ) {
            let count = dictionary.forEachRef(of: list) { ref, index, count in
                if let matcher, !matcher.keeps(ref: ref) { return }
                refs.update(ref.index) { body(&$0, index, count) }
            }
            if count == 0 { body(&none, 0, 1) }
        }

        static func += (table: inout Table, other: Table) {
            for (ref, row) in other.refs.rows { table.refs.update(ref) { $0 += row } }
            table.none += other.none
            table.direct += other.direct
            table.named += other.named
            table.total += other.total
        }
    }

    private let events: CreditedEvents
    private let matcher: EventMatcher?
    /// Of the conditions, those on properties that posts have.
    private let postMatcher: EventMatcher?
    /// In microseconds.
    private let lookback: Int64
    private let periods: ReportPeriods
    private let dictionary: TimelineDictionary
    /// By period.
    private var tables: [Table]
    private var others: OtherCurrencies
    private var people = 0

    init(
        events: CreditedEvents,
        matcher: EventMatcher?,
        postMatcher: EventMatcher?,
        lookback: Int64,
        periods: ReportPeriods,
        dictionary: TimelineDictionary,
        others: OtherCurrencies
    ) {
        self.events = events
        self.matcher = matcher
        self.postMatcher = postMatcher
        self.lookback = lookback
        self.periods = periods
        self.dictionary = dictionary
        self.others = others
        tables = Array(repeating: Table(), count: periods.count)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches {
            guard let period = periods.position(of: touch.time) else { continue }
            if let matcher, !matcher.keeps(person.events[touch.event]) { continue }
            tables[period].total.touches.add(touch, of: number)
            if !touch.refs.isNone { tables[period].named.touches.add(touch, of: number) }
            tables[period].forEachRow(of: touch.refs, dictionary, matcher) { row, _, _ in
                row.touches.add(touch, of: number)
            }
        }
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let post = person.events[position]
            guard let outcome = post.outcome, let period = periods.position(of: post.occurredAt) else { continue }
            if let postMatcher, !postMatcher.keeps(post) { continue }
            tables[period].total.posts.add(outcome, by: number)
            if !post.refs.isNone { tables[period].named.posts.add(outcome, by: number) }
            tables[period].forEachRow(of: post.refs, dictionary, postMatcher) { row, _, _ in
                row.posts.add(outcome, by: number)
            }
        }
        let events = events
        events.forEach(of: person) { event in
            guard let period = periods.position(of: event.time) else { return }
            guard let touch = person.lastTouch(before: event, within: lookback) else {
                guard matcher == nil else { return }
                tables[period].total.credits.add(event, units: CreditUnits.one)
                others.add(person.events[event.position])
                return tables[period].direct.credits.add(event, units: CreditUnits.one)
            }
            let units = matcher?.kept(CreditUnits.one, of: person.events[touch.event]) ?? CreditUnits.one
            guard units > 0 else { return }
            tables[period].total.credits.add(event, units: units)
            others.add(person.events[event.position], units: units)
            if !touch.refs.isNone { tables[period].named.credits.add(event, units: units) }
            tables[period].forEachRow(of: touch.refs, dictionary, matcher) { row, index, count in
                row.credits.add(event, units: CreditUnits.share(index, of: count, of: CreditUnits.one))
            }
        }
    }

    var otherCurrencies: [OtherCurrencies] { [others] }

    mutating func merge(_ other: RefsFold) {
        others += other.others
        for period in tables.indices { tables[period] += other.tables[period] }
    }

    consuming func finish() -> [[ReportCell]] {
        tables.indices.flatMap { period in
            let first = periods.cells(at: period)
            return rows(of: tables[period]).map { first + $0 }
        }
    }

    private func rows(of table: Table) -> [[ReportCell]] {
        table.refs.rows
            .map { (name: dictionary.refs.text(of: Code(rawValue: Int32($0.number))), row: $0.row) }
            .sorted {
                $0.row.posts.posted == $1.row.posts.posted
                    ? precedes($0.name, $1.name) : $0.row.posts.posted > $1.row.posts.posted
            }
            .map { $0.row.cells(named: $0.name) }
            + [
                table.none.cells(named: ReportNames.none),
                table.direct.cells(named: ReportNames.direct),
                // What came by search or directly is no post's doing.
                table.total.cells(named: ReportNames.total).dropLast(2) + table.named.ratios,
            ]
    }
}
