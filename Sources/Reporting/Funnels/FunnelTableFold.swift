import Time
import Timelines

/// A funnel and, if requested, the same funnel over the preceding range.
struct FunnelTableFold: PeopleFold {
    private let table: FunnelTable
    private let funnel: Funnel
    private var current: FunnelFold
    private var previous: FunnelFold?
    private let tellsInjected: Bool
    private let range: ReportRange
    /// Installs whose referrer was injected.
    private var injected: Int64 = 0

    init(
        _ table: FunnelTable,
        _ funnel: Funnel,
        _ run: ReportRun,
        tellsInjected: Bool = false,
        countsLimit: Int = LimitedGroups<FunnelCounts>.defaultCountsLimit
    ) {
        self.tellsInjected = tellsInjected && table != .times
        range = run.range
        self.table = table
        self.funnel = funnel
        current = FunnelFold(funnel, run, countsLimit: countsLimit)
        if table == .stepsBesidePrevious, let range = run.previous {
            previous = FunnelFold(funnel, run.before(range))
        }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        addOwn(person, telling: &evidence)
        previous?.add(person)
    }

    mutating func add(_ person: borrowing PersonTimeline, counting ranges: CountedRanges) {
        var none = NoEvidence()
        if ranges.contains(.own) { addOwn(person, telling: &none) }
        if ranges.contains(.previous) { previous?.add(person) }
    }

    private mutating func addOwn<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        current.add(person, telling: &evidence)
        guard tellsInjected else { return }
        for position in person.countedInstalls
        where person.events[position].isInjected && range.contains(person.events[position].occurredAt) {
            injected += 1
        }
    }

    var countedGroups: Int { current.countedGroups }
    var size: Int { current.size + (previous?.size ?? 0) }
    var rowCount: Int { current.rowCount * (table == .times ? FunnelTimes.bounds.count : 1) }

    mutating func merge(_ other: FunnelTableFold) {
        current.merge(other.current)
        if let before = other.previous { previous?.merge(before) }
        injected += other.injected
    }

    consuming func finish() throws -> [[ReportCell]] {
        if let previous { return addingInjected(to: try rows(beside: previous)) }
        if table == .times { return try timesRows() }
        // Without a preceding range that can be compared with, its columns are empty.
        let missing = table.columns.count - FunnelTable.steps.columns.count
        let empty = [ReportCell](repeating: .empty, count: missing)
        return addingInjected(to: try current.finish().map { $0 + empty })
    }

    private func addingInjected(to rows: [[ReportCell]]) -> [[ReportCell]] {
        guard tellsInjected else { return rows }
        // The last rows are those of `total`. The second step is the install.
        let place = funnel.filter.isEmpty ? rows.count - funnel.steps.count + 1 : -1
        return rows.enumerated().map { number, cells in cells + [number == place ? .integer(injected) : .empty] }
    }

    func peopleRows() -> [PeopleRow] { current.peopleRows() }

    private func timesRows() throws -> [[ReportCell]] {
        let times = FunnelTimes(window: funnel.window)
        return try current.ordered().flatMap { group in
            try (1..<funnel.steps.count).flatMap { step in
                try times.rows(of: group.counts, at: step).map { cells in
                    [
                        .text(group.name), .integer(Int64(step + 1)), .text(funnel.name(ofStep: step)),
                        .integer(group.counts.people(at: step)), .integer(group.counts.unknownTimes(at: step)),
                    ] + cells
                }
            }
        }
    }

    private func rows(beside previous: FunnelFold) throws -> [[ReportCell]] {
        let groups = try current.ordered(beside: previous)
        let tests: [[(a: Proportion, b: Proportion)?]] = groups.map { _, counts in
            funnel.steps.indices.map { step in
                // The rate of the first step is 1 by definition, so there is nothing to test.
                step == 0 || !counts.0.isMostlyOver(at: step) || !counts.other.isMostlyOver(at: step)
                    ? nil
                    : (
                        a: Proportion(successes: counts.0.people(at: step), trials: counts.0.people(at: 0)),
                        b: Proportion(successes: counts.other.people(at: step), trials: counts.other.people(at: 0))
                    )
            }
        }
        // The last row is the total of all groups, so it is not one of the tests.
        let corrected = funnel.steps.indices.map { step in
            let pairs = tests.map { $0[step] }
            return TwoProportionTest.corrected(pairs.dropLast()) + TwoProportionTest.corrected(pairs.suffix(1))
        }
        return try groups.indices.flatMap { position in
            let (name, counts) = groups[position]
            return try funnel.steps.indices.map { step in
                let first = (counts.0.people(at: 0), counts.other.people(at: 0))
                let reached = (counts.0.people(at: step), counts.other.people(at: step))
                let difference = Int128(reached.0) * Int128(first.1) - Int128(reached.1) * Int128(first.0)
                let test = corrected[step][position]
                let alone = tests[position][step].flatMap { TwoProportionTest.corrected([$0])[0] }
                return try FunnelFold.row(funnel, counts.0, named: name, step: step) + [
                    .integer(reached.1), .integer(counts.other.open(at: step)),
                    .fraction(reached.1, of: first.1),
                    .fraction(difference, of: Int128(first.0) * Int128(first.1)),
                    test.map { .fraction($0.low) } ?? .empty,
                    test.map { .fraction($0.high) } ?? .empty,
                    alone?.pValue.map { .probability($0) } ?? .empty,
                    test?.pValue.map { .probability($0) } ?? .empty,
                ]
            }
        }
    }
}

/// How long people took from a start to a step: percentiles, and a histogram.
struct FunnelTimes {
    /// Where the bins end, in seconds: 1, 5, 15, 60 s, 5, 15, 60 min, 6 h, 1, 3, 7, 30, 90 days. The first bin begins
    /// at 0, each other one where the one before ends. No window is longer than the last end.
    static let bounds: [Int64] = [
        1, 5, 15, 60, 300, 900, 3600, 6 * 3600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400, 90 * 86_400,
    ]
    static let percents = [50, 90, 95, 99]

    /// The bins that times within the window can be in.
    private let bounds: ArraySlice<Int64>

    init(window: ReportDuration) {
        let last = Self.bounds.firstIndex { .seconds($0) >= window.duration } ?? Self.bounds.count - 1
        bounds = Self.bounds[...last]
    }

    /// The cells of each bin's row: the percentiles, which are the same in all rows, and the bin.
    ///
    /// - Parameter step: not the first.
    func rows(of counts: FunnelCounts, at step: Int) throws -> [[ReportCell]] {
        let percentiles = try counts.percentileSeconds(Self.percents, at: step)
        let ends = bounds.map { $0 * 1_000_000 }
        var bins = ends.map { _ in 0 }
        try counts.forEachPieceOfTimes(at: step) { times in
            // No time is longer than the window.
            for time in times { bins[ends.firstPosition { time <= $0 }] += 1 }
        }
        let people = bins.reduce(0, +)
        return bins.indices.map { bin in
            percentiles + [
                .integer(bin == 0 ? 0 : bounds[bin - 1]), .integer(bounds[bin]),
                .integer(Int64(bins[bin])), .fraction(bins[bin], of: people),
            ]
        }
    }
}
