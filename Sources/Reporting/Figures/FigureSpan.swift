import Time

/// The figures of one family for one calendar period. They become stale together, and are computed together.
struct FigureSpan: Hashable, Sendable {
    var family: FigureFamily
    var granularity: CalendarPeriod
    var start: CivilDate

    /// The instants of the span, by the clocks of the time zone.
    func range(in zone: ReportTimeZone) -> ReportRange {
        ReportRange(from: zone.start(of: start), to: zone.start(of: granularity.next(after: start)))
    }
}
