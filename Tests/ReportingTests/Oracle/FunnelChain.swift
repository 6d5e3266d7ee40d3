import Events
import InboundLinks

extension Oracle {
    /// What one start of one person reached, every choice tried.
    struct FunnelChain {
        let start: Fact
        /// The earliest time of each step that was reached, over all choices. Its count is the level.
        private(set) var times: [Timestamp]

        private let steps: [String]
        private let history: [Fact]
        private let end: Timestamp

        var level: Int { times.count }

        /// - Parameter history: every fact of the person.
        init(from start: Fact, steps: [String], window: Duration, history: [Fact]) {
            self.start = start
            self.steps = steps
            self.history = history
            end = start.time.advanced(by: window)
            times = []
            follow([start])
        }

        /// "The next step is the earliest event of its kind at or after the previous step's time; the whole chain must
        /// end by t + window, the end included. […] Events at the same instant are in no order." Where several share
        /// the earliest instant, each is tried. Chosen: of the choices, each step takes the earliest time that any
        /// reaches.
        private mutating func follow(_ chain: [Fact]) {
            guard let previous = chain.last else { return }
            if times.count < chain.count {
                times.append(previous.time)
            } else {
                times[chain.count - 1] = min(times[chain.count - 1], previous.time)
            }
            guard chain.count < steps.count else { return }

            let step = steps[chain.count]
            let candidates = history.filter { fact in
                Oracle.serves(fact, step: step) && previous.time <= fact.time && fact.time <= end
                    && (!chain.contains { $0.number == fact.number }
                        || Self.servesTwice(fact, after: previous, step: step))
            }
            let earliest = candidates.map(\.time).min()
            for choice in candidates where choice.time == earliest {
                follow(chain + [choice])
            }
        }

        /// "An event serves one step, save an authenticated `inbound_link`, which also serves a directly following
        /// `authentication` step."
        private static func servesTwice(_ fact: Fact, after previous: Fact, step: String) -> Bool {
            step == "authentication" && fact.isAuthenticatedInboundLink && fact.number == previous.number
        }
    }

    /// The kinds of steps: those of `--steps`, and `tap` of `installs`.
    static func serves(_ fact: Fact, step: String) -> Bool {
        switch step {
        case "inbound_link": fact.touch?.isInboundLink ?? false
        case "link_click": fact.touch.map { !$0.isInboundLink } ?? false
        case "touch": fact.touch != nil
        case "tap": fact.touch.map { !$0.isInboundLink || $0.isDeferred } ?? false
        case "install": fact.isCountedInstall
        case "authentication":
            if case .authentication = fact.kind { true } else { fact.isAuthenticatedInboundLink }
        case "feed_post": fact.feedPost != nil
        case "conversion": fact.conversion != nil
        default: fact.conversion.map { Name("conversion:" + $0.name) == Name(step) } ?? false
        }
    }
}
