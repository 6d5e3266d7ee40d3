import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// How logins ended.
struct LoginsReport: PeriodReport, AmendedReport {
    static let name = "logins"
    static let summary = "Logins by their outcome and Facebook's error."
    static let examples = ["--by platform", "--by day --from 14days --format csv"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "GROUPING",
            "Groups logins by a property that every event has, in a first column 'group'; or counts each day, week (from Monday) or month of the range for itself, in a first column 'period'.",
            default: EventGrouping.none.rawValue,
            allowed: groupings.map(\.rawValue)
        ),
        GroupFinder.limit("attempts", isOptional: true, needsProperty: true),
        .filter(EventGrouping.ofEveryEvent),
    ]
    static let columns: [ReportColumn] = [
        .text("outcome", "`granted`, `cancelled`, `denied` or `failed`; `total` counts all."),
        .integer(
            "error_code",
            unit: "code",
            "Facebook's error of a login that was not granted; empty if it has none."
        ).asKey(),
        .integer("attempts", unit: "logins", "`authentication` events in the range with this outcome and error."),
        .integer("people", unit: "people", "Distinct people of these attempts."),
        .rate("share", "`attempts` ÷ those of the `total` of the group."),
    ]
    static let allColumns = [PeriodParameter.column, groupColumn] + columns

    static let reasonAgainstPeople: String? =
        "the report logins counts errors without telling people apart; compare with the metric login_failure takes it"

    private static let groupings = [EventGrouping.none, .day, .week, .month] + EventGrouping.ofEveryEvent
    private static let groupColumn = ReportColumn.text(
        "group",
        "The group by a property that every event has; `(others)` counts all beyond `--limit`, `total` all groups together."
    ).asPart().only("with `--by` a property")

    /// A login has the properties of every event, and no other. `sql/fragments/refused_logins.sql` knows the same.
    let grouping: EventGrouping
    let period: PeriodParameter
    /// Nil: all groups are shown.
    let limit: Int?
    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        grouping = try parameters.choice("by", default: .none, among: Self.groupings)
        period = PeriodParameter(grouping.period, named: "by")
        limit = try parameters.optionalGroupLimit()
        if limit != nil, grouping == .none || grouping.period != nil {
            throw .usage(
                message:
                    "\(parameter: "limit") is for groups by a property, such as \(parameter: "by", value: "platform"); other rows of \(Self.name) are all shown",
                field: "limit"
            )
        }
        filter = try EventFilter(reading: &parameters, keys: EventGrouping.ofEveryEvent)
    }

    /// Whether groups may be together in `(others)`.
    private var isLimited: Bool { limit != nil }

    var columns: [ReportColumn] {
        grouping == .none || period.length != nil
            ? period.columns(before: Self.columns) : [Self.groupColumn] + Self.columns
    }
    var namedValues: [NamedValue] { filter.namedValues }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery([.authentication], in: range, needs: [])
        query.need(grouping)
        filter.add(to: &query)
        return query
    }

    /// Timelines know outcomes, but no errors.
    func makeFold(_ run: ReportRun) -> LoginsFold { LoginsFold(self, run) }

    func statements(about events: AppRange) -> [BoundStatement] {
        let conditions = filter.conditions.map { condition in
            BoundStatement.array([condition.key.rawValue, String(condition.isExclusion)] + condition.values)
        }
        let periods = ReportPeriods(period.length, in: events.range, events.zone)
        let texts = [ReportSQL.countRefusedLogins] + (isLimited ? [ReportSQL.countPeopleOfSeveralGroups] : [])
        return texts.map { text in
            BoundStatement(
                text,
                [
                    "app_number": String(events.app.number), "from": events.range.from.spelled.rfc3339,
                    "to": events.range.to.spelled.rfc3339, "by": period.length == nil ? grouping.rawValue : "period",
                    "periods": BoundStatement.array(periods.names),
                    "starts": BoundStatement.array(periods.starts.map(\.spelled.rfc3339)),
                    "limit": String(AnswerSize.read + 1), "conditions": BoundStatement.array(conditions),
                ]
            )
        }
    }

    /// Adds the rows of refused logins, by outcome and error.
    func amended(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]]?,
        about events: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]] {
        try AnswerSize.check(read: answers.reduce(0) { max($0, $1.count) })
        let shown = Set(rows.lazy.map { Array(($0[0].plainText ?? "").utf8) })
        func isOther(_ group: String) -> Bool { isLimited && !shown.contains(Array(group.utf8)) }
        let others = Array(ReportNames.others.utf8)
        var refused: [[UInt8]: [LoginsFold.Row: LoginsFold.Row]] = [:]
        for (statement, answer) in answers.enumerated() {
            for row in answer {
                let kind = LoginsFold.Row(outcome: try row.text(0), errorCode: try row.optionalInt64(1))
                if statement == 0 {
                    let group = try row.optionalText(4) ?? ReportNames.total
                    var counts = kind
                    (counts.attempts, counts.people) = (try row.int64(2), try row.int64(3))
                    refused[isOther(group) ? others : Array(group.utf8), default: [:]][kind, default: kind] += counts
                } else {
                    // Whoever is in several of the others has counted in each.
                    let surplus = try row.textArray(3).count(where: isOther) - 1
                    if surplus > 0 { refused[others]?[kind]?.people -= try row.int64(2) * Int64(surplus) }
                }
            }
        }
        return amended(rows, with: refused)
    }

    /// - Parameters:
    ///   - rows: those of the fold: of each group or period granted logins, if there are any, and all.
    ///   - refused: by the bytes of the group's name, because two spellings of é are equal as strings; then by outcome
    ///     and error, as a row without counts.
    private func amended(
        _ rows: [[ReportCell]],
        with refused: [[UInt8]: [LoginsFold.Row: LoginsFold.Row]]
    ) -> [[ReportCell]] {
        let names = grouping == .none ? 0 : 1
        var amended: [[ReportCell]] = []
        var granted: [LoginsFold.Row] = []
        for cells in rows {
            guard case .integer(let attempts) = cells[names + 2], case .integer(let people) = cells[names + 3] else {
                continue
            }
            guard cells[names] == .text(ReportNames.total) else {
                let outcome = LoginOutcome.granted.rawValue
                granted.append(LoginsFold.Row(outcome: outcome, attempts: attempts, people: people))
                continue
            }
            let group = names == 0 ? ReportNames.total : cells[0].plainText ?? ""
            let others = refused[Array(group.utf8)] ?? [:]
            amended += (granted + others.values).sorted().map { cells[..<names] + $0.cells(of: attempts) } + [cells]
            granted = []
        }
        return amended
    }
}

