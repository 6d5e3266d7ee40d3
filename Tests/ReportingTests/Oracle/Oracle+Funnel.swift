import Events
import Foundation
import InboundLinks

extension Oracle {
    struct FunnelQuery {
        var span: Span
        /// When the report is asked for: decides who is `open`.
        var now: Timestamp
        /// As in `--steps`; distinct.
        var steps: [String] = ["inbound_link", "authentication", "conversion"]
        var grouping: Grouping = .ungrouped
        var window: Duration = .days(7)
    }

    /// `group, step, name, people, open, rate_from_first, rate_from_previous, ci_low, ci_high, median_seconds`
    func funnel(_ query: FunnelQuery) -> [[String]] {
        let chains = chains(query)
        var chainsByGroup: [Name: [Person: [FunnelChain]]] = [:]
        for (person, starts) in chains {
            for chain in starts {
                for group in groups(of: chain.start, by: query.grouping) {
                    chainsByGroup[group, default: [:]][person, default: []].append(chain)
                }
            }
        }
        let names = Self.ordered(Set(chainsByGroup.keys), by: query.grouping) { name in
            Fraction(chainsByGroup[name]?.count ?? 0)
        }
        return names.flatMap { Self.funnelRows($0, chainsByGroup[$0] ?? [:], query) }
            + Self.funnelRows(.total, chains, query)
    }

    /// The columns of `funnel`, of a tap's way to a conversion. `steps` of the query are not read.
    func installs(_ query: FunnelQuery) -> [[String]] {
        var query = query
        query.steps = ["tap", "install", "authentication", "conversion"]
        return funnel(query)
    }

    /// "A person starts at each event of the first step whose time lies in [from, to)." Everyone who starts, with what
    /// each start reached.
    func chains(_ query: FunnelQuery) -> [Person: [FunnelChain]] {
        var chains: [Person: [FunnelChain]] = [:]
        for (person, history) in Dictionary(grouping: facts.filter { $0.person != nil }, by: \.person) {
            guard let person else { continue }
            for start in history where Self.serves(start, step: query.steps[0]) && query.span.contains(start.time) {
                chains[person, default: []].append(
                    FunnelChain(from: start, steps: query.steps, window: query.window, history: history)
                )
            }
        }
        return chains
    }

    /// "A person's level in a group is the best over all starts in that group; a person counts once per group and
    /// level, and `people` is cumulative (step k = people at level ≥ k)."
    static func people(reaching level: Int, _ chains: [Person: [FunnelChain]]) -> [[FunnelChain]] {
        chains.values.filter { starts in starts.contains { $0.level >= level } }
    }

    private static func funnelRows(
        _ group: Name,
        _ chains: [Person: [FunnelChain]],
        _ query: FunnelQuery
    ) -> [[String]] {
        query.steps.enumerated().map { index, name in
            let step = index + 1
            let first = people(reaching: 1, chains).count
            let reached = people(reaching: step, chains)
            let interval = wilson(reached.count, of: first)
            return [
                group.text, String(step), name, String(reached.count),
                String(open(step: step, chains, query)),
                Cell.rate(reached.count, of: first),
                step == 1 ? Cell.undefined : Cell.rate(reached.count, of: people(reaching: step - 1, chains).count),
                interval.map { Cell.rate($0.low) } ?? Cell.undefined,
                interval.map { Cell.rate($0.high) } ?? Cell.undefined,
                median(reached.map { smallestTime(to: step, $0) }),
            ]
        }
    }

    /// People whose level is exactly the step before, and for whom a start that reached it has a window that has not
    /// ended; the instant of its end belongs to it.
    private static func open(step: Int, _ chains: [Person: [FunnelChain]], _ query: FunnelQuery) -> Int {
        guard step > 1 else { return 0 }
        return chains.values.count { starts in
            starts.map(\.level).max() == step - 1
                && starts.contains {
                    $0.level == step - 1 && query.now <= $0.start.time.advanced(by: query.window)
                }
        }
    }

    /// Microseconds: "the smallest time from a start to it".
    private static func smallestTime(to step: Int, _ starts: [FunnelChain]) -> Int64 {
        starts.filter { $0.level >= step }
            .map { $0.times[step - 1].microseconds - $0.start.time.microseconds }
            .min() ?? 0
    }

    /// Of an even number, the mean of the middle two.
    static func median(_ microseconds: [Int64]) -> String {
        guard !microseconds.isEmpty else { return Cell.undefined }
        let sorted = microseconds.sorted()
        let upper = Int128(sorted[sorted.count / 2])
        let lower = Int128(sorted[(sorted.count - 1) / 2])
        return Cell.amount(Fraction(lower + upper, 2_000_000))
    }

    /// The 97.5 % point of the normal distribution.
    static let z = 1.959963984540054

    /// The Wilson 95 % interval of a rate, nil where the denominator is 0.
    static func wilson(_ part: Int, of whole: Int) -> (low: Double, high: Double)? {
        guard whole > 0 else { return nil }
        let n = Double(whole)
        let p = Double(part) / n
        let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        return (max(0, middle - half), min(1, middle + half))
    }
}
