import Events
import InboundLinks
import Time
import Timelines

/// Posts and touches by ref: which category of story brings people.
struct RefsReport: PeriodReport, PeopleReport {
    static let name = "refs"
    static let summary =
        "Posts and touches by ref, with the installs, conversions and value credited to the last touch."
    static let examples = ["--from yesterday", "--goal premium --format csv"]
    static let parameters: [ReportParameter] =
        [.byPeriod, GroupFinder.limit("posts in the whole range", isOptional: true)]
        + LastTouchParameters.described
    static let columns: [ReportColumn] =
        [
            .text(
                "ref",
                "The category of the post; `(others)` counts all beyond `--limit`, `(none)` events without one, `direct` counts installs and conversions without a touch, `total` counts everything."
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

    static let allColumns = [PeriodParameter.column] + columns + ReportColumn.costs

    static let peopleFigures = LastTouchParameters.peopleFigures + ["posters"]

    let period: PeriodParameter
    /// Nil: all refs are shown.
    let limit: Int?
    /// The only ref that has a row, because the people of one row are wanted; nil: all have. With a limit, which refs
    /// have rows is only known when all are counted.
    let listedRef: String?
    let lastTouch: LastTouchParameters

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        period = try PeriodParameter(reading: &parameters)
        limit = try parameters.optionalGroupLimit()
        let row = limit == nil ? parameters.peek(ReportParameter.peopleGroup.name) : nil
        // The ref stands after the period.
        let names = row?.utf8.split(separator: GroupFinder.separator.utf8, maxSplits: period.length == nil ? 0 : 1)
        listedRef = names?.last.map { String(decoding: $0, as: UTF8.self) }
        lastTouch = try LastTouchParameters(reading: &parameters)
    }

    var namedValues: [NamedValue] {
        guard let listedRef, !ReportNames.all.contains(listedRef) else { return lastTouch.namedValues }
        let listed = NamedValue(parameter: ReportParameter.peopleGroup.name, kind: .key(.ref), text: listedRef)
        return lastTouch.namedValues + [listed]
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = lastTouch.query(in: range)
        query.types.insert(.feedPost)
        query.needs.insert(.refs)
        return query
    }

    func makeFold(_ run: ReportRun) -> RefsFold { RefsFold(self, run) }
}

struct RefsFold: LimitedFold, PeopleFold {
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
        var refs = GroupTable(empty: Row())
        var none = Row()
        var direct = Row()
        /// What has a ref, each once, however many it has.
        var named = Row()
        var total = Row()

        /// Calls `body` with the row of each ref of a list, the ref, its position, and the number of refs. An empty
        /// list has the row `(none)`. Refs that the matcher does not keep have no row; nor have others than `listed`,
        /// if that is not nil.
        @inline(__always)
        mutating func forEachRow(
            of list: Code,
            _ dictionary: TimelineDictionary,
            _ matcher: EventMatcher?,
            _ listed: Code?,
            _ body: (inout Row, Code, Int, Int) -> Void
        ) {
            let count = dictionary.forEachRef(of: list) { ref, index, count in
                if let listed, listed != ref { return }
                if let matcher, !matcher.keeps(ref: ref) { return }
                refs.update(GroupKey(code: ref)) { body(&$0, ref, index, count) }
            }
            if count == 0 { body(&none, .none, 0, 1) }
        }

        // For `(others)`, whose people are distinct, if there is a limit.
        private(set) var touching = GroupPeople()
        private(set) var posting = GroupPeople()

        /// Notes a person who is among the people of these refs, or among their posters.
        mutating func note(_ person: Int, with list: Code, isPoster: Bool, _ dictionary: TimelineDictionary) {
            for ref in dictionary.refs(of: list) {
                guard let position = refs.known(GroupKey(code: ref)) else { continue }
                if isPoster { posting.add(person, to: position) } else { touching.add(person, to: position) }
            }
        }

        /// All refs but some as one row; nil if these are all.
        func others(than shown: ShownGroups) -> Row? {
            refs.others(than: shown, +=) { others, areOthers in
                others.posts.replacePosters(with: posting.count(of: areOthers))
                others.touches.replacePeople(with: touching.count(of: areOthers))
            }
        }

        var size: Int { refs.size + touching.size + posting.size }