struct LoginsFold: LimitedFold {
    /// The logins with one outcome and error.
    struct Row: Hashable {
        var outcome: String
        var errorCode: Int64?
        var attempts: Int64 = 0
        var people: Int64 = 0

        static func += (row: inout Row, other: Row) {
            row.attempts += other.attempts
            row.people += other.people
        }

        /// - Parameter all: the attempts of all rows.
        func cells(of all: Int64) -> [ReportCell] {
            [
                .text(outcome), errorCode.map { .integer($0) } ?? .empty, .integer(attempts), .integer(people),
                .fraction(attempts, of: all),
            ]
        }
    }

    /// The logins of one group.
    private struct Counts {
        var granted = Row(outcome: LoginOutcome.granted.rawValue)
        var all = Row(outcome: ReportNames.total)
        // The numbers of the last counted people, so that each person counts once.
        private var lastGranted = -1
        private var last = -1

        /// - Parameter person: a number that only this person has; nil for an anonymous login.
        /// - Returns: whether the person was not counted yet, in all and among the granted.
        @discardableResult
        mutating func add(isGranted: Bool, of person: Int?) -> (isNew: Bool, isNewlyGranted: Bool) {
            all.attempts += 1
            if isGranted { granted.attempts += 1 }
            guard let person else { return (false, false) }
            let (isNew, isNewlyGranted) = (person != last, isGranted && person != lastGranted)
            if isNew { all.people += 1 }
            if isNewlyGranted { granted.people += 1 }
            last = person
            if isGranted { lastGranted = person }
            return (isNew, isNewlyGranted)
        }

