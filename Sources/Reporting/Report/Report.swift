import Postgres
import Storage
import Time
import Timelines

/// A report with its own parameters read. Each report is one file in `Reports`, named in `ReportCatalogue`.
protocol Report: Sendable {
    associatedtype Fold: ReportFold

    static var name: String { get }
    /// One sentence for help texts.
    static var summary: String { get }
    /// The report's own parameters, beside the common ones.
    static var parameters: [ReportParameter] { get }
    /// The columns of the report with its defaults.
    static var columns: [ReportColumn] { get }
    /// All columns that the report can have, in order. Those that depend on a parameter say so (`ReportColumn.only`).
    static var allColumns: [ReportColumn] { get }

    /// For help texts: what follows the report's name in two commands that are worth copying.
    static var examples: [String] { get }

    /// - Throws: `ReportError.usage`.
    init(reading parameters: inout ParameterReader) throws(ReportError)

    /// - Throws: `ReportError.usage` if the report cannot cover the range.
    func check(_ range: ReportRange) throws(ReportError)

    /// The first instant of starts that are not mature: what starts there (a funnel, a cohort, the story of a post) can
    /// still go on after `now`. Nil if nothing in the report goes on after it starts.
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp?

    /// Where the rows say which period they are about; nil if they are about none.
    var rowPeriods: RowPeriods? { get }

    /// The column `complete` of a report whose rows can be about periods.
    static var completeColumn: ReportColumn? { get }

    /// What `--people` can name, as help shows it; empty for all but a ``PeopleReport``.
    static var peopleFigures: [String] { get }

    /// Whether the report compares the range with the preceding one in columns of its own. For all others, the rows of
    /// both ranges are joined by the columns that name them.
    static var comparesItself: Bool { get }

    /// Whether the report is about two ranges, also if nobody asks to compare.
    static var needsPrevious: Bool { get }

    /// Whether the fold keeps each person who installed or posted, whatever the question is narrowed to.
    static var keepsPeople: Bool { get }

    /// Why the report cannot be about some people alone (`--with`); nil if it can.
    static var reasonAgainstPeople: String? { get }

    /// The columns of this request: some parameters add columns, or select another table.
    var columns: [ReportColumn] { get }
    /// The statistics in the columns.
    var methods: [StatisticalMethod] { get }
    /// The values of the request that only events can tell, for warnings about those that occur nowhere.
    var namedValues: [NamedValue] { get }

    /// What makes its figures of two ranges unlike; nil if nothing does.
    var caveatOfComparison: String? { get }

    /// What a reader must know of the rows.
    func warnings(of rows: [[ReportCell]]) -> [ReportWarning]

    /// What the report needs beside the goals of ``namedValues``.
    func query(in range: ReportRange) -> TimelineQuery

    func makeFold(_ run: ReportRun) -> Fold
}

extension Report {
    /// All that is read for the report: what it asks for, and the names of conversions if it tells some apart.
    func completeQuery(in range: ReportRange) -> TimelineQuery {
        var query = query(in: range)
        if namedValues.contains(where: { $0.kind == .goal }) { query.needs.insert(.goals) }
        return query
    }

    static var allColumns: [ReportColumn] { columns }
    static var examples: [String] { [] }
    var columns: [ReportColumn] { Self.columns }
    var methods: [StatisticalMethod] { [] }
    var namedValues: [NamedValue] { [] }
    var caveatOfComparison: String? { nil }
    func warnings(of rows: [[ReportCell]]) -> [ReportWarning] { [] }
    func check(_ range: ReportRange) throws(ReportError) {}
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { nil }
    var rowPeriods: RowPeriods? { nil }
    static var peopleFigures: [String] { [] }
    static var comparesItself: Bool { false }
    static var needsPrevious: Bool { false }
    static var keepsPeople: Bool { false }
    static var reasonAgainstPeople: String? { nil }

    static var completeColumn: ReportColumn? {
        allColumns.first(where: \.isCalendar).map { calendar in
            calendar.condition.map { ReportColumn.complete.only($0) } ?? .complete
        }
    }
}

/// A range of an app's events, and the time zone of its dates.
struct AppRange {
    var app: App
    var range: ReportRange
    var zone: ReportTimeZone
}

/// A report with facts that are not in timelines.
protocol AmendedReport: Report {
    /// What it reads in the snapshot of the timelines. `--sql` prints them too.
    func statements(about events: AppRange) -> [BoundStatement]

    /// Adds the facts to the rows of the fold.
    ///
    /// - Parameters:
    ///   - other: the rows of the fold of the other range, if there is one.
    ///   - answers: the rows of each statement.
    ///   - connection: for facts about what the rows name. It reads later than the snapshot.
    func amended(
        _ rows: [[ReportCell]],
        beside other: [[ReportCell]]?,
        about events: AppRange,
        with answers: [[PostgresRow]],
        on connection: isolated PostgresConnection
    ) throws -> [[ReportCell]]
}

extension AmendedReport {
    func statements(about events: AppRange) -> [BoundStatement] { [] }
}

/// The counters of one report, filled person by person. The result depends only on the timelines, and not on the order
/// of people.
protocol ReportFold {
    mutating func add(_ person: borrowing PersonTimeline)

    /// Adds a person who may count in no range or in one alone (``FilteredFold``). A fold must know of those who do not
    /// count only if others depend on them.
    mutating func add(_ person: borrowing PersonTimeline, counting ranges: CountedRanges)

    /// What no `value` contains, because it is in other currencies: one for each range.
    var otherCurrencies: [OtherCurrencies] { get }

    /// About how many bytes its groups take, which may be as many as a key has values; without those that have a limit
    /// of their own.
    var size: Int { get }

    /// How many rows it will have at most; 0 if these are always few, or if the fold itself looks.
    var rowCount: Int { get }

    /// Adds the counters of another fold of the same run. No person may have been added to both.
    mutating func merge(_ other: Self)

    /// The report's rows, in order.
    ///
    /// - Throws: `TimelineError` if the fold's temporary file cannot be read; `ReportError` if they are too many.
    consuming func finish() throws -> [[ReportCell]]
}

extension ReportFold {
    mutating func add(_ person: borrowing PersonTimeline, counting ranges: CountedRanges) {
        if ranges.contains(.own) { add(person) }
    }

    var otherCurrencies: [OtherCurrencies] { [] }
    var size: Int { 0 }
    var rowCount: Int { 0 }
}

/// The fold of a report that shows only some rows. Beside another range, it shows those of that range.
protocol LimitedFold: ReportFold {
    /// - Parameter rows: those of the other range; nil if there is none.
    consuming func finish(beside rows: [[ReportCell]]?) throws -> [[ReportCell]]
}

extension LimitedFold {
    consuming func finish() throws -> [[ReportCell]] { try finish(beside: nil) }
}
