import Time

/// Finds how many steps a person did from each start, in any order (`FunnelOrder.any`).
///
/// Goes through the events from the start on, and keeps each event that lets one more step be served. This is a
/// matching of events and steps, found by augmenting paths. At each point only events that matter are considered: those
/// that serve a step that is free, or that can be freed by moving its event to another step.
struct AnyOrderChains {
    private static var never: SIMD8<Int64> { SIMD8(repeating: .max) }

    private let stepCount: Int
    private let window: Int64
    private let now: Int64
    private let range: Range<Int64>

    /// For each step, then each position in the facts and one position past the last: the first fact from there on that
    /// serves the step. The number of facts if there is none.
    private var nextOfStep: [Int] = []
    /// For each step, all steps that the event serving it could serve; 0 if the step is free.
    private var serving = SIMD8<UInt8>(repeating: 0)

    /// The starts of the current person, in no order.
    private(set) var starts: [FunnelStart] = []

    init(_ funnel: Funnel, _ run: ReportRun) {
        stepCount = funnel.steps.count
        window = funnel.window.duration.wholeMicroseconds
        now = run.now.microseconds
        range = run.range.from.microseconds..<run.range.to.microseconds
    }

    /// Fills `starts`.
    ///
    /// - Parameter facts: ordered by time. An authenticated inbound link is two facts.
    mutating func follow(_ facts: [FunnelFact]) {
        starts.removeAll(keepingCapacity: true)
        load(facts)
        var cut = Int64.max
        var end = facts.count
        while end > 0 {
            let time = facts[end - 1].time
            var begin = end - 1
            while begin > 0, facts[begin - 1].time == time { begin -= 1 }
            let instant = begin..<end
            if range.contains(time), facts[instant].contains(where: { $0.steps != 0 }) {
                follow(facts, from: instant, until: min(time + window, cut))
            }
            if facts[instant].contains(where: \.isExcluded) { cut = time }
            end = begin
        }
    }

    private mutating func load(_ facts: [FunnelFact]) {
        nextOfStep.removeAll(keepingCapacity: true)
        for step in 0..<stepCount {
            let base = nextOfStep.count
            for _ in 0...facts.count { nextOfStep.append(facts.count) }
            for position in facts.indices.reversed() {
                let serves = facts[position].steps & (1 << UInt8(step)) != 0
                nextOfStep[base + position] = serves ? position : nextOfStep[base + position + 1]
            }
        }
    }

    private mutating func follow(_ facts: [FunnelFact], from instant: Range<Int>, until deadline: Int64) {
        let start = facts[instant.lowerBound].time
        serving = SIMD8(repeating: 0)
        var elapsed = Self.never
        var level = 0
        var position = instant.lowerBound
        while level < stepCount {
            let wanted = reachableSteps()
            var next = facts.count
            for step in 0..<stepCount where wanted & (1 << UInt8(step)) != 0 {
                next = min(next, nextOfStep[step * (facts.count + 1) + position])
            }
            guard next < facts.count, facts[next].time <= deadline else { break }
            var visited: UInt8 = 0
            _ = serve(with: facts[next].steps, &visited)
            elapsed[level] = facts[next].time - start
            level += 1
            position = next + 1
        }
        starts.append(FunnelStart(facts: instant, level: level, canGoOn: now <= deadline, elapsed: elapsed))
    }

    /// The steps that are free or can be freed.
    private func reachableSteps() -> UInt8 {
        var steps: UInt8 = 0
        for step in 0..<stepCount where serving[step] == 0 { steps |= 1 << UInt8(step) }
        while true {
            var grown = steps
            for step in 0..<stepCount where serving[step] & steps != 0 { grown |= 1 << UInt8(step) }
            if grown == steps { return steps }
            steps = grown
        }
    }

    /// Lets an event serve a step. The event that serves it now moves to another step, and so on until a free step is
    /// reached.
    private mutating func serve(with event: UInt8, _ visited: inout UInt8) -> Bool {
        for step in 0..<stepCount where event & ~visited & (1 << UInt8(step)) != 0 {
            visited |= 1 << UInt8(step)
            if serving[step] == 0 || serve(with: serving[step], &visited) {
                serving[step] = event
                return true
            }
        }
        return false
    }
}
