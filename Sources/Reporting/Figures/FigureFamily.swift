/// Figures that are computed together, because the same events affect them.
enum FigureFamily: String, CaseIterable, Sendable {
    /// `channels`, `refs`, `posts`, `attribution`, and `breakdown` by properties of touches.
    case totals
    /// `breakdown` by properties of people. These need all of history.
    case personProperties = "person_properties"
    /// `funnel` and `installs`.
    case funnels
    case retention
    /// `viral`, which needs the posts of all of history.
    case viral
    /// `activity`, which needs all of history: an old event decides who is new on a later day.
    case activity

    var granularities: [CalendarPeriod] {
        self == .retention ? [.day, .week] : CalendarPeriod.allCases
    }

    /// Whether only people with a touch count in a period.
    var beginsWithTouches: Bool { self == .funnels || self == .retention }

    /// Whether its spans are computed apart from those of other families, because they need all of history.
    var comesAlone: Bool { self == .personProperties || self == .activity }

    /// Whether one report tells all its periods at once, person by person: who counts in one is decided by others.
    var spansPeriods: Bool { self == .activity }

    /// Whether it decides which periods have figures.
    var makesPeriods: Bool { self == .totals || self == .activity }
}
