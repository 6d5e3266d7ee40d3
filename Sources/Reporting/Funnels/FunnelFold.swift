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

    /// Takes the times of all groups when there are many.
    private let store: TimesStore
    private var total: FunnelCounts
    private var positions = GroupPositions()
    /// Groups by their positions.
    private var groups: [FunnelCounts] = []
    /// The best results of the current person, in each group.
    private var bests: [FunnelBest] = []
    /// The groups of the current person.
    private var touched: [Int] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
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
        store = run.times
        total = FunnelCounts(stepCount: funnel.steps.count)
        for key in finder.fixedKeys { _ = group(key) }
    }

    mutating func add<E: EvidenceSink>(_ person: borrowing PersonTimeline, telling evidence: inout E) {
        guard person.isPerson, facts.load(person, startingIn: range) else { return }
        if funnel.order == .any {
            anyOrder.follow(facts.facts)
            add(withKnownTimes(anyOrder.starts), person, &evidence)
        } else {
            inOrder.follow(facts.facts)
            add(withKnownTimes(inOrder.starts), person, &evidence)
        }
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
        guard !funnel.groupings.isEmpty else {
            total.add(best, storingIn: store)
            return
        }

        for start in starts {
            kept.forEach(of: start, person) { fact in
                finder.forEachKey(
                    of: person.events[Int(fact.event)],
                    at: Timestamp(microseconds: fact.time)
                ) { key in
                    let group = group(key)
                    if bests[group].level == 0 { touched.append(group) }
                    bests[group].add(start, isTimeKnown: !fact.isTimeInferred)
                }
            }
        }
        if let figure = evidence.wanted {
            kept.forEachProof(of: figure, starts, person) { fact, proof in
                finder.forEachKey(
                    of: person.events[Int(fact.event)],
                    at: Timestamp(microseconds: fact.time)
                ) { key in
                    if bests[group(key)].isBehind(figure) { evidence.note(.named(key), proof) }
                }
            }
        }
        let isShared = touched.count == 1 && bests[touched[0]] == best
        if isShared { total.count(best) } else { total.add(best, storingIn: store) }
        for group in touched {
            groups[group].add(bests[group], toGroup: isShared, storingIn: store)
            bests[group] = FunnelBest()
        }
        touched.removeAll(keepingCapacity: true)
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
        guard facts.hasInferredTimes else { return starts }
        return starts.map { start in
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

    private mutating func group(_ key: GroupKey) -> Int {
        let (position, isNew) = positions.position(of: key)
        if isNew {
            groups.append(FunnelCounts(stepCount: funnel.steps.count))
            bests.append(FunnelBest())
        }
        return position
    }

    mutating func merge(_ other: FunnelFold) {
        total.merge(other.total)
        for (key, counts) in zip(other.positions.keys, other.groups) { groups[group(key)].merge(counts) }
    }

    consuming func finish() throws -> [[ReportCell]] {
        try ordered().flatMap { group in
            try funnel.steps.indices.map { step in try Self.row(funnel, group.counts, named: group.name, step: step) }
        }
    }

    func peopleRows() -> [PeopleRow] {
        finder.ordered(zip(positions.keys, groups).map { ($0, (key: $0, people: $1.people(at: 0))) }) { $0.people }
            .map { PeopleRow(names: [.text($0.name)], groups: [.named($0.counts.key)]) }
            + [PeopleRow(names: [.text(ReportNames.total)], groups: [.total], isTotal: true)]
    }

    /// The groups in the order of rows, `total` last.
    func ordered() -> [(name: String, counts: FunnelCounts)] {
        finder.ordered(Array(zip(positions.keys, groups))) { $0.people(at: 0) }
            + [(ReportNames.total, total.withTimes(sharedBy: groups))]
    }

    /// The groups of this fold and of another one of the same funnel over another range, with the counts of both. In
    /// the order of this fold's rows, `total` last.
    func ordered(beside other: FunnelFold) -> [(name: String, counts: (FunnelCounts, other: FunnelCounts))] {
        let empty = FunnelCounts(stepCount: funnel.steps.count)
        let others = Dictionary(uniqueKeysWithValues: zip(other.positions.keys, other.groups))
        var pairs = zip(positions.keys, groups).map { key, counts in (key, (counts, other: others[key] ?? empty)) }
        let known = Set(positions.keys)
        for (key, counts) in zip(other.positions.keys, other.groups) where !known.contains(key) {
            pairs.append((key, (empty, other: counts)))
        }
        let totals = (total.withTimes(sharedBy: groups), other: other.total.withTimes(sharedBy: other.groups))
        return finder.ordered(pairs) { $0.0.people(at: 0) } + [(ReportNames.total, totals)]
    }

    /// The counters of the group with a name; nil if the group is empty.
    func counts(ofGroup name: String) -> FunnelCounts? {
        zip(positions.keys, groups).first { key, _ in finder.name(of: key).utf8.elementsEqual(name.utf8) }?.1
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
            .fraction(people, of: first),
            step == 0 ? .empty : .fraction(people, of: counts.people(at: step - 1)),
            interval.map { .fraction($0.low) } ?? .empty,
            interval.map { .fraction($0.high) } ?? .empty,
            try counts.medianSeconds(at: step),
            .integer(counts.unknownTimes(at: step)),
        ]
    }
}
