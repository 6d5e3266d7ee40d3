import Events
import Time

/// *Chains, exactly* of docs/reports.md: tries every choice of events.
extension Oracle.FunnelChain {
    /// The events chosen so far.
    private struct Choice: Hashable {
        /// Numbers of the facts of the last instant, in the order of the steps that they serve. Earlier facts no longer
        /// matter, because no step goes back in time.
        var latest: [Int]

        static func == (first: Choice, second: Choice) -> Bool {
            first.latest.last == second.latest.last && first.latest.count == second.latest.count
                && first.latest.sorted() == second.latest.sorted()
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(latest.last)
            hasher.combine(latest.sorted())
        }
    }

    init(choosingFrom start: Oracle.Fact, _ query: Oracle.FunnelQuery, history: [Oracle.Fact]) {
        let facts = Dictionary(uniqueKeysWithValues: history.map { ($0.number, $0) })
        let end = start.time.advanced(by: query.window)
        let excluded = history.filter { fact in
            query.exclusions.contains { Oracle.serves(fact, step: $0) }
        }

        /// Whether the event after the last one of a choice may be at a time.
        func allows(_ time: Timestamp, after last: Timestamp, step: Int) -> Bool {
            guard last <= time, time <= end else { return false }
            // "The event of step k + 1 comes at most D after that of step k, the end included."
            if let limit = query.stepWindows[step], time > last.advanced(by: limit) { return false }
            // "No event of the person lies at an instant between those of two steps that follow one another."
            if query.order == .strict, history.contains(where: { last < $0.time && $0.time < time }) { return false }
            // "No E lies at an instant between those of the first and the last event of the chain."
            return !excluded.contains { start.time < $0.time && $0.time < time }
        }

        func lastTime(_ choice: Choice) -> Timestamp {
            choice.latest.last.flatMap { facts[$0]?.time } ?? start.time
        }

        /// The choices that extend this one by one step.
        func longer(_ choice: Choice, step: Int) -> [Choice] {
            let last = lastTime(choice)
            return history.compactMap { fact in
                guard Oracle.serves(fact, step: query.steps[step]) else { return nil }
                guard allows(fact.time, after: last, step: step) else { return nil }
                guard fact.time == last else { return Choice(latest: [fact.number]) }
                if choice.latest.contains(fact.number) {
                    // Only the facts of the last instant are known. That is enough, because only the last one may serve
                    // two steps.
                    let before = choice.latest.compactMap { facts[$0] }
                    let steps = Array(query.steps[(step - before.count)...])
                    guard Self.servesTwice(fact, after: before, steps: steps) else { return nil }
                }
                return Choice(latest: choice.latest + [fact.number])
            }
        }

        var times: [Timestamp] = []
        var choices: Set<Choice> = [Choice(latest: [start.number])]
        var canGetOn = false
        while !choices.isEmpty {
            let lasts = choices.map(lastTime)
            times.append(lasts.min() ?? start.time)
            let step = times.count
            // "An event of the next step, now or later, would make a chain that is one step longer."
            canGetOn = lasts.contains { allows(max($0, query.now), after: $0, step: step) }
            guard step < query.steps.count else { break }
            choices = Set(choices.flatMap { longer($0, step: step) })
        }
        self.init(start: start, times: times, canGetOn: canGetOn)
    }
}
