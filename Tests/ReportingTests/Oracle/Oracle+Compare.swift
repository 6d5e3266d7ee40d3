import Events
import Foundation
import InboundLinks

extension Oracle {
    struct CompareQuery {
        var a: String
        /// One or several.
        var b: [String]
        /// What `a` and `b` are.
        var grouping: Grouping
        /// Its grouping is ignored.
        var funnel: FunnelQuery
    }

    /// `a, b, metric, a_people, a_rate, b_people, b_rate, difference, ci_low, ci_high, p_value`
    ///
    /// Chosen: the metric is the last step's name; people are those at step 1, and the rate is of those who reached the
    /// last step. The difference is a − b. Its 95 % interval is Newcombe's: the ends of both Wilson intervals, as far
    /// from their rates as they are, squared, added, and the root of that.
    /// The p-value is two-sided with the pooled variance, and undefined if that is 0 (nobody or everybody reached the
    /// step).
    func compare(_ query: CompareQuery) -> [[String]] {
        func counts(_ name: String) -> (people: Int, reached: Int) {
            let chains = chains(query.funnel).mapValues { starts in
                starts.filter {
                    groups(of: $0.start, by: query.grouping).contains(Name(name))
                }
            }
            return (
                Self.people(reaching: 1, chains).count,
                Self.people(reaching: query.funnel.steps.count, chains).count
            )
        }
        let a = counts(query.a)
        // "The rows are sorted: channels and other values that never change in their order, others by name; `(none)`
        // last."
        let orders: [Grouping: [String]] = [
            .channel: Channel.allCases.map(\.rawValue), .platform: Platform.allCases.map(\.rawValue),
            .authenticated: ["true", "false"], .deferred: ["true", "false"], .paid: ["true", "false"],
            .linkForm: InboundLink.Form.allCases.map(\.rawValue), .sentBy: ["server", "app"],
        ]
        let named = query.b.filter { $0 != "(none)" }
        let others =
            (orders[query.grouping].map { $0.filter(named.contains) } ?? named.sorted { Name($0) < Name($1) })
            + query.b.filter { $0 == "(none)" }
        let tests = others.map { name in
            let b = counts(name)
            return (name: name, b: b, test: a.people == 0 || b.people == 0 ? nil : Self.twoProportions(a, b))
        }
        let pValues = tests.compactMap { $0.test?.pValue }
        return tests.map { name, b, test in
            [
                query.a, name, query.funnel.name(ofStep: query.funnel.steps.count),
                String(a.people), Cell.rate(a.reached, of: a.people),
                String(b.people), Cell.rate(b.reached, of: b.people),
            ] + (test?.cells ?? Array(repeating: Cell.undefined, count: 3))
                + [test?.pValue.map { Cell.probability(Self.adjusted($0, among: pValues)) } ?? Cell.undefined]
        }
    }

    /// "Of *m* rows with a p-value the smallest is multiplied by *m*, the next by *m* − 1 and so on; none is below the
    /// one before it, none above 1."
    private static func adjusted(_ pValue: Double, among all: [Double]) -> Double {
        all.filter { $0 <= pValue }
            .map { smaller in min(1, smaller * Double(all.count - all.count { $0 < smaller })) }
            .max() ?? pValue
    }

    /// `difference, ci_low, ci_high`, and the p-value before any adjustment.
    static func twoProportions(
        _ a: (people: Int, reached: Int),
        _ b: (people: Int, reached: Int)
    ) -> (cells: [String], pValue: Double?) {
        let rateA = Fraction(Int128(a.reached), Int128(a.people))
        let rateB = Fraction(Int128(b.reached), Int128(b.people))
        let difference = rateA - rateB
        let (low, high) = newcombe(a, b)
        return ([Cell.difference(difference), Cell.rate(low), Cell.rate(high)], pValue(a, b))
    }

    private static func newcombe(
        _ a: (people: Int, reached: Int),
        _ b: (people: Int, reached: Int)
    ) -> (low: Double, high: Double) {
        guard let ofA = wilson(a.reached, of: a.people), let ofB = wilson(b.reached, of: b.people) else {
            return (0, 0)
        }
        let (rateA, rateB) = (Double(a.reached) / Double(a.people), Double(b.reached) / Double(b.people))
        func distance(_ one: Double, _ other: Double) -> Double { (one * one + other * other).squareRoot() }
        return (
            rateA - rateB - distance(rateA - ofA.low, ofB.high - rateB),
            rateA - rateB + distance(ofA.high - rateA, rateB - ofB.low)
        )
    }

    static func pValue(_ a: (people: Int, reached: Int), _ b: (people: Int, reached: Int)) -> Double? {
        let difference = Fraction(Int128(a.reached), Int128(a.people)) - Fraction(Int128(b.reached), Int128(b.people))
        let pooled = Fraction(Int128(a.reached + b.reached), Int128(a.people + b.people))
        let pooledVariance = variance(pooled, a.people) + variance(pooled, b.people)
        guard pooledVariance != 0 else { return nil }
        return erfc(abs(difference.double) / pooledVariance.squareRoot() / 2.0.squareRoot())
    }

    private static func variance(_ rate: Fraction, _ people: Int) -> Double {
        (rate * (.one - rate) / Fraction(people)).double
    }
}
