import Events
import Foundation
import Time

extension Oracle {
    /// `group, step, name, people, open, rate_from_first, rate_from_previous, ci_low, ci_high, median_seconds,
    /// unknown_times`
    func funnel(_ query: FunnelQuery) -> [[String]] {
        funnelGroups(query).flatMap { group in
            query.steps.indices.map { Self.funnelRow(group.name, group.chains, query, step: $0 + 1) }
        }
    }

    /// All people's chains in each group that is shown, in the order of rows, in `(others)`, if there are any, and in
    /// `total`, which has no keys.
    ///
    /// - Parameters:
    ///   - shown: the groups that have rows, even if they are empty; nil for the largest.
    ///   - hasOthers: whether there are others in another range.
    func funnelGroups(
        _ query: FunnelQuery,
        showing shown: [[Name]]? = nil,
        hasOthers: Bool = false
    ) -> [(keys: [Name], name: Name, chains: [Person: [FunnelChain]])] {
        let chains = chains(query)
        let byGroup = chainsByGroup(chains, query)
        let people = byGroup.mapValues(\.count)
        let shown = shown ?? Self.largest(people, by: query.groupings, query.limit)
        let counts = Dictionary(uniqueKeysWithValues: shown.map { ($0, people[$0] ?? 0) })
        var others: [Person: [FunnelChain]] = [:]
        for (group, chains) in byGroup where !shown.contains(group) { others.merge(chains) { $0 + $1 } }
        let last = others.isEmpty && !hasOthers ? [] : [(keys: [Name.others], name: Name.others, chains: others)]
        return orderedGroups(counts, query).map { group in
            (group, Name(group.map(\.text).joined(separator: " / ")), byGroup[group] ?? [:])
        } + last + [([], .total, chains)]
    }

    /// "The preceding range shows the rows that this one shows, wherever they stood there; `(others)` is all else."
    /// Then, if this range shows all it has, those of the preceding one up to the limit.
    func shownGroups(_ query: FunnelQuery, before: FunnelQuery) -> (shown: [[Name]], hasOthers: Bool) {
        func people(_ query: FunnelQuery) -> [[Name]: Int] { chainsByGroup(chains(query), query).mapValues(\.count) }
        let (now, then) = (people(query), people(before))
        var shown = Self.largest(now, by: query.groupings, query.limit)
        if shown.count == now.count {
            let more = Self.largest(then, by: query.groupings, query.limit).filter { !shown.contains($0) }
            let isOpen = query.groupings.contains(where: \.isOpen)
            shown += isOpen ? Array(more.prefix(max(0, query.limit - shown.count))) : more
        }
        return (shown, [now, then].contains { $0.keys.contains { !shown.contains($0) } })
    }

    private func chainsByGroup(
        _ chains: [Person: [FunnelChain]],
        _ query: FunnelQuery
    ) -> [[Name]: [Person: [FunnelChain]]] {
        var byGroup: [[Name]: [Person: [FunnelChain]]] = [:]
        guard !query.groupings.isEmpty else { return [:] }
        for (person, starts) in chains {
            for chain in starts {
                for group in groups(of: chain.start, by: query.groupings) {
                    let group = zip(group, query.groupings).map { name, grouping in
                        query.datedLike.map { dated(name, by: grouping, from: query.span, like: $0) } ?? name
                    }
                    byGroup[group, default: [:]][person, default: []].append(chain)
                }
            }
        }
        return byGroup
    }

    /// - Parameter people: the first count of each group that was found.
    private func orderedGroups(_ people: [[Name]: Int], _ query: FunnelQuery) -> [[Name]] {
        if query.groupings.count == 2 {
            return Self.ordered(Array(people.keys), by: query.groupings) { people[$0] ?? 0 }
        }
        return Self.ordered(Set(people.keys.map { $0[0] }), by: query.grouping) { Fraction(people[[$0]] ?? 0) }
            .map { [$0] }
    }

    /// The columns of `funnel`, with the steps from a tap to a conversion, and `installs_injected`: "In the row of the
    /// step `install` of `total`: installs in the range whose referrer was injected. Empty in other rows, and with
    /// `--where`." The query's `steps` are ignored.
    func installs(_ query: FunnelQuery, _ table: FunnelTable = .steps) -> [[String]] {
        let query = Self.ofInstalls(query)
        let rows = funnel(query, table)
        if table == .times { return rows }
        let span = query.isMatured ? query.span.before(query.now.advanced(by: .zero - query.window)) : query.span
        let injected = facts.count { $0.isCountedInstall && $0.isInjected && span.contains($0.time) }
        return rows.enumerated().map { number, row in
            row + [number == rows.count - 3 && conditions.isEmpty ? String(injected) : Cell.undefined]
        }
    }

