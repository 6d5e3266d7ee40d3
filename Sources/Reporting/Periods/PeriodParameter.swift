import Time

/// `--by day|week|month`: how a report's range is divided into periods.
struct PeriodParameter: Sendable {
    /// The most periods that a report shows: more than five years of days.
    static let limit: Int64 = 2000
    static let column = ReportColumn.text(
        "period",
        "The first day of the period in which the row's figures were counted, in the report's time zone. A week starts on Monday."
    ).asCalendar().only("with `--by day|week|month`")

    fileprivate enum Choice: String, CaseIterable { case none, day, week, month }

    /// Nil: the range is not divided.
    let length: CalendarPeriod?
    private let name: String

    /// - Parameter name: that of the parameter.
    init(_ length: CalendarPeriod?, named name: String) {
        self.length = length
        self.name = name
    }

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        let choice = parameters.isGiven("by") ? try parameters.choice("by", default: Choice.none) : .none
        self.init(CalendarPeriod(rawValue: choice.rawValue), named: "by")
    }

    /// `columns`, with a column for the period before them if the range is divided.
    func columns(before columns: [ReportColumn]) -> [ReportColumn] {
        length == nil ? columns : [Self.column] + columns
    }

    var rowPeriods: RowPeriods? { length.map { RowPeriods(column: 0, length: $0) } }

    /// - Throws: `ReportError.usage` for a range with more than ``limit`` periods.
    func check(_ range: ReportRange) throws(ReportError) {
        guard let length else { return }
        let microseconds = range.to.microseconds - range.from.microseconds
        let most = microseconds / (Int64(length.days.lowerBound) * 86_400_000_000) + 1
        guard most <= Self.limit else {
            throw .invalid(
                name,
                "the range has more than \(Self.limit) periods of a \(length.rawValue); ask for a shorter range"
                    + (length == .month ? "" : ", or for \(length == .day ? "weeks or months" : "months")")
            )
        }
    }
}

/// A report with `--by day|week|month`.
protocol PeriodReport: Report {
    var period: PeriodParameter { get }
}

extension PeriodReport {
    static var allColumns: [ReportColumn] { [PeriodParameter.column] + columns }
    var columns: [ReportColumn] { period.columns(before: Self.columns) }
    var rowPeriods: RowPeriods? { period.rowPeriods }
    func check(_ range: ReportRange) throws(ReportError) { try period.check(range) }
}

extension ReportParameter {
    static let byPeriod = ReportParameter(
        "by",
        "PERIOD",
        "Count each day, week (from Monday) or month of the range for itself, in a first column 'period'.",
        default: "none",
        allowed: PeriodParameter.Choice.allCases.map(\.rawValue)
    )
}
