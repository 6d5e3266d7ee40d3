import Events
import Foundation
import InboundLinks
@testable import Reporting
import Time

extension Oracle {
    struct CompareQuery {
        var a: String
        /// One or several.
        var b: [String]
        /// What `a` and `b` are.
        var grouping: Grouping
        /// Its grouping is ignored. Other metrics have its range, its window and whether it is matured.
        var funnel: FunnelQuery
        /// `funnel`, `taps_per_post`, `posts_per_person` or `login_failure`
        var metric = "funnel"

        /// What is in `a` or `b` by other metrics.
        var start: String? {
            ["taps_per_post": "feed_post", "posts_per_person": "touch", "login_failure": "authentication"][metric]
        }
    }

    /// What is compared of one side: how often it is counted, and how many of it still can be.
    private struct Compared {
        var counts: [Int]
        var open: Int

        var sum: Int { counts.reduce(0, +) }
    }

    /// docs/reports.md, *compare*. Of a post, the touches that came from it up to a window after it; of a person, the
    /// posts up to a window after the first touch; of a person with logins, whether one of them failed.
    private func compared(_ query: CompareQuery, _ name: String) -> Compared {
        let (window, now) = (query.funnel.window, query.funnel.now)
        let hasWindow = query.metric != "login_failure"
        let span =
            query.funnel.isMatured && hasWindow
            ? query.funnel.span.before(now.advanced(by: .zero - window)) : query.funnel.span
        let starts = facts.filter { fact in
            span.contains(fact.time) && isKept(fact) && groups(of: fact, by: query.grouping).contains(Name(name))
        }
        func count(since time: Timestamp, where isCounted: (Fact) -> Bool) -> Int {
            facts.count { time <= $0.time && $0.time <= time.advanced(by: window) && isCounted($0) }
        }
        func isOpen(_ time: Timestamp) -> Bool { time.advanced(by: window) >= now }
        switch query.metric {
        case "taps_per_post":
            let posts = starts.filter { $0.feedPost?.outcome == .posted }
            let counts = posts.map { post in count(since: post.time) { $0.touch?.post?.id == post.eventID } }
            return Compared(counts: counts, open: posts.count { isOpen($0.time) })
        case "posts_per_person":
            let firsts = Dictionary(grouping: starts.filter { $0.touch != nil && $0.person != nil }, by: \.person)
                .compactMapValues { $0.map(\.time).min() }
            let counts = firsts.map { person, first in
                count(since: first) { $0.person == person && $0.feedPost?.outcome == .posted }
            }
            return Compared(counts: counts, open: firsts.values.count(where: isOpen))
        default:
            let attempts = Dictionary(grouping: starts.filter { $0.login != nil && $0.person != nil }, by: \.person)
            return Compared(
                counts: attempts.values.map { $0.contains { $0.login?.outcome == .failed } ? 1 : 0 },
                open: 0
            )
        }
    }

    /// `ci_low, ci_high, p_value` by Welch's test; nil if it is undefined. Student's distribution is the product's,
    /// which is tested against another one.
    private static func welch(_ a: [Int], _ b: [Int]) -> UncorrectedTest? {
        func mean(_ counts: [Int]) -> Double { Double(counts.reduce(0, +)) / Double(counts.count) }
        func variance(_ counts: [Int]) -> Double {
            let mean = mean(counts)
            let squares = counts.map { (Double($0) - mean) * (Double($0) - mean) }.reduce(0, +)
            return squares / Double(counts.count - 1) / Double(counts.count)
        }
        guard a.count > 1, b.count > 1, Set(a).count > 1 || Set(b).count > 1 else { return nil }
        let (ofA, ofB) = (variance(a), variance(b))
        let freedom = pow(ofA + ofB, 2) / (pow(ofA, 2) / Double(a.count - 1) + pow(ofB, 2) / Double(b.count - 1))
        let (difference, error) = (mean(a) - mean(b), (ofA + ofB).squareRoot())
        return UncorrectedTest(pValue: StudentT.twoSidedPValue(difference / error, freedom: freedom)) { level in
            let margin = StudentT.quantile(twoSided: level, freedom: freedom) * error
            return (difference - margin, difference + margin)
        }
    }

