import Events
import InboundLinks
import Time

extension Oracle {
    /// What one start of one person reached, found by trying every choice.
    struct FunnelChain {
        let start: Fact
        /// The earliest time of each reached step, over all choices. The number of times is the level.
        private(set) var times: [Timestamp] = []
        /// The steps, from 1, whose time from the start nobody knows.
        private(set) var unknownTimes: Set<Int> = []
        /// Whether one more step could follow, if its event happens when the report is requested or later.
        private(set) var canGetOn = false

        var level: Int { times.count }

        /// The rules if only the window limits a chain (docs/reports.md, *funnel*).
        ///
        /// - Parameter history: every fact of the person.
        init(from start: Fact, _ query: FunnelQuery, history: [Fact]) {
            self.start = start
            let end = start.time.advanced(by: query.window)
            follow([start], query, history, end: end)
            // "The window … has not ended": the instant of its end belongs to it.
            canGetOn = query.now <= end
        }

        /// "The next step is the earliest event of its kind at or after the step before. Events of the same instant
        /// have no order. […] The whole chain must end by start + window, the end included." If several events share
        /// the earliest instant, each is tried. Chosen: each step gets the earliest time that any choice reaches.
        private mutating func follow(_ chain: [Fact], _ query: FunnelQuery, _ history: [Fact], end: Timestamp) {
            guard let previous = chain.last else { return }
            note(previous.time, step: chain.count)
            guard chain.count < query.steps.count else { return }

            let candidates = history.filter { fact in
                Oracle.serves(fact, step: query.steps[chain.count]) && previous.time <= fact.time && fact.time <= end
                    && (!chain.contains { $0.number == fact.number }
                        || Self.servesTwice(fact, after: chain, steps: query.steps))
            }
            let earliest = candidates.map(\.time).min()
            for choice in candidates where choice.time == earliest {
                follow(chain + [choice], query, history, end: end)
            }
        }

        /// "A time is unknown if the time of the start is, or of every event that could serve the step at its instant."
        mutating func noteUnknownTimes(_ query: FunnelQuery, history: [Fact]) {
            unknownTimes = Set(
                (1...level).dropFirst().filter { step in
                    let steps = query.order == .any ? query.steps : [query.steps[step - 1]]
                    let servers = history.filter { fact in
                        fact.time == times[step - 1] && steps.contains { Oracle.serves(fact, step: $0) }
                    }
                    return start.hasInferredTime || servers.allSatisfy(\.hasInferredTime)
                }
            )
        }

        /// "An event serves one step. The exception is a link that carried a token: if it serves a step as a link, and
        /// the step directly after it is `authentication`, it serves that step too."
        static func servesTwice(_ fact: Fact, after chain: [Fact], steps: [String]) -> Bool {
            guard fact.isAuthenticatedInboundLink, chain.last?.number == fact.number else { return false }
            guard chain.filter({ $0.number == fact.number }).count == 1 else { return false }
            return Oracle.servesAsLink(fact, step: steps[chain.count - 1])
                && Oracle.servesAsAuthentication(fact, step: steps[chain.count])
        }

        mutating func note(_ time: Timestamp, step: Int) {
            if times.count < step {
                times.append(time)
            } else {
                times[step - 1] = min(times[step - 1], time)
            }
        }

        init(start: Fact, times: [Timestamp], canGetOn: Bool) {
            self.start = start
            self.times = times
            self.canGetOn = canGetOn
        }
    }

    /// The kinds of steps: those of `--steps`, and `tap` of `installs`; or several joined by `|`, each of which serves
    /// the step.
    static func serves(_ fact: Fact, step: String) -> Bool {
        alternatives(of: step).contains { isMet($0, by: fact, isKind) }
    }

    static func servesAsAuthentication(_ fact: Fact, step: String) -> Bool {
        alternatives(of: step).contains { isMet($0, by: fact) { kind, _ in kind == "authentication" } }
    }

    static func servesAsLink(_ fact: Fact, step: String) -> Bool {
        alternatives(of: step).contains {
            isMet($0, by: fact) { $0 != "authentication" && $1.touch != nil && isKind($0, $1) }
        }
    }

    /// `touch[ref=gift]`: the event's kind, and conditions as those of `--where`, one in each pair of brackets.
    private static func isMet(_ alternative: String, by fact: Fact, _ isKind: (String, Fact) -> Bool) -> Bool {
        let parts = alternative.split(separator: "[").map(String.init)
        let kind = parts[0]
        var (conditions, outcomes) = ([Condition](), [Condition]())
        for part in parts.dropFirst() {
            let sides = part.dropLast().split(separator: "=", maxSplits: 1).map(String.init)
            let isExclusion = sides[0].hasSuffix("!")
            let key = isExclusion ? String(sides[0].dropLast()) : sides[0]
            let condition = Condition(
                key: Grouping(rawValue: key) ?? .ungrouped,
                values: sides[1].split(separator: ",").map(String.init),
                isExclusion: isExclusion
            )
            if key == "outcome" { outcomes.append(condition) } else { conditions.append(condition) }
        }
        // "Without a condition on the outcome: granted."
        let isOfAnyOutcome = kind == "authentication" && !outcomes.isEmpty && fact.login != nil
        guard isOfAnyOutcome || isKind(kind, fact) else { return false }
        let outcome =
            fact.conversion != nil
            ? fact.saleOutcome : fact.feedPost?.outcome.rawValue ?? (fact.login?.outcome ?? .granted).rawValue
        guard outcomes.allSatisfy({ $0.keeps(outcome.map(Name.init) ?? .none) }) else { return false }
        // Every condition on a ref concerns the same ref.
        return conditions.filter { $0.key != .ref }.allSatisfy { $0.keeps(value(of: fact, by: $0.key)) }
            && refRows(of: fact).contains { ref in conditions.filter { $0.key == .ref }.allSatisfy { $0.keeps(ref) } }
    }

    /// The kind of an alternative, without its conditions.
    static func kind(of alternative: String) -> String { String(alternative.prefix { $0 != "[" }) }

    static func alternatives(of step: String) -> [String] {
        step.split(separator: "|").map(String.init)
    }

    private static func isKind(_ kind: String, _ fact: Fact) -> Bool {
        switch kind {
        case "inbound_link": fact.touch?.isInboundLink ?? false
        case "link_click": fact.touch?.isClick ?? false
        case "touch": fact.touch != nil
        case "tap": fact.touch.map { $0.isClick || $0.isDeferred } ?? false
        case "install": fact.isCountedInstall
        case "authentication":
            fact.login?.outcome == .granted || fact.isAuthenticatedInboundLink
        case "feed_post": fact.feedPost != nil
        case "app_open": if case .appOpen = fact.kind { true } else { false }
        case "conversion": fact.conversion != nil
        default: fact.conversion.map { Name("conversion:" + $0.name) == Name(kind) } ?? false
        }
    }
}
