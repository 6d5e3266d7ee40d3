import Events
import Time
import Timelines

/// The reports of many spans, filled person by person.
///
/// A person is added only to spans in which the person counts: for funnels and retention, spans with a touch, because
/// both begin with one; for activity, to the one report of all spans; for the other families, spans with any counted
/// event.
struct FigureFold {
    /// The spans of one family and granularity.
    struct Index {
        var family: FigureFamily
        var granularity: CalendarPeriod
        /// Positions in `spans`, by the number of the span's first day.
        var positions: [Int: Int] = [:]
        var folds: [any FigureFolding]
    }

    private let indexes: [Index]
    private let memory: FigureMemory
    /// Counted for each fold that they are added to: a look at all folds costs too much for each person.
    private var eventsSinceLook = 0
    private let spans: [FigureSpan]
    private let ranges: [ReportRange]
    private var days: DayFinder
    private var digests: ValueDigests?
    /// Positions of the spans of `totals` in which anything happened.
    private var present: Set<Int> = []
    /// The numbers of the days on which the current person had a touch, and below, any counted event.
    private var touched: [Int] = []
    private var active: [Int] = []

    /// - Parameter digests: nil if no span is of properties of people.
    init(
        indexes: [Index],
        memory: FigureMemory,
        spans: [FigureSpan],
        ranges: [ReportRange],
        zone: ReportTimeZone,
        digests: ValueDigests?
    ) {
        self.indexes = indexes
        self.memory = memory
        self.spans = spans
        self.ranges = ranges
        days = DayFinder(zone: zone)
        self.digests = digests
    }

    /// - Throws: `FigureMemory.Exceeded`.
    mutating func add(_ person: borrowing PersonTimeline) throws(FigureMemory.Exceeded) {
        digests?.begin(person)
        touched.removeAll(keepingCapacity: true)
        for touch in person.touches {
            touched.append(days.day(of: touch.time).number)
            digests?.add(touch.id, on: touched[touched.count - 1])
        }
        active.removeAll(keepingCapacity: true)
        active.append(contentsOf: touched)
        for position in person.events.indices where person.events[position].countsForTotals {
            active.append(days.day(of: person.events[position].occurredAt).number)
            digests?.add(person.events[position].id, on: active[active.count - 1])
        }
        touched.sort()
        active.sort()
        for index in indexes {
            if index.family.spansPeriods {
                for folds in index.folds { folds.add(person, toSpan: 0) }
                continue
            }
            var last: Int?
            for day in index.family.beginsWithTouches ? touched : active {
                let start = index.granularity.start(of: CivilDate(number: day)).number
                guard start != last else { continue }
                last = start
                guard let position = index.positions[start] else { continue }
                if index.family == .totals { present.insert(position) }
                for folds in index.folds {
                    folds.add(person, toSpan: position)
                    eventsSinceLook += person.events.count
                    if eventsSinceLook >= SizeChecks.eventsBetweenLooks {
                        eventsSinceLook = 0
                        try check()
                    }
                }
            }
        }
    }

    private func check() throws(FigureMemory.Exceeded) {
        var (groups, cells) = (0, 0)
        for index in indexes {
            for folds in index.folds {
                let size = folds.size
                groups += size.groups
                cells += size.cells
            }
        }
        if groups > memory.groups || cells > memory.cells { throw FigureMemory.Exceeded() }
    }

    /// - Throws: also `FigureMemory.Exceeded`.
    consuming func finish() throws -> FigureRows {
        try check()
        var figures = FigureRows()
        figures.digests = digests?.byDay
        for position in present { figures.periods[FigurePeriod(spans[position])] = ranges[position] }
        for index in indexes {
            for folds in index.folds {
                for (position, rows) in try folds.finish() {
                    let period = FigurePeriod(spans[position])
                    figures.append(rows, of: folds.source, for: period)
                    if index.family == .activity { figures.periods[period] = ranges[position] }
                }
            }
        }
        return figures
    }
}

extension TimelineEvent {
    /// Whether `totals` count the event itself, beside its touch. They count neither an authentication nor an
    /// open of the app, so these make no figures.
    fileprivate var countsForTotals: Bool {
        switch type {
        case .feedPost, .install, .conversion: true
        case .inboundLink, .linkClick, .authentication, .appOpen: false
        }
    }
}
