import Time
import Timelines

/// Counts people through a funnel, in each group and in total, in one pass.
struct FunnelFold: PeopleFold {
    private let funnel: Funnel
    private let range: ReportRange
    private let finder: GroupFinder
    private let matcher: EventMatcher?
    /// The steps of which a fact must serve one to be a start.
    private let starting: UInt8
    private var facts: FunnelFacts
    private var inOrder: OrderedChains
    private var anyOrder: AnyOrderChains

    private let empty: FunnelCounts
    private var total: FunnelCounts
    private var groups: LimitedGroups<FunnelCounts>
    /// The groups that are counted; nil for all.
    private let only: Set<GroupKey>?
    /// The people whom a list is about; nil without a list.
    private var listed: PeopleFigure?

    /// - Parameters:
    ///   - names: the groups that are counted, all of them shown; nil for all, of which the largest are shown.
    ///   - countsLimit: how much memory the counts of groups may take, in bytes.
    init(
        _ funnel: Funnel,
        _ run: ReportRun,
        groups names: [String]? = nil,
        countsLimit: Int = LimitedGroups<FunnelCounts>.defaultCountsLimit
    ) {
        self.funnel = funnel
        range = run.range
        matcher = funnel.filter.makeMatcher(run.dictionary)
        finder = GroupFinder(
            funnel.groupings.first ?? .none,
            and: funnel.groupings.count > 1 ? funnel.groupings[1] : .none,
            matching: matcher,
            run
        )
        starting = funnel.order == .any ? .max : 1
        facts = FunnelFacts(funnel, dictionary: run.dictionary)
        inOrder = OrderedChains(funnel, run)
        anyOrder = AnyOrderChains(funnel, run)
        empty = FunnelCounts(stepCount: funnel.steps.count, storingIn: run.times)
        total = empty
        only = names.map { [finder] names in Set(names.compactMap(finder.key(named:))) }
        groups = LimitedGroups(
            empty,
            size: FunnelCounts.size(steps: funnel.steps.count),
            countsLimit: countsLimit,
            showsAll: only != nil || !finder.isOpen,
            run.file
        )
        for key in finder.fixedKeys { groups.position(of: key) }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard person.isPerson, facts.load(person, startingIn: range) else { return }
        let starts: [FunnelStart]
        if case .any = funnel.order {
            anyOrder.follow(facts.facts)
            starts = anyOrder.starts
        } else {
            inOrder.follow(facts.facts)
            starts = inOrder.starts
        }
        // Asked here, because a call of a method that only reads copies the fold.
        add(facts.hasInferredTimes ? withKnownTimes(starts) : starts, person, &evidence)
    }

    private mutating func add<E: EvidenceSink>(
        _ starts: [FunnelStart],
        _ person: borrowing PersonTimeline,
        _ evidence: inout E
    ) {
        var best = FunnelBest()
        let kept = KeptFacts(facts: facts.facts, starting: starting, matcher: matcher)
        for start in starts {
            guard matcher != nil || facts.hasInferredTimes else {
                best.add(start)
                continue
            }
            kept.forEach(of: start, person) { best.add(start, isTimeKnown: !$0.isTimeInferred) }
        }
        guard best.level > 0 else { return }
        if let figure = evidence.wanted, best.isBehind(figure) {
            kept.forEachProof(of: figure, starts, person) { _, proof in evidence.note(.total, proof) }
        }
        guard !funnel.groupings.isEmpty else { return total.add(best) }

        for start in starts {
            kept.forEach(of: start, person) { fact in
                finder.forEachKey(
                    of: person.events[Int(fact.event)],
                    at: Timestamp(microseconds: fact.time)
                ) { key in
                    if let only, !only.contains(key) { return }
                    groups.update(key, from: FunnelBest()) { $0.add(start, isTimeKnown: !fact.isTimeInferred) }
                }
            }
        }
        if let figure = evidence.wanted {
            listed = figure
            kept.forEachProof(of: figure, starts, person) { fact, proof in
                finder.forEachKey(
                    of: person.events[Int(fact.event)],
                    at: Timestamp(microseconds: fact.time)
                ) { key in
                    if groups.share(of: key)?.isBehind(figure) ?? false { evidence.note(.named(key), proof) }
                }
            }
        }
        if groups.onlyShare == best {
            total.count(best)
            best.isShared = true
            groups.replaceOnlyShare(with: best)
        } else {
            total.add(best)
        }
        groups.endPerson()
    }

    /// The facts at which starts happened and whose events are kept. A value of its own: a method of the fold would
    /// copy the fold for each closure that changes it.
    private struct KeptFacts {
        let facts: [FunnelFact]
        let starting: UInt8
        let matcher: EventMatcher?

        @inline(__always)
        func forEach(of start: FunnelStart, _ person: borrowing PersonTimeline, _ body: (FunnelFact) -> Void) {
            for position in start.facts where facts[position].steps & starting != 0 {
                let fact = facts[position]
                if let matcher, !matcher.keeps(person.events[Int(fact.event)]) { continue }
                body(fact)
            }
        }

        /// Calls `body` with each event at which a start happened that puts a person behind a figure, if the person is.
        func forEachProof(
            of figure: PeopleFigure,
            _ starts: [FunnelStart],
            _ person: borrowing PersonTimeline,
            _ body: (FunnelFact, Evidence) -> Void
        ) {
            for start in starts where start.counts(in: figure) {
                forEach(of: start, person) { fact in
                    let elapsed = start.elapsed(to: figure)
                    let time = Timestamp(microseconds: fact.time)
                    body(
                        fact,
                        Evidence(
                            person.events[Int(fact.event)],
                            first: time,
                            last: time.advanced(byMicroseconds: elapsed ?? 0)
                        )
                    )
                }
            }
        }
    }

