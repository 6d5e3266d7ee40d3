import Timelines

/// A report with its own parameters read. Each is one file in `Reports`, named in `ReportCatalogue`.
protocol Report: Sendable {
    associatedtype Fold: ReportFold

    static var name: String { get }
    /// A sentence for help texts.
    static var summary: String { get }
    /// Its own, beside the common ones.
    static var parameters: [ReportParameter] { get }
    /// Those of the report with its defaults.
    static var columns: [ReportColumn] { get }
    /// Every column that it can have, in order; those that parameters add say so (`ReportColumn.only`).
    static var allColumns: [ReportColumn] { get }

    /// - Throws: `ReportError.usage`.
    init(reading parameters: inout ParameterReader) throws(ReportError)

    /// - Throws: `ReportError.usage` for a range that it cannot answer about.
    func check(_ range: ReportRange) throws(ReportError)

    /// Those of this report: some parameters add columns, or make another table.
    var columns: [ReportColumn] { get }
    /// The statistics in its columns.
    var methods: [StatisticalMethod] { get }

    func query(in range: ReportRange) -> TimelineQuery

    func makeFold(_ run: ReportRun) -> Fold
}

extension Report {
    static var allColumns: [ReportColumn] { columns }
    var columns: [ReportColumn] { Self.columns }
    var methods: [StatisticalMethod] { [] }
    func check(_ range: ReportRange) throws(ReportError) {}
}

/// The counters of one report, filled person by person. Pure: nothing but the timelines decides on the result, and not the
/// order of people.
protocol ReportFold {
    mutating func add(_ person: borrowing PersonTimeline)

    /// Adds what another fold of the same run has counted. No person may have been added to both.
    mutating func merge(_ other: Self)

    /// The report's rows, in order.
    ///
    /// - Throws: `TimelineError`, where it has kept something elsewhere than in memory that is gone.
    consuming func finish() throws -> [[ReportCell]]
}
