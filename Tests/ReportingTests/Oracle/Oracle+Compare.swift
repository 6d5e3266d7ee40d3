import Events
import Foundation
import InboundLinks

extension Oracle {
    struct CompareQuery {
        var a: String
        var b: String
        /// Whether `a` and `b` are channels or refs.
        var grouping: CreditGrouping
        /// Its grouping is not read.
        var funnel: FunnelQuery
    }

    /// `a, b, metric, a_people, a_rate, b_people, b_rate, difference, ci_low, ci_high, p_value`
    ///
    /// Chosen: the metric is the last step's name; people are those at step 1, the rate is of those who reached the
    /// last. The difference is a − b, its 95 % interval with each rate's own variance, not cut at ±1; the p-value
    /// two-sided with the pooled variance, undefined where that is 0 (nobody or everybody reached the step).
    func compare(_ query: CompareQuery) -> [[String]] {
        func counts(_ name: String) -> (people: Int, reached: Int) {
            let chains = chains(query.funnel).mapValues { starts in
                starts.filter {
                    groups(of: $0.start, by: query.grouping == .channel ? .channel : .ref).contains(Name(name))
                }
            }
            return (
                Self.people(reaching: 1, chains).count,
                Self.people(reaching: query.funnel.steps.count, chains).count
            )
        }
        let a = counts(query.a)
        let b = counts(query.b)
        let statistics =
            a.people == 0 || b.people == 0
            ? Array(repeating: Cell.undefined, count: 4)
            : Self.twoProportions(a, b)
        return [
            [
                query.a, query.b, query.funnel.steps.last ?? "",
                String(a.people), Cell.rate(a.reached, of: a.people),
                String(b.people), Cell.rate(b.reached, of: b.people),
            ] + statistics
        ]
    }

    /// `difference, ci_low, ci_high, p_value`
    private static func twoProportions(
        _ a: (people: Int, reached: Int),
        _ b: (people: Int, reached: Int)
    ) -> [String] {
        let rateA = Fraction(Int128(a.reached), Int128(a.people))
        let rateB = Fraction(Int128(b.reached), Int128(b.people))
        let difference = rateA - rateB

        func variance(_ rate: Fraction, _ people: Int) -> Double {
            (rate * (.one - rate) / Fraction(people)).double
        }
        let half = z * (variance(rateA, a.people) + variance(rateB, b.people)).squareRoot()

        let pooled = Fraction(Int128(a.reached + b.reached), Int128(a.people + b.people))
        let pooledVariance = variance(pooled, a.people) + variance(pooled, b.people)
        let pValue =
            pooledVariance == 0
            ? Cell.undefined
            : Cell.rate(erfc(abs(difference.double) / pooledVariance.squareRoot() / 2.0.squareRoot()))
        return [
            Cell.difference(difference), Cell.rate(difference.double - half), Cell.rate(difference.double + half),
            pValue,
        ]
    }
}