    /// The starts without the times to steps that only touches with an inferred time could serve at that instant.
    private func withKnownTimes(_ starts: [FunnelStart]) -> [FunnelStart] {
        starts.map { start in
            var start = start
            let begin = facts.facts[start.facts.lowerBound].time
            for step in 1..<max(start.level, 1) {
                let servers: UInt8 = funnel.order == .any ? .max : 1 << UInt8(step)
                let time = begin + start.elapsed[step]
                var position = facts.facts.firstPosition { $0.time >= time }
                var isKnown = false
                while !isKnown, position < facts.facts.count, facts.facts[position].time == time {
                    let fact = facts.facts[position]
                    isKnown = fact.steps & servers != 0 && !fact.isTimeInferred
                    position += 1
                }
                if !isKnown { start.elapsed[step] = .max }
            }
            return start
        }
    }

    var size: Int { groups.size }
    /// How many groups have counts.
    var countedGroups: Int { groups.counts.count }
    var rowCount: Int { (groups.shownCount(funnel.limit) + 2) * funnel.steps.count }

    mutating func merge(_ other: FunnelFold) {
        total += other.total
        groups.merge(other.groups)
    }

    consuming func finish() throws -> [[ReportCell]] {
        try ordered().flatMap { group in
            try funnel.steps.indices.map { step in try Self.row(funnel, group.counts, named: group.name, step: step) }
        }
    }

    func peopleRows() -> [PeopleRow] {
        let shown = shown
        var rows = finder.ordered(shown.map { (groups.keys[$0], $0) }) { groups.people(at: $0) }
            .map { PeopleRow(names: [.text($0.name)], groups: [.named(groups.keys[$0.counts])]) }
        // Who has dropped out of one group may have gone on in another, and counts in `(others)` by the best of them.
        let hidden = groups.keys.count - shown.count
        var isListed = hidden == 1
        if case .reached = listed { isListed = hidden > 0 }
        if isListed { rows.append(.others([.text(ReportNames.others)])) }
        return rows + [PeopleRow(names: [.text(ReportNames.total)], groups: [.total], isTotal: true)]
    }

    /// The positions of the groups that have rows of their own.
    private var shown: [Int] { groups.shown(funnel.limit, finder) }

    /// The groups in the order of rows, then `(others)` and `total`.
    func ordered() throws -> [(name: String, counts: FunnelCounts)] {
        let (counts, others) = try groups.counts(of: shown.map { groups.keys[$0] })
        return finder.ordered(counts) { $0.people(at: 0) } + (others.map { [(ReportNames.others, $0)] } ?? [])
            + [(ReportNames.total, total.withTimes(sharedBy: groups.counts))]
    }

    /// The groups of this fold and of another one of the same funnel over another range, with the counts of both. In
    /// the order of this fold's rows, then `(others)` and `total`. The other fold shows the groups of this one; then,
    /// if that shows all it has, its own up to the limit.
    func ordered(beside other: FunnelFold) throws -> [(name: String, counts: (FunnelCounts, other: FunnelCounts))] {
        var keys = shown.map { groups.keys[$0] }
        if keys.count == groups.keys.count {
            let known = Set(keys)
            keys += other.shown.map { other.groups.keys[$0] }.filter { !known.contains($0) }
            if !groups.showsAll { keys = Array(keys.prefix(max(funnel.limit, known.count))) }
        }
        let (own, others) = try (groups.counts(of: keys), other.groups.counts(of: keys))
        let pairs = zip(own.named, others.named).map { ($0.0, ($0.1, other: $1.1)) }
        let totals = [(total, groups), (other.total, other.groups)].map { $0.0.withTimes(sharedBy: $0.1.counts) }
        var last = [(ReportNames.total, (totals[0], other: totals[1]))]
        if own.others != nil || others.others != nil {
            last.insert((ReportNames.others, (own.others ?? empty, other: others.others ?? empty)), at: 0)
        }
        return finder.ordered(pairs) { $0.0.people(at: 0) } + last
    }

    /// The counters of the group with a name; nil if the group is empty.
    func counts(ofGroup name: String) throws -> FunnelCounts? {
        guard let key = finder.key(named: name) else { return nil }
        return try groups.counts(of: [key]).named.first?.1
    }

    static func row(
        _ funnel: Funnel,
        _ counts: FunnelCounts,
        named name: String,
        step: Int
    ) throws -> [ReportCell] {
        let first = counts.people(at: 0)
        let people = counts.people(at: step)
        let interval = WilsonInterval(successes: people, trials: first)
        return [
            .text(name),
            .integer(Int64(step + 1)),
            .text(funnel.name(ofStep: step)),
            .integer(people),
            .integer(counts.open(at: step)),
            .integer(counts.dropped(at: step)),
            .fraction(people, of: first),
            step == 0 ? .empty : .fraction(people, of: counts.people(at: step - 1)),
            interval.map { .fraction($0.low) } ?? .empty,
            interval.map { .fraction($0.high) } ?? .empty,
            try counts.medianSeconds(at: step),
            .integer(counts.unknownTimes(at: step)),
        ]
    }
}