    static func ofInstalls(_ query: FunnelQuery) -> FunnelQuery {
        var query = query
        query.steps = ["tap", "install", "authentication", "conversion"]
        return query
    }

    /// "A person *starts* at each event of the first step whose time lies in the range." All people who start, with
    /// what each start reached.
    func chains(_ query: FunnelQuery) -> [Person: [FunnelChain]] {
        var chains: [Person: [FunnelChain]] = [:]
        // "A person starts at each event of *any* step" with `--order any`.
        let starting = query.order == .any ? query.steps : [query.steps[0]]
        for (person, history) in Dictionary(grouping: facts.filter { $0.person != nil }, by: \.person) {
            guard let person else { continue }
            for start in history where query.span.contains(start.time) && isKept(start) {
                guard starting.contains(where: { Self.serves(start, step: $0) }) else { continue }
                // "The whole chain must end by start + window, the end included."
                if query.isMatured, start.time.advanced(by: query.window) >= query.now { continue }
                var chain =
                    query.isPlain
                    ? FunnelChain(from: start, query, history: history)
                    : query.order == .any
                        ? FunnelChain(inAnyOrderFrom: start, query, history: history)
                        : FunnelChain(choosingFrom: start, query, history: history)
                chain.noteUnknownTimes(query, history: history)
                chains[person, default: []].append(chain)
            }
        }
        return chains
    }

    /// "A person's level in a group is the best of all their starts in that group. A person counts once in each group,
    /// and `people` is cumulative."
    static func people(reaching level: Int, _ chains: [Person: [FunnelChain]]) -> [[FunnelChain]] {
        chains.values.filter { starts in starts.contains { $0.level >= level } }
    }

    static func funnelRow(
        _ group: Name,
        _ chains: [Person: [FunnelChain]],
        _ query: FunnelQuery,
        step: Int
    ) -> [String] {
        let first = people(reaching: 1, chains).count
        let reached = people(reaching: step, chains)
        let interval = wilson(reached.count, of: first)
        return [
            group.text, String(step), query.name(ofStep: step), String(reached.count),
            String(open(step: step, chains)), String(dropped(step: step, chains)),
            Cell.rate(reached.count, of: first),
            step == 1 ? Cell.undefined : Cell.rate(reached.count, of: people(reaching: step - 1, chains).count),
            interval.map { Cell.rate($0.low) } ?? Cell.undefined,
            interval.map { Cell.rate($0.high) } ?? Cell.undefined,
            median(reached.compactMap { smallestTime(to: step, $0) }),
            String(reached.count { smallestTime(to: step, $0) == nil }),
        ]
    }

    /// How many people have exactly the level of the step before, with a start of that level that can still continue.
    static func open(step: Int, _ chains: [Person: [FunnelChain]]) -> Int {
        guard step > 1 else { return 0 }
        return chains.values.count { starts in
            starts.map(\.level).max() == step - 1 && starts.contains { $0.level == step - 1 && $0.canGetOn }
        }
    }

    /// How many people have exactly the level of the step before, with no start of that level that can still continue.
    private static func dropped(step: Int, _ chains: [Person: [FunnelChain]]) -> Int {
        guard step > 1 else { return 0 }
        return chains.values.count { starts in
            starts.map(\.level).max() == step - 1 && !starts.contains { $0.level == step - 1 && $0.canGetOn }
        }
    }

    /// In microseconds: "the shortest time from a start"; nil if none is known.
    static func smallestTime(to step: Int, _ starts: [FunnelChain]) -> Int64? {
        starts.filter { $0.level >= step && !$0.unknownTimes.contains(step) }
            .map { $0.times[step - 1].microseconds - $0.start.time.microseconds }
            .min()
    }

    /// For an even number of times, the mean of the two in the middle.
    static func median(_ microseconds: [Int64]) -> String {
        guard !microseconds.isEmpty else { return Cell.undefined }
        let sorted = microseconds.sorted()
        let upper = Int128(sorted[sorted.count / 2])
        let lower = Int128(sorted[(sorted.count - 1) / 2])
        return Cell.amount(Fraction(lower + upper, 2_000_000))
    }

    /// The 97.5 % quantile of the normal distribution.
    static let z = 1.959963984540054

    /// The Wilson interval of a rate, nil if the denominator is 0.
    static func wilson(_ part: Int, of whole: Int, z: Double = Self.z) -> (low: Double, high: Double)? {
        guard whole > 0 else { return nil }
        let n = Double(whole)
        let p = Double(part) / n
        let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        return (max(0, middle - half), min(1, middle + half))
    }
}
