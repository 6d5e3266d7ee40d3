import Time

/// A calendar period, for all families.
struct FigurePeriod: Hashable, Sendable {
    var granularity: CalendarPeriod
    var start: CivilDate

    init(granularity: CalendarPeriod, start: CivilDate) {
        self.granularity = granularity
        self.start = start
    }

    init(_ span: FigureSpan) {
        self.init(granularity: span.granularity, start: span.start)
    }
}
