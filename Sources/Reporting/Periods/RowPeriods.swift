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

    /// Whether the period of a row lies whole in the range, and is over; nil for a row about no period.
    func isComplete(_ row: [ReportCell], in range: ReportRange, at now: Timestamp, _ zone: ReportTimeZone) -> Bool? {
        guard let text = row[column].plainText,
            let day = CivilDate(String(isLast ? text.suffix(10) : text.prefix(10)))
        else { return nil }
        let number = length.number(of: day)
        func start(_ later: Int) -> Timestamp { zone.start(of: length.firstDay(ofPeriod: number + later)) }
        var later = 0
        if let laterBy, case .integer(let periods) = row[laterBy] { later = Int(periods) }
        return range.from <= start(0) && start(1) <= range.to && start(later + 1) <= now
    }
}
