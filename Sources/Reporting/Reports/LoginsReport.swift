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
    static let examples = ["--from 7d", "--from yesterday --to today --format csv"]
    static let parameters: [ReportParameter] = [.filter(keys)]
    static let columns: [ReportColumn] = [
        .text("outcome", "`granted`, `cancelled`, `denied` or `failed`; `total` counts all."),
        .integer(
            "error_code",
            unit: "code",
            "Facebook's error of a login that was not granted; empty if it has none."
        ).asKey(),
        .integer("attempts", unit: "logins", "`authentication` events in the range with this outcome and error."),
        .integer("people", unit: "people", "Distinct people of these attempts."),
        .rate("share", "`attempts` ÷ those of `total`."),
    ]

    /// `sql/logins/count_refused_logins.sql` filters by it, too.
    private static let keys = [EventGrouping.platform]

    let filter: EventFilter

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        filter = try EventFilter(reading: &parameters, keys: Self.keys)
    }

    func query(in range: ReportRange) -> TimelineQuery {
        var query = TimelineQuery([.authentication], in: range, needs: [])
        filter.add(to: &query)
        return query
    }

    /// Timelines know outcomes, but no errors.
    func makeFold(_ run: ReportRun) -> LoginsFold {
        LoginsFold(range: run.range, matcher: filter.makeMatcher(run.dictionary))
    }

    func statements(about events: AppRange) -> [BoundStatement] {
        [
            BoundStatement(
                ReportSQL.countRefusedLogins,
                [
                    "app_number": String(events.app.number), "from": events.range.from.spelled.rfc3339,
                    "to": events.range.to.spelled.rfc3339,
                    "platforms": BoundStatement.array(filter.keptValues(of: .platform)),
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
        let refused = try answers.joined().map { row in
            LoginsFold.Row(
                outcome: try row.text(0),
                errorCode: try row.optionalInt64(1),
                attempts: try row.int64(2),
                people: try row.int64(3)
            )
        }
        return Self.rows(rows, with: refused)
    }

    /// - Parameter rows: those of the fold: granted logins, if there are any, and all.
    static func rows(_ rows: [[ReportCell]], with refused: [LoginsFold.Row]) -> [[ReportCell]] {
        guard let total = rows.last, case .integer(let all) = total[2] else { return rows }
        let granted = rows.dropLast().compactMap { cells -> LoginsFold.Row? in
            guard case .integer(let attempts) = cells[2], case .integer(let people) = cells[3] else { return nil }
            return LoginsFold.Row(outcome: LoginOutcome.granted.rawValue, attempts: attempts, people: people)
        }
        return (granted + refused).sorted().map { $0.cells(of: all) } + [total]
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

    private let range: ReportRange
    private let matcher: EventMatcher?
    private var granted = Row(outcome: LoginOutcome.granted.rawValue)
    private var total = Row(outcome: ReportNames.total)

    init(range: ReportRange, matcher: EventMatcher?) {
        self.range = range
        self.matcher = matcher
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        var own = (granted: Int64(0), all: Int64(0))
        for position in person.events.indices {
            let event = person.events[position]
            guard case .authentication = event.type, range.contains(event.occurredAt), matcher?.keeps(event) ?? true
            else { continue }
            own.all += 1
            if case .granted = event.login { own.granted += 1 }
        }
        total.attempts += own.all
        granted.attempts += own.granted
        guard person.isPerson else { return }
        if own.all > 0 { total.people += 1 }
        if own.granted > 0 { granted.people += 1 }
    }

    mutating func merge(_ other: LoginsFold) {
        for (own, others) in [(\Self.granted, other.granted), (\Self.total, other.total)] {
            self[keyPath: own].attempts += others.attempts
            self[keyPath: own].people += others.people
        }
    }

    consuming func finish() -> [[ReportCell]] {
        let all = total.attempts
        return (granted.attempts > 0 ? [granted.cells(of: all)] : []) + [total.cells(of: all)]
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
