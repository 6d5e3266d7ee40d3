import Postgres
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

    /// The column with the first days of calendar periods, and their length; nil if there is none.
    var calendar: ReportCalendar? { get }

    /// Where the rows say which period they are about; nil if they are about none.
    var rowPeriods: RowPeriods? { get }

    /// The column `complete` of a report whose rows can be about periods.
    static var completeColumn: ReportColumn? { get }

    /// The positions of columns whose values divide the table into parts, each with rows of its own such as `total`.
    /// The calendar's column is not one of them.
    var parts: [Int] { get }

    /// The columns of this request: some parameters add columns, or select another table.
    var columns: [ReportColumn] { get }
    /// The statistics in the columns.
    var methods: [StatisticalMethod] { get }
    /// The values of the request that only events can tell, for warnings about those that occur nowhere.
    var namedValues: [NamedValue] { get }

    func query(in range: ReportRange) -> TimelineQuery

    func makeFold(_ run: ReportRun) -> Fold
}

extension Report {
    static var allColumns: [ReportColumn] { columns }
    static var examples: [String] { [] }
    var columns: [ReportColumn] { Self.columns }
    var methods: [StatisticalMethod] { [] }
    var namedValues: [NamedValue] { [] }
    func check(_ range: ReportRange) throws(ReportError) {}
    func matureEnd(at now: Timestamp, in zone: ReportTimeZone) -> Timestamp? { nil }
    var calendar: ReportCalendar? { nil }
    var rowPeriods: RowPeriods? { calendar.map { RowPeriods(column: $0.column, length: $0.period) } }

    static var completeColumn: ReportColumn? {
        allColumns.first(where: \.isCalendar).map { calendar in
            calendar.condition.map { ReportColumn.complete.only($0) } ?? .complete
        }
    }

    var parts: [Int] { [] }
}

/// A report that also says what is not in timelines.
protocol CompletedReport: Report {
    /// Adds it to the table of the fold.
    func completed(
        _ table: ReportTable,
        of request: ReportRequest,
        on connection: isolated PostgresConnection
    ) throws -> ReportTable
}

/// A report with facts that are not in timelines. It reads them in the snapshot of the timelines.
protocol AmendedReport: Report {
    /// What it reads them by. `--sql` prints them too.
    func statements(of request: ReportRequest) -> [BoundStatement]

    /// Adds them to the table of the fold.
    ///
    /// - Parameter answers: the rows of each statement.
    func amended(
        _ table: ReportTable,
        of request: ReportRequest,
        with answers: [[PostgresRow]]
    ) throws -> ReportTable
}

extension AmendedReport {
    func answers(of request: ReportRequest, on connection: isolated PostgresConnection) throws -> [[PostgresRow]] {
        try ScanPlanning.byHash.apply(on: connection)
        return try statements(of: request).map { Array(try connection.query($0.text)) }
    }
}

/// The counters of one report, filled person by person. The result depends only on the timelines, and not on the order
/// of people.
protocol ReportFold {
    mutating func add(_ person: borrowing PersonTimeline)

    /// What no `value` contains, because it is in other currencies: one for each range.
    var otherCurrencies: [OtherCurrencies] { get }

    /// Adds the counters of another fold of the same run. No person may have been added to both.
    mutating func merge(_ other: Self)

    /// The report's rows, in order.
    ///
    /// - Throws: `TimelineError` if the fold's temporary file cannot be read.
    consuming func finish() throws -> [[ReportCell]]

    /// The same for the preceding range: a report that shows only some rows shows those of this range.
    ///
    /// - Parameter rows: those of this range.
    consuming func finish(beside rows: [[ReportCell]]) throws -> [[ReportCell]]
}

extension ReportFold {
    var otherCurrencies: [OtherCurrencies] { [] }

    consuming func finish(beside rows: [[ReportCell]]) throws -> [[ReportCell]] { try finish() }
}