        static func += (table: inout Table, other: Table) {
            let places = table.refs.merge(other.refs, +=)
            table.touching.merge(other.touching, at: places)
            table.posting.merge(other.posting, at: places)
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
    private let limit: Int?
    /// The only ref that has rows; nil: all have.
    private let listed: Code?
    private var others: OtherCurrencies
    private var people = 0

    init(_ report: RefsReport, _ run: ReportRun) {
        events = report.lastTouch.events(run)
        matcher = report.lastTouch.filter.makeMatcher(run.dictionary)
        lookback = report.lastTouch.lookback.microseconds
        others = OtherCurrencies(run)
        postMatcher = report.lastTouch.filter.ofPosts.makeMatcher(run.dictionary)
        periods = ReportPeriods(report.period.length, run)
        dictionary = run.dictionary
        tables = Array(repeating: Table(), count: periods.count)
        limit = report.limit
        listed = report.listedRef.map(run.dictionary.ref)
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        people += 1
        let number = person.isPerson ? people : nil
        for touch in person.touches {
            guard let period = periods.position(of: touch.time) else { continue }
            if let matcher, !matcher.keeps(person.events[touch.event]) { continue }
            tables[period].total.touches.add(touch, of: number)
            evidence.note(.touches, in: .total(in: period), at: touch.time, person.events[touch.event])
            if !touch.refs.isNone { tables[period].named.touches.add(touch, of: number) }
            tables[period].forEachRow(of: touch.refs, dictionary, matcher, listed) { row, ref, _, _ in
                row.touches.add(touch, of: number)
                evidence.note(.touches, in: .of(ref, in: period), at: touch.time, person.events[touch.event])
            }
            if limit != nil, let number { tables[period].note(number, with: touch.refs, isPoster: false, dictionary) }
        }
        for position in person.events.indices {
            guard case .feedPost = person.events[position].type else { continue }
            let post = person.events[position]
            guard let outcome = post.outcome, let period = periods.position(of: post.occurredAt) else { continue }
            if let postMatcher, !postMatcher.keeps(post) { continue }
            tables[period].total.posts.add(outcome, by: number)
            evidence.note(post, outcome, in: .total(in: period))
            if !post.refs.isNone { tables[period].named.posts.add(outcome, by: number) }
            tables[period].forEachRow(of: post.refs, dictionary, postMatcher, listed) { row, ref, _, _ in
                row.posts.add(outcome, by: number)
                evidence.note(post, outcome, in: .of(ref, in: period))
            }
            if limit != nil, case .posted = outcome, let number {
                tables[period].note(number, with: post.refs, isPoster: true, dictionary)
            }
        }
        let events = events
        events.forEach(of: person) { event in
            guard let period = periods.position(of: event.time) else { return }
            guard let touch = person.lastTouch(before: event, within: lookback) else {
                guard matcher?.keepsDirect(person.events[event.position]) ?? true else { return }
                tables[period].total.credits.add(event, units: CreditUnits.one)
                others.add(person.events[event.position])
                tables[period].direct.credits.add(event, units: CreditUnits.one)
                let groups = (PeopleGroup.direct(in: period), PeopleGroup.total(in: period))
                let units = CreditUnits.one
                return evidence.note(event, units: units, in: groups.0, and: groups.1, person.events[event.position])
            }
            let units = matcher?.kept(CreditUnits.one, of: person.events[touch.event]) ?? CreditUnits.one
            guard units > 0 else { return }
            tables[period].total.credits.add(event, units: units)
            evidence.note(event, units: units, in: .total(in: period), person.events[event.position])
            others.add(person.events[event.position], units: units)
            if !touch.refs.isNone { tables[period].named.credits.add(event, units: units) }
            tables[period].forEachRow(of: touch.refs, dictionary, matcher, listed) { row, ref, index, count in
                let share = CreditUnits.share(index, of: count, of: CreditUnits.one)
                row.credits.add(event, units: share)
                evidence.note(event, units: share, in: .of(ref, in: period), person.events[event.position])
            }
        }
    }

    var otherCurrencies: [OtherCurrencies] { [others] }
    var size: Int { tables.reduce(0) { $0 + $1.size } }
    var rowCount: Int { tables.reduce(0) { $0 + min(limit ?? .max, $1.refs.rows.count) + 4 } }

    mutating func merge(_ other: RefsFold) {
        others += other.others
        for period in tables.indices { tables[period] += other.tables[period] }
    }

    /// The refs that have rows of their own; nil for all.
    private func shown(beside other: [[ReportCell]]? = nil) -> Set<GroupKey>? {
        // The ref stands after the period.
        let names = other?.map { $0[periods.cells(at: 0).count] }
        return tables.lazy.map(\.refs).shown(limit, beside: names, count: \.posts.posted, name: name)
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        let shown = shown(beside: other)
        return tables.indices.flatMap { period in
            let first = periods.cells(at: period)
            return rows(of: tables[period], showing: shown).map { first + $0 }
        }
    }

    private func name(of ref: GroupKey) -> String { dictionary.refs.text(of: ref.code) }

    private func groups(of table: Table, _ shown: Set<GroupKey>?) -> ShownGroups {
        table.refs.shown(where: { shown?.contains($0) ?? true }, count: \.posts.posted, name: name)
    }

    func peopleRows() -> [PeopleRow] {
        let shown = shown()
        return tables.indices.flatMap { period in
            let groups = groups(of: tables[period], shown)
            func names(_ name: String) -> [ReportCell] { periods.cells(at: period) + [.text(name)] }
            func row(_ name: String, _ group: PeopleGroup, isTotal: Bool = false) -> PeopleRow {
                PeopleRow(names: names(name), groups: [group], isTotal: isTotal)
            }
            return tables[period].refs.peopleRows(of: groups, in: period, names: names, name: name) + [
                row(ReportNames.none, .of(.none, in: period)), row(ReportNames.direct, .direct(in: period)),
                row(ReportNames.total, .total(in: period), isTotal: true),
            ]
        }
    }

    private func rows(of table: Table, showing shown: Set<GroupKey>?) -> [[ReportCell]] {
        let groups = groups(of: table, shown)
        return groups.rows(
            { table.refs[$0].cells(named: name(of: table.refs.keys[$0])) },
            others: table.others(than: groups)?.cells(named: ReportNames.others)
        ) + [
            table.none.cells(named: ReportNames.none),
            table.direct.cells(named: ReportNames.direct),
            // What came by search or directly is no post's doing.
            table.total.cells(named: ReportNames.total).dropLast(2) + table.named.ratios,
        ]
    }
}
