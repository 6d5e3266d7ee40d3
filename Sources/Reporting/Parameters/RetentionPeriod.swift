import Time

/// The calendar period by which `retention` groups people and counts returns, in the report's time zone.
enum RetentionPeriod: String, CaseIterable, Sendable {
    case day
    /// Starts on Monday.
    case week

    var days: Int { self == .day ? 1 : 7 }

    /// The first day of the period that contains a day.
    func start(of day: CivilDate) -> CivilDate { self == .day ? day : day.monday }
}
