import Time

/// Finds how far a person came from each start if only the window limits a chain (docs/reports.md, *Chains, exactly*).
///
/// Goes through the facts once, from the last to the first. For each step, it keeps the earliest times at which this
/// step and the later ones can be served from here on. A fact that serves a step at time t is followed by the earliest
/// way from the next step on, which is already known. So the cost does not depend on how many starts share their
/// events.
struct SequentialChains {
    /// As in `FunnelStart.elapsed`.
    typealias Times = SIMD8<Int64>

    private static var never: Times { Times(repeating: .max) }

    private let stepCount: Int
    private let window: Int64
    private let now: Int64
    private let range: Range<Int64>
    /// For each step, the earliest times at which it and the later ones can be served, one after the other, by the
    /// facts seen so far. One more element, always `never`, follows the last step.
    private var ahead: [Times]
    private var matching: InstantMatching

    /// The starts of the current person, in no order.
    private(set) var starts: [FunnelStart] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        stepCount = funnel.steps.count
        window = funnel.window.duration.wholeMicroseconds
        now = run.now.microseconds
        range = run.range.from.microseconds..<run.range.to.microseconds
        ahead = Array(repeating: Self.never, count: funnel.steps.count + 1)
        matching = InstantMatching(stepCount: funnel.steps.count)
    }

    /// Fills `starts`.
    ///
    /// - Parameter facts: ordered by `FunnelFact.precedes`; each serves a step.
    mutating func follow(_ facts: [FunnelFact]) {
        starts.removeAll(keepingCapacity: true)
        // Moved out of the struct while it is changed, so that its buffer is uniquely referenced.
        var ahead: [Times] = []
        swap(&ahead, &self.ahead)
        ahead.withUnsafeMutableBufferPointer { ahead in
            facts.withUnsafeBufferPointer { facts in
                for step in 0..<stepCount { ahead[step] = Self.never }
                var end = facts.count
                while end > 0 {
                    let last = end - 1
                    if last == 0 || facts[last - 1].time != facts[last].time {
                        pass(facts[last], at: last, &ahead)
                        end = last
                    } else {
                        var begin = last - 1
                        while begin > 0, facts[begin - 1].time == facts[last].time { begin -= 1 }
                        pass(facts, begin..<end, &ahead)
                        end = begin
                    }
                }
            }
        }
        swap(&ahead, &self.ahead)
    }

    /// Passes a fact that is alone at its instant.
    private mutating func pass(_ fact: FunnelFact, at position: Int, _ ahead: inout UnsafeMutableBufferPointer<Times>) {
        // Ascending, because a step is followed by what was known of the next one before this fact.
        var steps = fact.steps
        while steps != 0 {
            let step = steps.trailingZeroBitCount
            steps &= steps - 1
            var times: Times
            if fact.doubles & (1 << UInt8(step)) != 0 {
                times = ahead[step + 2]
                times[step + 1] = fact.time
            } else {
                times = ahead[step + 1]
            }
            times[step] = fact.time
            ahead[step] = times
        }
        if fact.steps & 1 != 0, range.contains(fact.time) {
            note(ahead[0], from: fact.time, facts: position..<position + 1)
        }
    }

    /// Passes the facts of an instant, which have no order, and each of which serves one step. As many steps as
    /// possible are served here, which leaves the most time for the others.
    private mutating func pass(
        _ facts: UnsafeBufferPointer<FunnelFact>,
        _ instant: Range<Int>,
        _ ahead: inout UnsafeMutableBufferPointer<Times>
    ) {
        let time = facts[instant.lowerBound].time
        matching.load(facts, instant)
        if range.contains(time) {
            for kind in matching.kinds.indices where matching.kinds[kind].steps & 1 != 0 {
                let last = matching.lastStep(from: 0, startingWith: kind)
                let times = Self.times(from: 0, to: last, at: time, ahead)
                note(times, from: time, facts: matching.kinds[kind].facts)
            }
        }
        for step in 0..<stepCount {
            let last = matching.lastStep(from: step)
            if last >= step { ahead[step] = Self.times(from: step, to: last, at: time, ahead) }
        }
    }

    private static func times(
        from step: Int,
        to last: Int,
        at time: Int64,
        _ ahead: UnsafeMutableBufferPointer<Times>
    ) -> Times {
        var times = ahead[last + 1]
        for served in step...last { times[served] = time }
        return times
    }

    private mutating func note(_ times: Times, from start: Int64, facts: Range<Int>) {
        let deadline = start + window
        var elapsed = Self.never
        var level = 0
        while level < stepCount, times[level] <= deadline {
            elapsed[level] = times[level] - start
            level += 1
        }
        starts.append(FunnelStart(facts: facts, level: level, canGoOn: now <= deadline, elapsed: elapsed))
    }
}
