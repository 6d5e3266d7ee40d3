import Time

/// The stretches of the calendar that figures are kept for, in the app's time zone.
enum FigureGranularity: String, CaseIterable, Sendable {
    case day
    /// From Monday.
    case week
    case month

    /// The first day of the stretch that a day lies in.
    func start(of day: CivilDate) -> CivilDate {
        switch self {
        case .day: day
        case .week: day.monday
        case .month: day.firstOfMonth
        }
    }

    /// The first day of the next stretch.
    func next(after start: CivilDate) -> CivilDate {
        switch self {
        case .day: CivilDate(number: start.number + 1)
        case .week: CivilDate(number: start.number + 7)
        // No month has more than 31 days, and 32 days after the first of one lies in the next.
        case .month: self.start(of: CivilDate(number: start.number + 31))
        }
    }
}
