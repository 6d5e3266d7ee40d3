/// Figures that are computed together, because the same events affect them.
enum FigureFamily: String, CaseIterable, Sendable {
    /// `channels`, `refs`, `posts`, `attribution`, and `breakdown` by properties of touches.
    case totals
    /// `breakdown` by properties of people. These need all of history.
    case personProperties = "person_properties"
    /// `funnel` and `installs`.
    case funnels
    case retention

    var granularities: [CalendarPeriod] {
        self == .retention ? [.day, .week] : CalendarPeriod.allCases
    }

    /// Whether only people with a touch count in a period.
    var beginsWithTouches: Bool { self == .funnels || self == .retention }
}
