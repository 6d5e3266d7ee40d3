import Events
import Time

extension Oracle {
    /// What one start of one person reached, every choice tried.
    struct FunnelChain {
        let start: Fact
        /// The earliest time of each step that was reached, over all choices. Its count is the level.
        private(set) var times: [Timestamp] = []
        /// Whether one more step could follow, should its event happen when the report is asked for or later.
        private(set) var canGetOn = false

        var level: Int { times.count }

        /// The rules where nothing but the window limits a chain (docs/reports.md, *Chains, exactly*).
        ///
        /// - Parameter history: every fact of the person.
        init(from start: Fact, _ query: FunnelQuery, history: [Fact]) {
            self.start = start
            let end = start.time.advanced(by: query.window)
            follow([start], query, history, end: end)
            // "Its window has not ended": the instant of its end belongs to it.
            canGetOn = query.now <= end
        }

        /// "The next step is the earliest event of its kind at or after the previous step's time; the whole chain must
        /// end by t + window, the end included. […] Events at the same instant are in no order." Where several share
        /// the earliest instant, each is tried. Chosen: of the choices, each step takes the earliest time that any
        /// reaches.
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

        /// "An event serves one step. The exception: a link that carried a token and serves a step as a link also
        /// serves a directly following step of `authentication`."
        static func servesTwice(_ fact: Fact, after chain: [Fact], steps: [String]) -> Bool {
            guard fact.isAuthenticatedInboundLink, chain.last?.number == fact.number else { return false }
            guard chain.filter({ $0.number == fact.number }).count == 1 else { return false }
            return Oracle.servesAsLink(fact, step: steps[chain.count - 1])
                && Oracle.alternatives(of: steps[chain.count]).contains("authentication")
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

    /// The kinds of steps: those of `--steps`, and `tap` of `installs`; several, of which each serves, joined by `|`.
    static func serves(_ fact: Fact, step: String) -> Bool {
        alternatives(of: step).contains { isKind($0, fact) }
    }

    static func servesAsLink(_ fact: Fact, step: String) -> Bool {
        alternatives(of: step).contains { $0 != "authentication" && fact.touch != nil && isKind($0, fact) }
    }

    static func alternatives(of step: String) -> [String] {
        step.split(separator: "|").map(String.init)
    }

    private static func isKind(_ kind: String, _ fact: Fact) -> Bool {
        switch kind {
        case "inbound_link": fact.touch?.isInboundLink ?? false
        case "link_click": fact.touch.map { !$0.isInboundLink } ?? false
        case "touch": fact.touch != nil
        case "tap": fact.touch.map { !$0.isInboundLink || $0.isDeferred } ?? false
        case "install": fact.isCountedInstall
        case "authentication":
            if case .authentication = fact.kind { true } else { fact.isAuthenticatedInboundLink }
        case "feed_post": fact.feedPost != nil
        case "conversion": fact.conversion != nil
        default: fact.conversion.map { Name("conversion:" + $0.name) == Name(kind) } ?? false
        }
    }
}
