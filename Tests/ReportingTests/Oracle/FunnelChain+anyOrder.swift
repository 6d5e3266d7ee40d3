import Events
import Time

/// `--order any` of docs/reports.md.
extension Oracle.FunnelChain {
    /// "A chain of k steps is a choice of events from the start up to start + window that serve k different steps, one
    /// event each. An authenticated link may serve one step as a link, and the step `authentication` too."
    init(inAnyOrderFrom start: Oracle.Fact, _ query: Oracle.FunnelQuery, history: [Oracle.Fact]) {
        let end = start.time.advanced(by: query.window)
        let excluded = history.filter { fact in
            query.exclusions.contains { Oracle.serves(fact, step: $0) }
        }
        func allows(_ time: Timestamp) -> Bool {
            start.time <= time && time <= end && !excluded.contains { start.time < $0.time && $0.time < time }
        }

        var times: [Timestamp] = []
        for last in Set(history.map(\.time)).sorted() where allows(last) {
            let most = Self.mostSteps(query.steps, of: history.filter { start.time <= $0.time && $0.time <= last })
            while times.count < most { times.append(last) }
        }
        self.init(start: start, times: times, canGetOn: allows(max(start.time, query.now)))
    }

    /// The most steps that the events can serve, one event each. By the theorem of König and Hall, this is a minimum
    /// over all sets of steps: the steps outside the set, plus the events that serve a step in the set. Using the start
    /// costs no step: steps that can be served can be served with the start.
    private static func mostSteps(_ steps: [String], of facts: [Oracle.Fact]) -> Int {
        var servers: [Set<Int>] = []
        for fact in facts {
            let served = Set(steps.indices.filter { Oracle.serves(fact, step: steps[$0]) })
            guard fact.isAuthenticatedInboundLink else {
                servers.append(served)
                continue
            }
            servers.append(served.filter { Oracle.servesAsLink(fact, step: steps[$0]) })
            servers.append(served.filter { Oracle.servesAsAuthentication(fact, step: steps[$0]) })
        }
        return (0..<1 << steps.count).map { subset in
            let chosen = Set(steps.indices.filter { subset & 1 << $0 != 0 })
            return steps.count - chosen.count + servers.count { !$0.isDisjoint(with: chosen) }
        }.min() ?? 0
    }
}
