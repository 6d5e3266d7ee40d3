import Time

/// Finds how far a person came from each start if the steps have an order (docs/reports.md, *Chains, exactly*).
///
/// Goes through the instants once, from the last to the first. For each step, it keeps the times at which the later
/// ones can be reached from here on, so the cost does not depend on how many starts share their events.
///
/// If only the window limits a chain, the earliest time of each step is enough. Other limits are the time from step to
/// step, an event that must not occur, and any event between two steps (`FunnelOrder.strict`). With them, the earliest
/// event for a step may leave too long a wait for the next. Then it is enough to know the *nearest* instant at which a
/// step can be served on a way to the later step in question. Of two ways, the one that starts later never arrives
/// earlier; otherwise the other way could change over to it where they cross.
struct OrderedChains {
    /// As in `FunnelStart.elapsed`.
    private typealias Times = SIMD8<Int64>

    /// For one step: the nearest instant that serves it on a way to each later step, and when that later step is
    /// reached.
    private struct Ahead {
        var instant = never
        var arrival = never

        /// Adds an instant that is before all others, with the times at which the later steps are reached from it. With
        /// the strict order, a step that is not reached from the next instant is not reached at all.
        mutating func pass(_ times: Times, at time: Int64, isStrict: Bool) {
            for step in 0..<Times.scalarCount where isStrict || times[step] != .max {
                instant[step] = time
                arrival[step] = times[step]
            }
        }
    }

    private static var never: Times { Times(repeating: .max) }

    private let stepCount: Int
    private let window: Int64
    /// For each step, how long after it the next may come.
    private let limits: [Int64]
    private let isStrict: Bool
    /// Whether more than the window limits a chain.
    private let isConstrained: Bool
    private let now: Int64
    private let range: Range<Int64>
    private var matching: InstantMatching

    /// Ways by step. One more element, always `never`, follows the last step.
    private var ahead: [Ahead]
    /// The same for ways that reach a later step at a time from which the step after it can still come. Not used if
    /// only the window limits chains.
    private var openAhead: [Ahead]
    /// By step: when the later steps are reached from the current instant.
    private var onward: [Times]
    private var openOnward: [Times]
    /// The instant that was passed last, which is the person's next one.
    private var nextInstant = Int64.max
    /// The first event after the current instant that cuts chains.
    private var cut = Int64.max

