import Time

/// The lengths of the calendar periods that figures are kept for, in the app's time zone.
enum FigureGranularity: String, CaseIterable, Sendable {
    case day
    /// Starts on Monday.
    case week
    case month

    /// The first day of the period that contains a day.
    func start(of day: CivilDate) -> CivilDate { length.start(of: day) }

    /// The first day of the next period.
    func next(after start: CivilDate) -> CivilDate { length.next(after: start) }

    private var length: PeriodLength {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        }
    }
}
