import Time

/// A period of the calendar in a time zone.
package enum CalendarPeriod: String, CaseIterable, Sendable {
    case day
    /// Starts on Monday (ISO 8601).
    case week
    case month

    /// How many days a period has.
    var days: ClosedRange<Int> {
        switch self {
        case .day: 1...1
        case .week: 7...7
        case .month: 28...31
        }
    }

    /// The first day of the period that contains a day.
    func start(of day: CivilDate) -> CivilDate {
        switch self {
        case .day: day
        case .week: day.monday
        case .month: day.firstOfMonth
        }
    }

    /// The first day of the next period.
    func next(after start: CivilDate) -> CivilDate { self.start(of: CivilDate(number: start.number + days.upperBound)) }

    /// The number of the period that contains a day. Periods that follow one another have consecutive numbers.
    func number(of day: CivilDate) -> Int {
        switch self {
        case .day: return day.number
        case .week: return floorQuotient(day.number + 3, by: 7)
        case .month:
            let (year, month, _) = day.components
            return year * 12 + month - 1
        }
    }

    /// The first day of a period. A month after the year 9999 begins on the day after that year.
    func firstDay(ofPeriod number: Int) -> CivilDate {
        switch self {
        case .day: return CivilDate(number: number)
        case .week: return CivilDate(number: number * 7 - 3)
        case .month:
            let year = floorQuotient(number, by: 12)
            return CivilDate(year: year, month: number - year * 12 + 1, day: 1) ?? Self.afterLastYear
        }
    }

    private static let afterLastYear = CivilDate(number: 2_932_897)
}
