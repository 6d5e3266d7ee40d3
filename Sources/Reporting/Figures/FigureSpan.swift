import Time

/// The figures of one family for one stretch of the calendar: what is stale, and is made again, as a whole.
struct FigureSpan: Hashable, Sendable {
    var family: FigureFamily
    var granularity: FigureGranularity
    var start: CivilDate

    /// The instants of it, where the zone's clocks have them.
    func range(in zone: ReportTimeZone) -> ReportRange {
        ReportRange(from: zone.start(of: start), to: zone.start(of: granularity.next(after: start)))
    }
}