    /// `a, b, metric, a_people, a_open, a_rate, b_people, b_open, b_rate, difference, ci_low, ci_high, p_value`
    ///
    /// Chosen: the metric is the last step's name; people are those at step 1, and the rate is of those who reached the
    /// last step. The difference is a − b. Its interval is Newcombe's: the ends of both Wilson intervals, as far
    /// from their rates as they are, squared, added, and the root of that.
    /// Where p-values are corrected, the interval is that of the level of its step. More than a tenth of open people on
    /// a side, those who have not reached the last step and still can, leave out the interval and the p-value.
    /// The p-value is two-sided with the pooled variance, and undefined if that is 0 (nobody or everybody reached the
    /// step).
    func compare(_ query: CompareQuery) -> [[String]] {
        func counts(_ name: String) -> (people: Int, reached: Int, open: Int) {
            if query.metric != "funnel" {
                let compared = compared(query, name)
                return (compared.counts.count, compared.sum, compared.open)
            }
            let chains = chains(query.funnel).mapValues { starts in
                starts.filter {
                    groups(of: $0.start, by: query.grouping).contains(Name(name))
                }
            }
            return (
                Self.people(reaching: 1, chains).count,
                Self.people(reaching: query.funnel.steps.count, chains).count,
                (1...query.funnel.steps.count).reduce(0) { $0 + Self.open(step: $1, chains) }
            )
        }
        let a = counts(query.a)
        // "The rows are sorted: channels and other values that never change in their order, others by name; `(none)`
        // last."
        let orders: [Grouping: [String]] = [
            .channel: Channel.allCases.map(\.rawValue), .platform: Platform.allCases.map(\.rawValue),
            .authenticated: ["true", "false"], .deferred: ["true", "false"], .paid: ["true", "false"],
            .linkForm: InboundLink.Form.allCases.map(\.rawValue), .sentBy: ["server", "app"],
            .refFrom: Grouping.refOrigins,
        ]
        let named = query.b.filter { $0 != "(none)" }
        let others =
            (orders[query.grouping].map { $0.filter(named.contains) } ?? named.sorted { Name($0) < Name($1) })
            + query.b.filter { $0 == "(none)" }
        let sides = others.map(counts)
        let pairs = sides.map { b -> Pair? in
            guard [a, b].allSatisfy({ $0.people > 0 && 10 * $0.open <= $0.people }) else { return nil }
            return ((people: a.people, reached: a.reached), (people: b.people, reached: b.reached))
        }
        let isOfMeans = ["taps_per_post", "posts_per_person"].contains(query.metric)
        let told =
            isOfMeans
            ? Self.corrected(
                zip(others, pairs).map { name, pair in
                    pair == nil ? nil : Self.welch(compared(query, query.a).counts, compared(query, name).counts)
                }
            ) : Self.corrected(pairs)
        return others.indices.map { index in
            let (name, b) = (others[index], sides[index])
            let rates = [a, b].map { Fraction(Int128($0.reached), Int128(max(1, $0.people))) }
            return [
                query.a, name,
                query.metric == "funnel" ? query.funnel.name(ofStep: query.funnel.steps.count) : query.metric,
                String(a.people), String(a.open), Cell.rate(a.reached, of: a.people),
                String(b.people), String(b.open), Cell.rate(b.reached, of: b.people),
                a.people > 0 && b.people > 0 ? Cell.difference(rates[0] - rates[1]) : Cell.undefined,
            ] + told[index]
        }
    }

    private struct UncorrectedTest {
        var pValue: Double?
        /// At a level.
        var interval: (Double) -> (low: Double, high: Double)
    }

    typealias Pair = ((people: Int, reached: Int), (people: Int, reached: Int))

    /// `ci_low, ci_high, p_value` of tests that are corrected together.
    ///
    /// "Holm's method multiplies the smallest of *m* p-values by *m*, the next by *m* − 1 and so on; none is below the
    /// one before it, none above 1. The row with the smallest p-value has the interval of the level 0.05 ÷ *m*, the
    /// next that of 0.05 ÷ (*m* − 1) and so on; from the first row on whose p-value is not below its level, all have
    /// the interval of that level."
    static func corrected(_ pairs: [Pair?]) -> [[String]] {
        corrected(
            pairs.map { pair -> UncorrectedTest? in
                guard let (a, b) = pair else { return nil }
                return UncorrectedTest(pValue: pValue(a, b)) { newcombe(a, b, z: z(outside: $0)) }
            }
        )
    }

    private static func corrected(_ tests: [UncorrectedTest?]) -> [[String]] {
        let pValues = tests.map { $0?.pValue }
        let all = pValues.compactMap { $0 }
        let adjusted = holm(pValues)
        /// How many are left when the method comes to a value.
        func left(_ value: Double) -> Int { all.count { $0 >= value } }
        let refused = all.filter { $0 * Double(left($0)) >= 0.05 }.min()
        return tests.indices.map { index in
            guard let test = tests[index] else { return Array(repeating: Cell.undefined, count: 3) }
            let level = pValues[index].map { 0.05 / Double(left(min($0, refused ?? $0))) } ?? 0.05
            let (low, high) = test.interval(level)
            return [Cell.rate(low), Cell.rate(high), adjusted[index].map { Cell.probability($0) } ?? Cell.undefined]
        }
    }

    /// The quantile of the normal distribution beyond whose both signs lies a chance, by Newton's method.
    private static func z(outside chance: Double) -> Double {
        var z = Self.z
        for _ in 0..<50 {
            let density = exp(-z * z / 2) / (Double.pi / 2).squareRoot()
            z += (erfc(z / 2.0.squareRoot()) - chance) / density
        }
        return z
    }

    private static func newcombe(
        _ a: (people: Int, reached: Int),
        _ b: (people: Int, reached: Int),
        z: Double
    ) -> (low: Double, high: Double) {
        guard let ofA = wilson(a.reached, of: a.people, z: z), let ofB = wilson(b.reached, of: b.people, z: z) else {
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
