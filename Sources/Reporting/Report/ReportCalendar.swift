import Time

/// The column of a report that has the first days of calendar periods.
struct ReportCalendar {
    /// The position of the column.
    var column: Int
    var period: RetentionPeriod

    /// How many periods after the one in which a range starts a period begins.
    func place(of day: CivilDate, in range: ReportRange, _ zone: ReportTimeZone) -> Int {
        period.number(of: day) - period.number(of: zone.day(of: range.from))
    }

    /// The first day of the period at a place.
    func day(at place: Int, in range: ReportRange, _ zone: ReportTimeZone) -> CivilDate {
        period.firstDay(ofPeriod: period.number(of: zone.day(of: range.from)) + place)
    }
}
