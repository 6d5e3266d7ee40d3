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

/// A span whose figures do not count every event.
struct StaleSpan {
    var span: FigureSpan
    /// Names the mark, which is another one if the span becomes stale again.
    var mark: String
    /// Every event stored up to then is counted, in microseconds since 1970.
    var since: Int64
}
