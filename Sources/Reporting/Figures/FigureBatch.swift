import Events
import InboundLinks

/// Makes the figures of some spans in one pass over the events that they need.
///
/// A person is added to the reports of exactly those spans that they count for: of `totals`, where anything of theirs
/// happened; of the others, where they had a touch, with which funnels and retention begin. Each report is the same fold,
/// over the same range, as for whoever asks for that span alone.
struct FigureBatch {
    /// What tells which spans an instant belongs to.
    private struct Group: Hashable {
        var family: FigureFamily
        var granularity: FigureGranularity
    }

    private struct Index {
        var group: Group
        /// Positions in `spans` by the number of the first day.
        var positions: [Int: Int] = [:]
        var folds: [any FigureFolding] = []
    }

    let spans: [FigureSpan]
    private let ranges: [ReportRange]
    private let sources: [Group: [FigureSource]]
    private let zone: ReportTimeZone
    private let currency: String

    /// - Throws: `ReportError` where a report does not fit its table.
    init(_ spans: [FigureSpan], zone: ReportTimeZone, currency: String) throws(ReportError) {
        self.spans = spans
        self.zone = zone
        self.currency = currency
        ranges = spans.map { $0.range(in: zone) }
        var sources: [Group: [FigureSource]] = [:]
        for span in spans {
            let group = Group(family: span.family, granularity: span.granularity)
            guard sources[group] == nil else { continue }
            sources[group] = try FigureDefinitions.sources(of: span.family, span.granularity)
        }
        self.sources = sources
    }

    /// All that the spans need to see. Nil where there are none.
    var demand: TimelineDemand? {
        var all: TimelineDemand?
        for (span, range) in zip(spans, ranges) {
            for source in sources[Group(family: span.family, granularity: span.granularity)] ?? [] {
                let demand = source.report.demand(in: range)
                all = all.map { $0.united(with: demand) } ?? demand
            }
        }
        return all
    }

    /// - Parameter now: any instant: nothing that depends on it is kept.
    func figures(over source: some TimelineSource, now: Timestamp) throws -> Figures {
        let indexes = makeIndexes(dictionary: source.dictionary, now: now)
        var days = DayFinder(zone: zone)
        var touched: [Int] = []
        var active: [Int] = []
        var present = Set<Int>()
        try source.forEachPerson { person in
            touched.removeAll(keepingCapacity: true)
            for touch in person.touches { touched.append(days.day(of: touch.time).number) }
            active.removeAll(keepingCapacity: true)
            active.append(contentsOf: touched)
            for position in person.events.indices where person.events[position].countsForTotals {
                active.append(days.day(of: person.events[position].occurredAt).number)
            }
            touched.sort()
            active.sort()
            for index in indexes.indices {
                let isOfTotals = indexes[index].group.family == .totals
                let granularity = indexes[index].group.granularity
                var last: Int?
                for day in isOfTotals ? active : touched {
                    let start = granularity.start(of: CalendarDay(number: day)).number
                    guard start != last else { continue }
                    last = start
                    guard let position = indexes[index].positions[start] else { continue }
                    if isOfTotals { present.insert(position) }
                    for folds in indexes[index].folds { folds.add(person, toSpan: position) }
                }
            }
        }
        var figures = Figures()
        for position in present {
            figures.periods[FigurePeriod(spans[position])] = ranges[position]
        }
        for index in indexes {
            for folds in index.folds {
                for (position, rows) in folds.finish() {
                    figures.append(rows, of: folds.source, for: FigurePeriod(spans[position]))
                }
            }
        }
        return figures
    }

    private func makeIndexes(dictionary: TimelineDictionary, now: Timestamp) -> [Index] {
        var indexes: [Group: Index] = [:]
        for (position, span) in spans.enumerated() {
            let group = Group(family: span.family, granularity: span.granularity)
            indexes[group, default: Index(group: group)].positions[span.start.number] = position
        }
        let runs = ranges.map {
            ReportRun(range: $0, zone: zone, now: now, currency: currency, dictionary: dictionary)
        }
        return indexes.values.map { index in
            var index = index
            index.folds = (sources[index.group] ?? []).map { Self.folds(of: $0.report, $0, runs) }
            return index
        }
    }

    private static func folds<Asked: Report>(
        of report: Asked,
        _ source: FigureSource,
        _ runs: [ReportRun]
    ) -> any FigureFolding {
        FigureFolds(report, of: source, runs: runs)
    }
}

extension TimelineDemand {
    /// What satisfies both.
    fileprivate func united(with other: TimelineDemand) -> TimelineDemand {
        TimelineDemand(
            types: types.union(other.types),
            touchesFrom: min(touchesFrom, other.touchesFrom),
            eventsFrom: min(eventsFrom, other.eventsFrom),
            through: max(through, other.through),
            needsRefs: needsRefs || other.needsRefs,
            needsReferers: needsReferers || other.needsReferers,
            needsTargets: needsTargets || other.needsTargets
        )
    }
}

extension TimelineEvent {
    /// Whether `totals` count it, beside its touch. An authentication alone is nothing to them, and so makes no figures.
    fileprivate var countsForTotals: Bool {
        switch type {
        case .feedPost, .install, .conversion: true
        case .inboundLink, .linkClick, .authentication: false
        }
    }
}
