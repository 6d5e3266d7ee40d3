import Storage
import Time
import Timelines

/// Spans whose figures are computed in one pass over the events that they need. Each report uses the same fold and
/// range as a report over that span alone.
struct FigureBatch {
    /// The spans of one family and granularity.
    private struct Group: Hashable {
        var family: FigureFamily
        var granularity: CalendarPeriod
    }

    let spans: [FigureSpan]
    private let ranges: [ReportRange]
    private let sources: [Group: [FigureSource]]
    private let zone: ReportTimeZone
    private let currency: String
    /// The only table whose figures are computed; nil: all. The events that all need are read: they say which spans
    /// have figures.
    private let table: FigureTable?
    private let memory: FigureMemory

    /// - Parameter properties: the declared properties that have figures.
    /// - Throws: `ReportError` if a report does not fit its table.
    init(
        _ spans: [FigureSpan],
        zone: ReportTimeZone,
        currency: String,
        properties: [AppProperty],
        of table: FigureTable?,
        memory: FigureMemory
    ) throws(ReportError) {
        self.spans = spans
        self.zone = zone
        self.currency = currency
        self.table = table
        self.memory = memory
        ranges = spans.map { $0.range(in: zone) }
        var sources: [Group: [FigureSource]] = [:]
        for span in spans {
            let group = Group(family: span.family, granularity: span.granularity)
            guard sources[group] == nil else { continue }
            sources[group] = try FigureDefinitions.sources(of: span.family, span.granularity, properties)
        }
        self.sources = sources
    }

    /// All events that the spans need, and what the tables need of them. Nil if there are no spans.
    var query: TimelineQuery? {
        var all: TimelineQuery?
        var own: TimelineQuery?
        for (span, range) in zip(spans, ranges) {
            for source in sources[Group(family: span.family, granularity: span.granularity)] ?? [] {
                let query = source.report.completeQuery(in: range)
                all = all.map { $0.union(query) } ?? query
                if source.table == table { own = own.map { $0.union(query) } ?? query }
            }
        }
        if let own {
            all?.needs = own.needs
            all?.properties = own.properties
        }
        all?.postLimit = memory.posts
        all?.textLimit = memory.texts
        return all
    }

    /// A fold of the reports of all spans.
    ///
    /// - Parameters:
    ///   - firstEvent: when the app's first event happened.
    ///   - now: any instant, because figures do not contain columns that depend on it.
    func makeFold(dictionary: TimelineDictionary, firstEvent: Timestamp?, now: Timestamp) -> FigureFold {
        let times = TimesStore()
        let file = TemporaryFile()
        func run(_ range: ReportRange) -> ReportRun {
            ReportRun(
                range: range,
                zone: zone,
                now: now,
                firstEvent: firstEvent,
                currency: currency,
                dictionary: dictionary,
                times: times,
                file: file
            )
        }
        let runs = ranges.map(run)
        var indexes: [Group: FigureFold.Index] = [:]
        for (position, span) in spans.enumerated() {
            let group = Group(family: span.family, granularity: span.granularity)
            if indexes[group] == nil {
                indexes[group] = FigureFold.Index(
                    family: group.family,
                    granularity: group.granularity,
                    folds: (sources[group] ?? []).filter { table == nil || $0.table == table }
                        .map {
                            group.family.spansPeriods
                                ? periodFolds(of: $0.report, $0, group, run) : Self.folds(of: $0.report, $0, runs)
                        }
                )
            }
            indexes[group]?.positions[span.start.number] = position
        }
        return FigureFold(
            indexes: Array(indexes.values),
            memory: memory,
            spans: spans,
            ranges: ranges,
            zone: zone,
            digests: spans.contains { $0.family == .personProperties } ? ValueDigests(dictionary) : nil
        )
    }

    private static func folds<R: Report>(
        of report: R,
        _ source: FigureSource,
        _ runs: [ReportRun]
    ) -> any FigureFolding {
        FigureFolds(report, of: source, runs: runs)
    }

    /// One report over all spans of a group, and what lies between them.
    private func periodFolds<R: Report>(
        of report: R,
        _ source: FigureSource,
        _ group: Group,
        _ run: (ReportRange) -> ReportRun
    ) -> any FigureFolding {
        var positions: [String: Int] = [:]
        var whole: ReportRange?
        for (position, span) in spans.enumerated()
        where span.family == group.family && span.granularity == group.granularity {
            positions[span.start.description] = position
            let range = ranges[position]
            whole = ReportRange(
                from: min(whole?.from ?? range.from, range.from),
                to: max(whole?.to ?? range.to, range.to)
            )
        }
        return PeriodFolds(report, of: source, run: run(whole ?? ranges[0]), positions: positions)
    }
}
