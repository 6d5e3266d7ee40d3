import Events
import InboundLinks
import Postgres
import Storage
import Time
import Timelines

/// How logins ended.
struct LoginsReport: AmendedReport {
    static let name = "logins"
    static let summary = "Logins by their outcome and Facebook's error."
    static let examples = ["--by platform", "--from yesterday --to today --format csv"]
    static let parameters: [ReportParameter] = [
        ReportParameter(
            "by",
            "GROUPING",
            "Groups logins by a property that every event has, in a first column 'group'.",
            default: EventGrouping.none.rawValue,
            allowed: groupings.map(\.rawValue)
        ),
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
    static let allColumns = [groupColumn] + columns

    private static let groupings = [EventGrouping.none] + EventGrouping.ofEveryEvent
    private static let groupColumn = ReportColumn.text(
        "group",
        "The group by a property that every event has; `total` counts all groups together."
    ).asPart().only("with `--by`")

    /// A login has the properties of every event, and no other. `sql/logins/count_refused_logins.sql` knows the same.
    let grouping: EventGrouping
    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        grouping = try parameters.choice("by", default: .none, among: Self.groupings)
        filter = try EventFilter(reading: &parameters, keys: EventGrouping.ofEveryEvent)
    }

    var columns: [ReportColumn] { grouping == .none ? Self.columns : Self.allColumns }
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
        return [
            BoundStatement(
                ReportSQL.countRefusedLogins,
                [
                    "app_number": String(events.app.number), "from": events.range.from.spelled.rfc3339,
                    "to": events.range.to.spelled.rfc3339, "by": grouping.rawValue,
                    "limit": String(AnswerSize.read + 1), "conditions": BoundStatement.array(conditions),
                ]
            )
        ]
    }

    /// Adds the rows of refused logins, by outcome and error.
    func amended(
        _ rows: [[ReportCell]],
        about events: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]] {
        try AnswerSize.check(read: answers.reduce(0) { max($0, $1.count) })
        var refused: [[UInt8]: [LoginsFold.Row]] = [:]
        for row in answers.joined() {
            let group = try row.optionalText(4) ?? ReportNames.total
            refused[Array(group.utf8), default: []].append(
                LoginsFold.Row(
                    outcome: try row.text(0),
                    errorCode: try row.optionalInt64(1),
                    attempts: try row.int64(2),
                    people: try row.int64(3)
                )
            )
        }
        return amended(rows, with: refused)
    }

    /// - Parameters:
    ///   - rows: those of the fold: of each group granted logins, if there are any, and all.
    ///   - refused: by the bytes of the group's name, because two spellings of é are equal as strings.
    private func amended(_ rows: [[ReportCell]], with refused: [[UInt8]: [LoginsFold.Row]]) -> [[ReportCell]] {
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
            let others = refused[Array(group.utf8)] ?? []
            amended += (granted + others).sorted().map { cells[..<names] + $0.cells(of: attempts) } + [cells]
            granted = []
        }
        return amended
    }
}

struct LoginsFold: ReportFold {
    /// The logins with one outcome and error.
    struct Row: Equatable {
        var outcome: String
        var errorCode: Int64?
        var attempts: Int64 = 0
        var people: Int64 = 0

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
        private(set) var granted = Row(outcome: LoginOutcome.granted.rawValue)
        private(set) var all = Row(outcome: ReportNames.total)
        // The numbers of the last counted people, so that each person counts once.
        private var lastGranted = -1
        private var last = -1

        /// - Parameter person: a number that only this person has; nil for an anonymous login.
        mutating func add(isGranted: Bool, of person: Int?) {
            all.attempts += 1
            if isGranted { granted.attempts += 1 }
            guard let person else { return }
            if person != last { all.people += 1 }
            last = person
            guard isGranted else { return }
            if person != lastGranted { granted.people += 1 }
            lastGranted = person
        }

        static func += (counts: inout Counts, other: Counts) {
            counts.all.attempts += other.all.attempts
            counts.all.people += other.all.people
            counts.granted.attempts += other.granted.attempts
            counts.granted.people += other.granted.people
        }
    }

    private let grouping: EventGrouping
    private let range: ReportRange
    private let matcher: EventMatcher?
    private let finder: GroupFinder
    private var groups: [GroupKey: Counts] = [:]
    private var total = Counts()
    private var people = 0

    init(_ report: LoginsReport, _ run: ReportRun) {
        grouping = report.grouping
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
            guard grouping != .none else { continue }
            finder.forEachKey(of: event, at: event.occurredAt) { key in
                groups[key, default: Counts()].add(isGranted: isGranted, of: number)
            }
        }
    }

    var size: Int { groups.heldSize }
    var rowCount: Int { 2 * groups.count + 2 }

    mutating func merge(_ other: LoginsFold) {
        for (key, counts) in other.groups { groups[key, default: Counts()] += counts }
        total += other.total
    }

    consuming func finish() -> [[ReportCell]] {
        func rows(_ counts: Counts) -> [[ReportCell]] {
            (counts.granted.attempts > 0 ? [counts.granted] : []).map { $0.cells(of: counts.all.attempts) }
                + [counts.all.cells(of: counts.all.attempts)]
        }
        guard grouping != .none else { return rows(total) }
        let named = finder.ordered(groups.map { ($0.key, $0.value) }) { $0.all.attempts }
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
