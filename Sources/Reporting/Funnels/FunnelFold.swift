import InboundLinks

/// Counts people through a funnel, in every group and in total, in one pass.
struct FunnelFold: ReportFold {
    private let funnel: Funnel
    private let run: ReportRun
    private let finder: GroupFinder
    private var facts: FunnelFacts
    private var chains: FunnelChains

    private var total: FunnelCounts
    private var groups: [FunnelCounts] = []
    private var keys: [GroupKey] = []
    private var positions: [GroupKey: Int] = [:]
    /// The groups of the person at hand.
    private var touched: [Int] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        self.funnel = funnel
        self.run = run
        finder = GroupFinder(funnel.grouping, run)
        facts = FunnelFacts(steps: funnel.steps, dictionary: run.dictionary)
        chains = FunnelChains(steps: funnel.steps)
        total = FunnelCounts(stepCount: funnel.steps.count)
        for key in finder.fixedKeys { _ = group(key) }
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        guard person.isPerson else { return }
        facts.load(person)
        guard facts.facts.contains(where: { $0.steps & 1 != 0 && run.range.contains($0.time) }) else { return }
        chains.load(facts.facts)
        for kind in chains.kinds.indices {
            let time = chains.kinds[kind].time
            guard chains.kinds[kind].steps & 1 != 0, run.range.contains(time) else { continue }
            chains.follow(from: kind, within: funnel.window.duration)
            let isOpen = time.advanced(by: funnel.window.duration) >= run.now
            _ = total.add(level: chains.level, elapsed: chains.elapsed, windowIsOpen: isOpen)
            guard funnel.grouping != .none else { continue }
            for fact in chains.kinds[kind].facts {
                finder.forEachKey(of: person.events[facts.facts[fact].event], at: time) { key in
                    let position = group(key)
                    let isFirst = groups[position]
                        .add(level: chains.level, elapsed: chains.elapsed, windowIsOpen: isOpen)
                    if isFirst { touched.append(position) }
                }
            }
        }
        total.finishPerson()
        for group in touched { groups[group].finishPerson() }
        touched.removeAll(keepingCapacity: true)
    }

    private mutating func group(_ key: GroupKey) -> Int {
        if let position = positions[key] { return position }
        positions[key] = groups.count
        keys.append(key)
        groups.append(FunnelCounts(stepCount: funnel.steps.count))
        return groups.count - 1
    }

    mutating func merge(_ other: FunnelFold) {
        total.merge(other.total)
        for (key, counts) in zip(other.keys, other.groups) { groups[group(key)].merge(counts) }
    }

    consuming func finish() -> [[ReportCell]] {
        let named = finder.ordered(Array(zip(keys, groups))) { $0.people(at: 0) } + [(ReportNames.total, total)]
        return named.flatMap { name, counts in
            funnel.steps.indices.map { step in row(of: counts, named: name, step: step) }
        }
    }

    /// The counters of the group that a name stands for; nil where nobody is in it.
    func counts(ofGroup name: String) -> FunnelCounts? {
        zip(keys, groups).first { key, _ in !key.isNone && finder.name(of: key).utf8.elementsEqual(name.utf8) }?.1
    }

    static let columns: [ReportColumn] = [
        .text("group", "The group by a property of the first step's event; `total`, the last, stands for all."),
        .integer("step", unit: "position", "The step's number, from 1."),
        .text("name", "The step's name."),
        .integer("people", unit: "people", "People who reached the step."),
        .integer(
            "open",
            unit: "people",
            "People who have not reached it but still can: they have reached the step before, and the window of a start that got there has not ended. 0 for step 1."
        ),
        .rate("rate_from_first", "`people` ÷ the people of step 1. Empty where nobody started."),
        .rate("rate_from_previous", "`people` ÷ the people of the step before. Empty for step 1."),
        .rate("ci_low", "Lower end of the Wilson 95 % interval of `rate_from_first`."),
        .rate("ci_high", "Upper end of that interval."),
        .decimal(
            "median_seconds",
            unit: "seconds",
            "Over the people who reached the step, the median of each one's shortest time from a start to it."
        ),
    ]

    private func row(of counts: FunnelCounts, named name: String, step: Int) -> [ReportCell] {
        let first = counts.people(at: 0)
        let people = counts.people(at: step)
        let interval = WilsonInterval(successes: people, trials: first)
        return [
            .text(name),
            .integer(Int64(step + 1)),
            .text(funnel.steps[step].description),
            .integer(people),
            .integer(counts.open(at: step)),
            .fraction(people, of: first),
            step == 0 ? .empty : .fraction(people, of: counts.people(at: step - 1)),
            interval.map { .fraction($0.low) } ?? .empty,
            interval.map { .fraction($0.high) } ?? .empty,
            counts.medianSeconds(at: step),
        ]
    }
}
