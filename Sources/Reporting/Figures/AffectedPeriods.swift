import Time
import Timelines

/// Finds all spans whose figures a change may affect. It may find too many, never too few.
///
/// - A touch counts at its time, and takes credit for events up to a lookback later.
/// - An event that serves a step of a funnel counts for funnels that started up to a window earlier.
/// - Any event counts as a return for people whose first touch was up to the last period of retention earlier.
/// - An install also decides the time of deferred touches of the 24 hours after it.
/// - Any event decides about the activity of its person on all later days, up to that of the latest event: whether they
///   are new there, or back.
/// - Any event may tell a property of its person. When its own periods are computed again, ``ValueDigests`` find those
///   of the person's other events.
struct AffectedPeriods {
    /// The time of the latest event: no credit is given for anything later.
    private let newest: Timestamp
    /// Whether properties of people have figures.
    private let hasPersonProperties: Bool
    private var days: DayFinder
    private var found: Set<FigureSpan> = []
    /// The first and the last day whose activity is affected; nil before the first change.
    private var active: ClosedRange<CivilDate>?

    init(zone: ReportTimeZone, newest: Timestamp, hasPersonProperties: Bool) {
        self.newest = newest
        self.hasPersonProperties = hasPersonProperties
        days = DayFinder(zone: zone)
    }

    mutating func add(_ change: FigureChange) {
        let low = change.low
        var high = change.high
        var credited = high
        switch change.kind {
        case .touch:
            credited = max(high, min(newest, high.advanced(by: FigureDefinitions.lookback.duration)))
        case .install:
            high = high.advanced(by: PersonTimeline.deferredWindow)
            // The install itself, and all events that touches at or after it are credited with.
            credited = max(change.high, min(newest, high.advanced(by: FigureDefinitions.lookback.duration)))
        case .conversion, .authentication, .feedPost, .appOpen: break
        }
        if change.kind != .authentication, change.kind != .appOpen {
            add(.totals, from: low, through: credited)
            add(.viral, from: low, through: credited)
        }
        if hasPersonProperties { add(.personProperties, from: low, through: credited) }
        if change.kind != .feedPost, change.kind != .appOpen {
            add(.funnels, from: low.advanced(by: .zero - FigureDefinitions.window.duration), through: high)
        }
        addRetention(from: days.day(of: low), through: days.day(of: high))
        let last = days.day(of: max(high, newest))
        let first = min(days.day(of: low), active?.lowerBound ?? last, last)
        active = first...max(active?.upperBound ?? last, last)
    }

    /// All spans that the changes may affect.
    var spans: Set<FigureSpan> {
        var spans = found
        guard let active else { return spans }
        for granularity in FigureFamily.activity.granularities {
            var start = granularity.start(of: active.lowerBound)
            while start <= active.upperBound {
                spans.insert(FigureSpan(family: .activity, granularity: granularity, start: start))
                start = granularity.next(after: start)
            }
        }
        return spans
    }

    private mutating func add(_ family: FigureFamily, from low: Timestamp, through high: Timestamp) {
        let last = days.day(of: high)
        var day = days.day(of: low)
        while day <= last {
            for granularity in family.granularities {
                found.insert(FigureSpan(family: family, granularity: granularity, start: granularity.start(of: day)))
            }
            day = CalendarPeriod.day.next(after: day)
        }
    }

    private mutating func addRetention(from low: CivilDate, through high: CivilDate) {
        for granularity in FigureFamily.retention.granularities {
            let length = granularity == .day ? 1 : 7
            let last = granularity.start(of: high)
            let earlier = FigureDefinitions.retentionPeriods(granularity) * length
            var start = CivilDate(number: granularity.start(of: low).number - earlier)
            while start <= last {
                found.insert(FigureSpan(family: .retention, granularity: granularity, start: start))
                start = granularity.next(after: start)
            }
        }
    }
}
