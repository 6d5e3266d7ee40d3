/// Figures that are computed together, because the same events affect them.
enum FigureFamily: String, CaseIterable, Sendable {
    /// `channels`, `refs`, `posts`, `attribution`, and `breakdown` by properties of touches.
    case totals
    /// `funnel` and `installs`.
    case funnels
    case retention

    var granularities: [CalendarPeriod] {
        self == .retention ? [.day, .week] : CalendarPeriod.allCases
    }
}