    /// The starts of the current person, in no order.
    private(set) var starts: [FunnelStart] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        stepCount = funnel.steps.count
        window = funnel.window.duration.wholeMicroseconds
        limits = funnel.stepWindows.map { $0?.duration.wholeMicroseconds ?? .max } + [.max]
        isStrict = funnel.order == .strict
        isConstrained = isStrict || !funnel.exclusions.isEmpty || funnel.stepWindows.contains { $0 != nil }
        now = run.now.microseconds
        range = run.range.from.microseconds..<run.range.to.microseconds
        matching = InstantMatching(stepCount: stepCount)
        ahead = Array(repeating: Ahead(), count: stepCount + 1)
        openAhead = ahead
        onward = Array(repeating: Self.never, count: stepCount)
        openOnward = onward
    }

    /// Fills `starts`.
    ///
    /// - Parameter facts: ordered by `FunnelFact.precedes`. With the strict order, the facts of all events.
    mutating func follow(_ facts: [FunnelFact]) {
        starts.removeAll(keepingCapacity: true)
        for step in 0..<stepCount {
            ahead[step] = Ahead()
            if isConstrained { openAhead[step] = Ahead() }
        }
        nextInstant = .max
        cut = .max
        var end = facts.count
        while end > 0 {
            var begin = end - 1
            while begin > 0, facts[begin - 1].time == facts[begin].time { begin -= 1 }
            if end - begin == 1, !isConstrained {
                pass(facts[begin], at: begin)
            } else {
                pass(facts, begin..<end)
            }
            end = begin
        }
    }

    /// Passes a fact that is alone at its instant, if only the window limits chains: most facts of most funnels.
    private mutating func pass(_ fact: FunnelFact, at position: Int) {
        // Ascending, because a step is followed by what was known of the next one before this fact.
        var steps = fact.steps
        while steps != 0 {
            let step = steps.trailingZeroBitCount
            steps &= steps - 1
            let servesNext = fact.doubles & (1 << UInt8(step)) != 0
            var times = ahead[step + (servesNext ? 2 : 1)].arrival
            if servesNext { times[step + 1] = fact.time }
            times[step] = fact.time
            ahead[step].arrival = times
        }
        if fact.steps & 1 != 0, range.contains(fact.time) {
            note(ahead[0].arrival, from: fact.time, facts: position..<position + 1)
        }
    }

    /// Passes the facts of an instant, which have no order, and each of which serves one step.
    private mutating func pass(_ facts: [FunnelFact], _ instant: Range<Int>) {
        let time = facts[instant.lowerBound].time
        facts.withUnsafeBufferPointer { matching.load($0, instant) }
        for step in 0..<stepCount - 1 {
            onward[step] = arrivals(ahead[step + 1], after: limits[step], from: time)
            if isConstrained { openOnward[step] = arrivals(openAhead[step + 1], after: limits[step], from: time) }
        }
        if range.contains(time) {
            for kind in matching.kinds.indices where matching.kinds[kind].steps & 1 != 0 {
                let last = matching.lastStep(from: 0, startingWith: kind)
                let reached = times(from: 0, to: last, at: time)
                let open = isConstrained ? openTimes(from: 0, to: last, at: time) : nil
                note(reached, open: open, from: time, facts: matching.kinds[kind].facts)
            }
        }
        for step in 0..<stepCount {
            let last = matching.lastStep(from: step)
            ahead[step].pass(times(from: step, to: last, at: time), at: time, isStrict: isStrict)
            guard isConstrained else { continue }
            openAhead[step].pass(openTimes(from: step, to: last, at: time), at: time, isStrict: isStrict)
        }
        nextInstant = time
        if facts[instant].contains(where: \.isExcluded) { cut = time }
    }

    /// When the later steps are reached by ways whose first instant is within the limit.
    private func arrivals(_ ahead: Ahead, after limit: Int64, from time: Int64) -> Times {
        var arrivals = ahead.arrival
        if limit == .max { return arrivals }
        for step in 0..<stepCount where arrivals[step] != .max && ahead.instant[step] - time > limit {
            arrivals[step] = .max
        }
        return arrivals
    }

    /// When each step is reached if the steps from `step` to `last` can be served at this time, and any of them may be
    /// the last one served here.
    private func times(from step: Int, to last: Int, at time: Int64) -> Times {
        guard last >= step else { return Self.never }
        var times = Self.never
        for served in step...last { times[served] = time }
        for served in step...last {
            for later in served + 1..<max(served + 1, stepCount) {
                times[later] = min(times[later], onward[served][later])
            }
        }
        return times
    }

    private func openTimes(from step: Int, to last: Int, at time: Int64) -> Times {
        guard last >= step else { return Self.never }
        var times = Self.never
        for served in step...last {
            if canWait(at: time, for: served + 1) { times[served] = min(times[served], time) }
            for later in served + 1..<max(served + 1, stepCount) {
                times[later] = min(times[later], openOnward[served][later])
            }
        }
        return times
    }

    /// Whether a step that happens now or later can still follow the step before it, which happened at this time.
    private func canWait(at time: Int64, for step: Int) -> Bool {
        time >= now || (now - time <= limits[step - 1] && (!isStrict || nextInstant >= now))
    }

    /// - Parameter open: the times at which steps are reached so that the next can still come; nil if they are `times`.
    private mutating func note(_ times: Times, open: Times? = nil, from start: Int64, facts: Range<Int>) {
        // An excluded event may occur at the instant of the chain's first or last event.
        let deadline = min(start + window, cut)
        var elapsed = Self.never
        var level = 0
        while level < stepCount, times[level] <= deadline {
            elapsed[level] = times[level] - start
            level += 1
        }
        let canGoOn = now <= deadline && (open ?? times)[level - 1] <= deadline
        starts.append(FunnelStart(facts: facts, level: level, canGoOn: canGoOn, elapsed: elapsed))
    }
}
