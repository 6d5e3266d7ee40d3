import Time

/// Where the rows of a report by period say which day, week or month they are about.
struct RowPeriods {
    /// The position of the column with the period's first day. Rows with another text, such as `total`, are about no
    /// period.
    var column: Int
    var length: CalendarPeriod
    /// Whether the day is the last part of the text, as in `search / 2026-11-16`. Otherwise it is the first, or all.
    var isLast = false
    /// The position of the column that says how many periods later the row's figures were counted; nil: in the period
    /// itself.
    var laterBy: Int?
    /// With `laterBy`, the last column with what is known before that later period begins.
    var lastKnown: Int?

    /// Whether the later period of a row (``laterBy``) is in the future. A row's own period may be so, too, and yet
    /// have figures: an event may be an hour ahead, and a report counts all that is stored.
    func hasNotBegun(_ row: [ReportCell], at now: Timestamp, _ zone: ReportTimeZone) -> Bool {
        guard laterBy != nil, let number = number(of: row) else { return false }
        return zone.start(of: length.firstDay(ofPeriod: number + later(row))) > now
    }

    /// Whether the period of a row lies whole in the range, and is over; nil for a row about no period.
    ///
    /// - Parameter other: the range that the row's date is of; nil: the range itself. The first period of one stands
    ///   for the first of the other, and so on.
    func isComplete(
        _ row: [ReportCell],
        in range: ReportRange,
        datedLike other: ReportRange? = nil,
        at now: Timestamp,
        _ zone: ReportTimeZone
    ) -> Bool? {
        guard var number = number(of: row) else { return nil }
        func first(_ range: ReportRange) -> Int { length.number(of: zone.day(of: range.from)) }
        if let other { number += first(range) - first(other) }
        func start(_ later: Int) -> Timestamp { zone.start(of: length.firstDay(ofPeriod: number + later)) }
        return range.from <= start(0) && start(1) <= range.to && start(later(row) + 1) <= now
    }

    private func number(of row: [ReportCell]) -> Int? {
        row[column].plainText.flatMap { CivilDate(String(isLast ? $0.suffix(10) : $0.prefix(10))) }
            .map { length.number(of: $0) }
    }

    private func later(_ row: [ReportCell]) -> Int {
        if let laterBy, case .integer(let periods) = row[laterBy] { Int(periods) } else { 0 }
    }
}
