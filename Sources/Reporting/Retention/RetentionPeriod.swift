import Time

/// The calendar period by which `retention` groups people and counts returns, in the report's time zone.
enum RetentionPeriod: String, CaseIterable, Sendable {
    case day
    /// Starts on Monday.
    case week
    case month

    /// The most days that a period has.
    var longestDays: Int {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 31
        }
    }

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
        case .day: CivilDate(number: number)
        case .week: CivilDate(number: number * 7 - 3)
        case .month:
            CivilDate(
                year: floorQuotient(number, by: 12),
                month: number - floorQuotient(number, by: 12) * 12 + 1,
                day: 1
            )
                ?? Self.afterLastYear
        }
    }

    private static let afterLastYear = CivilDate(number: 2_932_897)
}
