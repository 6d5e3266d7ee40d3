import Events
import Foundation
import Time

/// The other tables about a funnel.
extension Oracle {
    func funnel(_ query: FunnelQuery, _ table: FunnelTable) -> [[String]] {
        switch table {
        case .steps: funnel(query)
        case .besidePrevious: funnelBesidePrevious(query)
        case .times: funnelTimes(query)
        }
    }

    /// `--times`: `group, step, name, people, unknown_times, p50_seconds, p90_seconds, p95_seconds, p99_seconds,
    /// bin_from_seconds, bin_to_seconds, bin_people, bin_share`
    func funnelTimes(_ query: FunnelQuery) -> [[String]] {
        // "The bins end at 1, 5, 15 s, 1, 5, 15 min, 1, 6 h, 1, 3, 7, 30 and 90 days. Bins that begin at the window or
        // after it are left out."
        let (minute, hour, day) = (60, 3600, 86_400)
        let bounds: [Int] = [
            0, 1, 5, 15, minute, 5 * minute, 15 * minute, hour, 6 * hour, day, 3 * day, 7 * day, 30 * day, 90 * day,
        ]
        let bins = zip(bounds, bounds.dropFirst()).filter { .seconds($0.0) < query.window }

        return funnelGroups(query).flatMap { group in
            (2...query.steps.count).flatMap { step in
                let people = Self.people(reaching: step, group.chains)
                let times = people.compactMap { Self.smallestTime(to: step, $0) }.sorted()
                let first = [group.name.text, String(step), query.name(ofStep: step), String(people.count)]
                let percentiles = [50, 90, 95, 99].map { Self.percentile($0, of: times) }
                let known = first + [String(people.count - times.count)] + percentiles
                return bins.map { (from: Int, to: Int) -> [String] in
                    let (after, last) = (from == 0 ? Int64.min : Int64(from) * 1_000_000, Int64(to) * 1_000_000)
                    let within = times.count { $0 > after && $0 <= last }
                    return known + [String(from), String(to), String(within), Cell.rate(within, of: times.count)]
                }
            }
        }
    }

    /// "The p-th percentile of n times in ascending order is at position (n − 1) · p / 100, counted from 0. A position
    /// between two times is interpolated."
    static func percentile(_ percent: Int, of sorted: [Int64]) -> String {
        guard !sorted.isEmpty else { return Cell.undefined }
        let position = Fraction(Int128((sorted.count - 1) * percent), 100)
        let below = Int(position.numerator / position.denominator)
        let above = min(below + 1, sorted.count - 1)
        let part = position - Fraction(below)
        let low = Fraction(Int128(sorted[below]))
        let high = Fraction(Int128(sorted[above]))
        return Cell.amount((low + part * (high - low)) / Fraction(1_000_000))
    }

    /// `--compare-previous`: the columns of `funnel`, and `previous_people, previous_open, previous_rate_from_first,
    /// difference, difference_ci_low, difference_ci_high, p_value, p_value_adjusted`
    func funnelBesidePrevious(_ query: FunnelQuery) -> [[String]] {
        let asked = query.span
        var query = query
        if query.isMatured { query.span = asked.before(query.now.advanced(by: .zero - query.window)) }
        var before = query
        before.span = preceding(query.span, movedLike: asked)
        before.datedLike = query.span
        (query.isMatured, before.isMatured) = (false, false)
        let (shown, hasOthers) = shownGroups(query, before: before)
        let previous = funnelGroups(before, showing: shown, hasOthers: hasOthers)
        // "Groups that occur only in it are shown too", in the order of this range's rows, with counts of 0.
        let groups = funnelGroups(query, showing: shown, hasOthers: hasOthers)

        let pairs = groups.map { group in
            (current: group, previous: previous.first { $0.keys == group.keys }?.chains ?? [:])
        }
        var rows: [[[String]]] = pairs.map { _ in [] }
        for step in 1...query.steps.count {
            func counts(_ chains: [Person: [FunnelChain]]) -> (people: Int, reached: Int) {
                (Self.people(reaching: 1, chains).count, Self.people(reaching: step, chains).count)
            }
            /// "While more than a tenth of the people of step 1 can still reach the step", there is no verdict.
            func isOver(_ chains: [Person: [FunnelChain]]) -> Bool {
                10 * (1...step).reduce(0) { $0 + Self.open(step: $1, chains) } <= Self.people(reaching: 1, chains).count
            }
            let tests = pairs.map { (now: counts($0.current.chains), then: counts($0.previous)) }
            /// "Empty for step 1, whose rate is 1 by definition."
            let tested = zip(tests, pairs).map { test, pair -> Pair? in
                let areOver = isOver(pair.current.chains) && isOver(pair.previous)
                return step > 1 && test.now.people > 0 && test.then.people > 0 && areOver
                    ? (test.now, test.then) : nil
            }
            // "`total` is a separate test."
            let told = Self.corrected(tested.dropLast()) + Self.corrected(tested.suffix(1))
            for index in pairs.indices {
                let (now, then) = tests[index]
                let rates = [now, then].map { Fraction(Int128($0.reached), Int128(max(1, $0.people))) }
                let pValue = tested[index].flatMap { Self.pValue($0.0, $0.1) }
                rows[index].append(
                    Self.funnelRow(pairs[index].current.name, pairs[index].current.chains, query, step: step) + [
                        String(then.reached), String(Self.open(step: step, pairs[index].previous)),
                        Cell.rate(then.reached, of: then.people),
                        now.people > 0 && then.people > 0 ? Cell.difference(rates[0] - rates[1]) : Cell.undefined,
                        told[index][0], told[index][1], pValue.map { Cell.probability($0) } ?? Cell.undefined,
                        told[index][2],
                    ]
                )
            }
        }
        return rows.flatMap { $0 }
    }

    /// Holm's correction by its definition: the i-th smallest of m values becomes the largest (m − j + 1) · p(j) with j
    /// ≤ i, at most 1.
    static func holm(_ pValues: [Double?]) -> [Double?] {
        let tested = pValues.compactMap { $0 }
        return pValues.map { value in
            guard let value else { return nil }
            return tested.filter { $0 <= value }
                .map { smaller in min(1, Double(tested.count { $0 >= smaller }) * smaller) }
                .max()
        }
    }
}