        static func += (counts: inout Counts, other: Counts) {
            counts.all += other.all
            counts.granted += other.granted
        }
    }

    private let grouping: EventGrouping
    private let periods: ReportPeriods
    private let range: ReportRange
    private let matcher: EventMatcher?
    private let finder: GroupFinder
    private let limit: Int?
    private var groups = GroupTable(empty: Counts())
    private var total = Counts()
    // For `(others)`, whose people are distinct.
    private var trying = GroupPeople()
    private var entering = GroupPeople()
    private var people = 0

    init(_ report: LoginsReport, _ run: ReportRun) {
        grouping = report.grouping
        periods = ReportPeriods(report.period.length, run)
        limit = report.limit
        range = run.range
        matcher = report.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(report.grouping, matching: matcher, run)
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        let number = person.isPerson ? people : nil
        for position in person.events.indices {
            let event = person.events[position]
            guard case .authentication = event.type, range.contains(event.occurredAt), matcher?.keeps(event) ?? true
            else { continue }
            let isGranted = if case .granted = event.login { true } else { false }
            total.add(isGranted: isGranted, of: number)
            guard grouping.period == nil else {
                let period = GroupKey(number: periods.position(of: event.occurredAt))
                groups.update(period) { $0.add(isGranted: isGranted, of: number) }
                continue
            }
            guard grouping != .none else { continue }
            finder.forEachKey(of: event, at: event.occurredAt) { key in
                let group = groups.position(of: key)
                let (isNew, isNewlyGranted) = groups[group].add(isGranted: isGranted, of: number)
                guard limit != nil else { return }
                if isNew { trying.add(people, to: group) }
                if isNewlyGranted { entering.add(people, to: group) }
            }
        }
    }

    var size: Int { groups.size + trying.size + entering.size }
    var rowCount: Int { 2 * max(periods.count, min(limit.map { $0 + 2 } ?? .max, groups.rows.count)) + 2 }

    mutating func merge(_ other: LoginsFold) {
        let places = groups.merge(other.groups, +=)
        trying.merge(other.trying, at: places)
        entering.merge(other.entering, at: places)
        total += other.total
    }

    func finish(beside other: [[ReportCell]]?) -> [[ReportCell]] {
        func rows(_ counts: Counts) -> [[ReportCell]] {
            (counts.granted.attempts > 0 ? [counts.granted] : []).map { $0.cells(of: counts.all.attempts) }
                + [counts.all.cells(of: counts.all.attempts)]
        }
        guard grouping != .none else { return rows(total) }
        guard grouping.period == nil else {
            return (0..<periods.count).flatMap { period in
                rows(groups[GroupKey(number: period)]).map { periods.cells(at: period) + $0 }
            }
        }
        let shown = groups.shown(limit, beside: other?.map { $0[0] }, count: \.all.attempts, name: finder.name(of:))
        let others = groups.others(than: shown, +=) { others, areOthers in
            others.all.people = trying.count(of: areOthers)
            others.granted.people = entering.count(of: areOthers)
        }
        let named = shown.rows(
            { (name: finder.name(of: groups.keys[$0]), counts: groups[$0]) },
            others: others.map { (ReportNames.others, $0) }
        )
        return (named + [(ReportNames.total, total)]).flatMap { name, counts in
            rows(counts).map { [.text(name)] + $0 }
        }
    }
}

extension LoginsFold.Row: Comparable {
    /// By attempts, the most first; then by outcome and error, no error before all.
    static func < (first: Self, second: Self) -> Bool {
        if first.attempts != second.attempts { return first.attempts > second.attempts }
        if first.outcome != second.outcome { return precedes(first.outcome, second.outcome) }
        return (first.errorCode ?? .min) < (second.errorCode ?? .min)
    }
}
