import Time

/// The calendar periods into which `--by` divides a report's range, in the report's time zone.
enum PeriodLength: String, CaseIterable, Sendable {
    /// The range is not divided.
    case none
    case day
    /// Starts on Monday (ISO 8601).
    case week
    case month

    /// The first day of the period that contains a day.
    func start(of day: CivilDate) -> CivilDate {
        switch self {
        case .none, .day: day
        case .week: day.monday
        case .month: day.firstOfMonth
        }
    }

    /// The first day of the next period.
    func next(after start: CivilDate) -> CivilDate {
        switch self {
        case .none, .day: CivilDate(number: start.number + 1)
        case .week: CivilDate(number: start.number + 7)
        // No month has more than 31 days, none fewer than 28.
        case .month: self.start(of: CivilDate(number: start.number + 31))
        }
    }

    /// The smallest number of days in a period.
    var shortestDays: Int64 {
        switch self {
        case .none, .day: 1
        case .week: 7
        case .month: 28
        }
    }
}
