import Time

/// What `retention` groups people by and counts them in: a stretch of the calendar in the report's time zone.
enum RetentionPeriod: String, CaseIterable, Sendable {
    case day
    /// From Monday.
    case week

    var days: Int { self == .day ? 1 : 7 }

    /// The first day of the period that a day lies in.
    func start(of day: CivilDate) -> CivilDate { self == .day ? day : day.monday }
}
