import Time

/// The figures of a table in one period, as messages name them.
package struct PeriodFigures: Hashable, Sendable, CustomStringConvertible {
    package let table: String
    package let granularity: String
    /// The period's first day, as `2026-01-31`.
    package let startsOn: String

    init(_ table: FigureTable, _ period: FigurePeriod) {
        self.table = table.rawValue
        granularity = period.granularity.rawValue
        startsOn = period.start.description
    }

    /// Why a period has none.
    package static let reasonToLeaveOut =
        "there are more groups than memory holds; ask a report about fewer days (docs/bi.md)"

    package var description: String { "\(table) figures of the \(granularity) of \(startsOn)" }
}
