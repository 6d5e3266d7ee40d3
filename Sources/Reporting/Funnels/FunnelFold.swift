import Events
import InboundLinks

/// Counts people through a funnel, in every group and in total, in one pass.
struct FunnelFold: ReportFold {
    private let funnel: Funnel
    private let run: ReportRun
    private var days: DayFinder
    private var facts: FunnelFacts
    private var chains: FunnelChains

    private var total: FunnelCounts
    private var groups: [FunnelCounts] = []
    private var keys: [FunnelGroupKey] = []
    private var positions: [FunnelGroupKey: Int] = [:]
    /// The groups of the person at hand.
    private var touched: [Int] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        self.funnel = funnel
        self.run = run
        days = DayFinder(zone: run.zone)
        facts = FunnelFacts(steps: funnel.steps, dictionary: run.dictionary)
        chains = FunnelChains(steps: funnel.steps)
        total = FunnelCounts(stepCount: funnel.steps.count)
        if funnel.grouping == .channel {
            for position in Channel.allCases.indices { _ = group(FunnelGroupKey(number: position)) }
        }
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
                addStart(person.events[facts.facts[fact].event], at: time, isOpen: isOpen)
            }
        }
        total.finishPerson()
        for group in touched { groups[group].finishPerson() }
        touched.removeAll(keepingCapacity: true)
    }

    /// Adds the chain just followed to the groups of the event that started it.
    private mutating func addStart(_ event: TimelineEvent, at time: Timestamp, isOpen: Bool) {
        switch funnel.grouping {
        case .none: break
        case .channel: add(to: .init(number: event.channel?.position), isOpen: isOpen)
        case .platform: add(to: .init(number: event.platform?.position), isOpen: isOpen)
        case .refererApp: add(to: .init(code: event.referer), isOpen: isOpen)
        case .targetURL: add(to: .init(code: event.target), isOpen: isOpen)
        case .day: add(to: .init(number: days.day(of: time).number), isOpen: isOpen)
        case .ref:
            let refs = run.dictionary.refs(of: event.refs)
            if refs.isEmpty { add(to: .init(code: .none), isOpen: isOpen) }
            for ref in refs { add(to: .init(code: ref), isOpen: isOpen) }
        }
    }

    private mutating func add(to key: FunnelGroupKey, isOpen: Bool) {
        let position = group(key)
        let isFirst = groups[position].add(level: chains.level, elapsed: chains.elapsed, windowIsOpen: isOpen)
        if isFirst { touched.append(position) }
    }

    private mutating func group(_ key: FunnelGroupKey) -> Int {
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
        results().flatMap { group in
            funnel.steps.indices.map { step in row(of: group.counts, named: group.name, step: step) }
        }
    }

    /// The groups with their names in the order of the report, `total` last.
    func results() -> [(name: String, counts: FunnelCounts)] {
        var named = zip(keys, groups).map { key, counts in
            (name: name(of: key), isNone: key.isNone, counts: counts)
        }
        if funnel.grouping != .channel {
            named.sort { first, second in
                if first.isNone != second.isNone { return second.isNone }
                let people = (first.counts.people(at: 0), second.counts.people(at: 0))
                return people.0 == people.1 ? precedes(first.name, second.name) : people.0 > people.1
            }
        }
        return named.map { ($0.name, $0.counts) } + [(ReportNames.total, total)]
    }

    private func name(of key: FunnelGroupKey) -> String {
        guard let number = key.number else { return ReportNames.none }
        return switch funnel.grouping {
        case .none: ReportNames.total
        case .channel: Channel.allCases[number].rawValue
        case .platform: Platform.allCases[number].rawValue
        case .day: CalendarDay(number: number).description
        case .ref: run.dictionary.refs.text(of: Code(rawValue: Int32(number)))
        case .refererApp: run.dictionary.referers.text(of: Code(rawValue: Int32(number)))
        case .targetURL: run.dictionary.targets.text(of: Code(rawValue: Int32(number)))
        }
    }

    static let columns: [ReportColumn] = [
        .text("group"), .integer("step"), .text("name"), .integer("people"), .integer("open"),
        .rate("rate_from_first"), .rate("rate_from_previous"), .rate("ci_low"), .rate("ci_high"),
        .decimal("median_seconds"),
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
