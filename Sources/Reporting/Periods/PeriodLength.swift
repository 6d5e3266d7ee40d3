import Time

/// What a report's range is cut into with `--by`: stretches of the calendar in the report's time zone.
enum PeriodLength: String, CaseIterable, Sendable {
    /// The range stays whole.
    case none
    case day
    /// From Monday (ISO 8601).
    case week
    case month

    /// The first day of the period that a day lies in.
    func start(of day: CivilDate) -> CivilDate {
        switch self {
        case .none, .day: day
        case .week: day.monday
        case .month: day.firstOfMonth
        }
    }

    /// The first day of the period after the one that starts with a day.
    func next(after start: CivilDate) -> CivilDate {
        switch self {
        case .none, .day: CivilDate(number: start.number + 1)
        case .week: CivilDate(number: start.number + 7)
        // No month has more than 31 days, none fewer than 28.
        case .month: self.start(of: CivilDate(number: start.number + 31))
        }
    }

    /// The fewest days that it has.
    var shortestDays: Int64 {
        switch self {
        case .none, .day: 1
        case .week: 7
        case .month: 28
        }
    }
}
