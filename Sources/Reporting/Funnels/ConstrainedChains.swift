import Time

/// Finds how far a person came from each start, where more than the window limits a chain: the time from step to step, an
/// event that must not occur, or any event between two steps (`FunnelOrder.strict`).
///
/// Goes through the instants once, from the last to the first, as `SequentialChains` does. What is known of a step is no
/// longer one time, since the earliest event for a step may leave too long a wait for the next. It is enough to look at
/// the *nearest* instant at which the step can be served so that the one in question is reached at all: of two ways, the
/// one that starts later never arrives earlier, or else the other could change over to it where they cross.
struct ConstrainedChains {
    private typealias Times = SIMD8<Int64>

    /// For a step: the nearest instant that serves it on a way to each later step, and when that step is reached.
    private struct Ahead {
        var instant = never
        var arrival = never

        /// Notes an instant before all others, and when each step is reached that is served there. Where the order is
        /// strict, what is not reached from the next instant is not reached at all.
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
    private let now: Int64
    private let range: Range<Int64>
    private var matching: InstantMatching

    /// By step.
    private var ahead: [Ahead]
    /// The same, where each later step is reached at a time from which the one after it can still come.
    private var openAhead: [Ahead]
    /// By step, when the steps after it are reached from the instant at hand.
    private var onward: [SIMD8<Int64>]
    private var openOnward: [SIMD8<Int64>]
    /// The instant passed last, which is the next one of the person's.
    private var nextInstant = Int64.max
    /// The first event after the instant at hand that cuts chains.
    private var cut = Int64.max

    /// Of the person at hand, in no order.
    private(set) var starts: [FunnelStart] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        stepCount = funnel.steps.count
        window = funnel.window.duration.wholeMicroseconds
        limits = funnel.stepWindows.map { $0?.duration.wholeMicroseconds ?? .max } + [.max]
        isStrict = funnel.order == .strict
        now = run.now.microseconds
        range = run.range.from.microseconds..<run.range.to.microseconds
        matching = InstantMatching(stepCount: stepCount)
        ahead = Array(repeating: Ahead(), count: stepCount)
        openAhead = ahead
        onward = Array(repeating: Self.never, count: stepCount)
        openOnward = onward
    }

    /// Fills `starts`.
    ///
    /// - Parameter facts: ordered by `FunnelFact.precedes`; where the order is strict, of all events.
    mutating func follow(_ facts: [FunnelFact]) {
        starts.removeAll(keepingCapacity: true)
        for step in 0..<stepCount {
            ahead[step] = Ahead()
            openAhead[step] = Ahead()
        }
        nextInstant = .max
        cut = .max
        var end = facts.count
        while end > 0 {
            var begin = end - 1
            while begin > 0, facts[begin - 1].time == facts[begin].time { begin -= 1 }
            pass(facts, begin..<end)
            end = begin
        }
    }

    private mutating func pass(_ facts: [FunnelFact], _ instant: Range<Int>) {
        let time = facts[instant.lowerBound].time
        facts.withUnsafeBufferPointer { matching.load($0, instant) }
        for step in 0..<stepCount - 1 {
            onward[step] = arrivals(ahead[step + 1], after: limits[step], from: time)
            openOnward[step] = arrivals(openAhead[step + 1], after: limits[step], from: time)
        }
        if range.contains(time) {
            for kind in matching.kinds.indices where matching.kinds[kind].steps & 1 != 0 {
                let last = matching.lastStep(from: 0, startingWith: kind)
                note(servedTo: last, from: time, facts: matching.kinds[kind].facts)
            }
        }
        for step in 0..<stepCount {
            let last = matching.lastStep(from: step)
            let (reached, open) = (times(from: step, to: last, at: time), openTimes(from: step, to: last, at: time))
            ahead[step].pass(reached, at: time, isStrict: isStrict)
            openAhead[step].pass(open, at: time, isStrict: isStrict)
        }
        nextInstant = time
        if facts[instant].contains(where: \.isExcluded) { cut = time }
    }

    /// When the steps are reached by a way whose first instant is near enough.
    private func arrivals(_ ahead: Ahead, after limit: Int64, from time: Int64) -> Times {
        var arrivals = ahead.arrival
        for step in 0..<stepCount where arrivals[step] != .max && ahead.instant[step] - time > limit {
            arrivals[step] = .max
        }
        return arrivals
    }

    /// When each step is reached, where the steps from one to another can be served here, and any of them may be the last
    /// that is.
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

    /// Whether a step, should it happen now or later, could follow the one before it at this time.
    private func canWait(at time: Int64, for step: Int) -> Bool {
        time >= now || (now - time <= limits[step - 1] && (!isStrict || nextInstant >= now))
    }

    private mutating func note(servedTo last: Int, from start: Int64, facts: Range<Int>) {
        // What must not occur between the first and the last event may occur at the instant of either.
        let deadline = min(start + window, cut)
        let times = times(from: 0, to: last, at: start)
        var elapsed = Self.never
        var level = 0
        while level < stepCount, times[level] <= deadline {
            elapsed[level] = times[level] - start
            level += 1
        }
        let canGoOn = now <= deadline && openTimes(from: 0, to: last, at: start)[level - 1] <= deadline
        starts.append(FunnelStart(facts: facts, level: level, canGoOn: canGoOn, elapsed: elapsed))
    }
}
