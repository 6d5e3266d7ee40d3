import Foundation
import RandomTesting
import Testing
import Time

@testable import Reporting

/// How often a watch is wrong, and how often it finds a fall: the tables of docs/schedules.md.
///
///     TRIBUTARY_TEST_SAMPLES=200 make test ONLY=WatchSimulationTests
///
/// judges 10,000 weeks of each kind.
@Suite("Simulated watches")
struct WatchSimulationTests {
    /// How a figure comes about.
    enum Kind {
        /// Counts with a variance of `spread` times their mean: Poisson for 1, else negative binomial.
        case count(mean: Double, spread: Double)
        /// So many of `people`.
        case rate(Double, people: Int)
        /// What so many purchases are worth, the logarithms of whose amounts have this deviation.
        case sum(purchases: Double, deviation: Double)

        var name: String {
            switch self {
            case .count(let mean, let spread): "counts around \(Int(mean)), variance \(spread.formatted()) × the mean"
            case .rate(let rate, let people): "rates of \(Int(rate * 100)) % of \(people) people"
            case .sum(let purchases, let deviation):
                "sums of around \(Int(purchases)) purchases, "
                    + (deviation == 0 ? "of equal amounts" : "σ of their logarithms \(deviation.formatted())")
            }
        }

        func figure(_ random: inout SeededRandom, times factor: Double = 1) -> WatchedFigure {
            switch self {
            case .count(let mean, 1): return .count(Double(random.poisson(mean * factor)))
            case .count(let mean, let spread):
                let shape = mean * factor / (spread - 1)
                return .count(Double(random.poisson(random.gamma(shape) * (spread - 1))))
            case .rate(let rate, let people):
                let successes = random.binomial(people, rate * factor)
                return .share(successes: Int64(successes), trials: Int64(people))
            case .sum(let mean, let deviation):
                let purchases = random.poisson(mean * factor)
                let sum = (0..<purchases).reduce(0.0) { sum, _ in sum + exp(deviation * random.normal()) }
                return .sum(sum, events: Double(purchases))
            }
        }
    }

    static let kinds: [Kind] =
        [1, 2, 4, 10].flatMap { spread in [20, 400, 5_000].map { .count(mean: $0, spread: spread) } }
        + [.rate(0.05, people: 400), .rate(0.3, people: 400), .rate(0.5, people: 400), .rate(0.3, people: 4_000)]
        + [0, 0.5, 1, 1.5].flatMap { deviation in [20, 400].map { .sum(purchases: $0, deviation: deviation) } }

    /// Counts of weeks without a change in which a watch told of one.
    private static func falseAlarms(_ kind: Kind, weeks: Int, isDaily: Bool, rows: Int, seed: UInt64) -> Int {
        var random = SeededRandom(seed: seed)
        var watch = Watch(isDaily: isDaily)
        let days = isDaily ? 7 : 1
        func figures() -> [String: WatchedFigure] {
            Dictionary(uniqueKeysWithValues: (0..<rows).map { ("\($0)", kind.figure(&random)) })
        }
        var past = (0..<Watch.weeks * days).map { _ in figures() }
        var alarms = 0
        for week in 0..<weeks {
            var isWrong = false
            for day in 0..<days {
                let current = figures()
                let earlier = (1...Watch.weeks).map { past[past.count - $0 * days] }
                let judgement = watch.judge(CivilDate(number: 20_000 + 7 * week + day), current, after: earlier)
                isWrong = isWrong || judgement.findings.contains { if case .changed = $0.kind { true } else { false } }
                past.append(current)
                past.removeFirst()
            }
            if isWrong { alarms += 1 }
        }
        return alarms
    }

    /// Whether a fall is told in its first week, and by its second.
    private static func found(_ kind: Kind, fall: Double, trials: Int, seed: UInt64) -> (first: Int, second: Int) {
        var random = SeededRandom(seed: seed)
        var found = (first: 0, second: 0)
        for _ in 0..<trials {
            var watch = Watch(isDaily: false)
            var past = (0..<Watch.weeks).map { _ in ["a": kind.figure(&random)] }
            var isFound = false
            for week in 0..<2 {
                let current = ["a": kind.figure(&random, times: 1 - fall)]
                let judgement = watch.judge(CivilDate(number: 20_000 + 7 * week), current, after: past)
                isFound = isFound || !judgement.findings.isEmpty
                if isFound, week == 0 { found.first += 1 }
                if isFound, week == 1 { found.second += 1 }
                past = [current] + past.dropLast()
            }
        }
        return found
    }

    private static func percent(_ count: Int, of all: Int) -> String {
        WatchedFigure.percent(Double(count) / Double(all))
    }

    @Test func areSeldomWrong() {
        let weeks = 50 * Int(TestSeeds.samples)
        var table =
            "| of \(weeks) weeks without a change | false alarms, weekly | daily | 20 rows, weekly |\n|---|---|---|---|\n"
        for (position, kind) in Self.kinds.enumerated() {
            let seed = TestSeeds.first + UInt64(position)
            let alarms = [(false, 1), (true, 1), (false, 20)].map { isDaily, rows in
                Self.falseAlarms(kind, weeks: weeks, isDaily: isDaily, rows: rows, seed: seed)
            }
            table += "| \(kind.name) | \(alarms.map { Self.percent($0, of: weeks) }.joined(separator: " | ")) |\n"
            // One in a hundred, and four standard deviations for chance.
            let most = Double(weeks) * 0.01 + 4 * (Double(weeks) * 0.01).squareRoot() + 1
            #expect(alarms.allSatisfy { Double($0) <= most }, "\(kind.name): \(alarms) of \(weeks), seed \(seed)")
        }
        print(table)
    }

    @Test func findFalls() {
        let trials = 50 * Int(TestSeeds.samples)
        var table = "| a fall of 30 % | told in the first week | by the second |\n|---|---|---|\n"
        for (position, kind) in Self.kinds.enumerated() {
            let found = Self.found(kind, fall: 0.3, trials: trials, seed: TestSeeds.first + UInt64(position))
            table +=
                "| \(kind.name) | \(Self.percent(found.first, of: trials)) | \(Self.percent(found.second, of: trials)) |\n"
            switch kind {
            case .count(400, 1), .rate(0.5, people: 400), .rate(0.3, people: 400):
                #expect(
                    Double(found.second) >= 0.9 * Double(trials) - 3 * (0.09 * Double(trials)).squareRoot(),
                    "\(kind.name)"
                )
            default: break
            }
        }
        print(table)
    }
}
