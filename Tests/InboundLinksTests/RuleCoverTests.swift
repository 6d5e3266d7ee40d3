import InboundLinks
import RandomTesting
import Testing

/// Whether a rule can never apply, compared with all links of a small world: two parameters, each absent or of up to
/// three letters out of three. Rules know only two of the letters and at most two of them in a row, so that every
/// prefix can go on in a way that no rule names.
@Suite("Rules that can never apply")
struct RuleCoverTests {
    private static let values: [String] = {
        var all = [""]
        var last = [""]
        for _ in 0..<3 {
            last = last.flatMap { start in ["a", "b", "z"].map { start + $0 } }
            all += last
        }
        return all
    }()

    private static func randomRule(_ random: inout SeededRandom) -> ReadingRule {
        var conditions: [ReadingRule.Subject: RulePattern] = [:]
        while conditions.isEmpty {
            for name in ["p", "q"] where random.chance(60) {
                var text = ""
                for _ in 0..<Int.random(in: 0...2, using: &random) { text += random.pick(["a", "b"]) }
                let isPrefix = text.isEmpty || random.chance(50)
                conditions[.parameter(name)] = RulePattern(text: text, isPrefix: isPrefix)
            }
        }
        return ReadingRule(conditions: conditions, channel: .other)
    }

    @Test(arguments: TestSeeds.seeds(40))
    func areThoseThatNoLinkReaches(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let rules = (0..<Int.random(in: 2...6, using: &random)).map { _ in Self.randomRule(&random) }
        let all = ReadingRules(rules: rules)
        var reached: Set<Int> = []
        for p in Self.values {
            for q in Self.values {
                guard case .inboundLink(let link) = LinkReader.read("x://a?p=\(p)&q=\(q)", rules: all),
                    case .app(let number) = link.rule
                else { continue }
                reached.insert(number)
            }
        }
        for (index, rule) in rules.enumerated() {
            let isCovered = rules[..<index].contains { $0.covers(rule) }
            #expect(isCovered != reached.contains(index + 1), "rule \(index + 1) of \(rules)")
        }
    }
}
