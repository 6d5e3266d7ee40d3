/// Finds which consecutive steps the facts of one instant can serve, one step for each fact, in any order. An
/// authenticated inbound link that serves a step as a link may also serve the `authentication` after it.
///
/// This is a matching of steps and facts, found by augmenting paths. Facts that serve the same steps are
/// interchangeable and form one *kind*, so thousands of events at one instant cost no more than a few.
struct InstantMatching {
    struct Kind {
        var steps: UInt8
        var doubles: UInt8
        /// Positions in the person's facts.
        var facts: Range<Int>
    }

    private let stepCount: Int
    private(set) var kinds: [Kind] = []
    /// All steps that any fact serves, and below, all that any fact serves together with the next.
    private var offered: UInt8 = 0
    private var doubled: UInt8 = 0
    /// Whether no kind serves more than one step.
    private var isSimple = true

    // The current matching.
    private var first = 0
    /// The step that is being matched; those from `first` up to it have a fact.
    private var next = 0
    /// The steps that are served together with the next.
    private var twice: UInt8 = 0
    /// The step of the start, which keeps its kind.
    private var fixed = -1
    /// The kind that serves each step.
    private var serving: [Int]
    /// How many facts of each kind are unused.
    private var left: [Int] = []

    init(stepCount: Int) {
        self.stepCount = stepCount
        serving = Array(repeating: 0, count: stepCount)
    }

    /// Reads the facts of an instant, ordered by `FunnelFact.precedes`.
    mutating func load(_ facts: UnsafeBufferPointer<FunnelFact>, _ instant: Range<Int>) {
        kinds.removeAll(keepingCapacity: true)
        offered = 0
        doubled = 0
        isSimple = true
        var begin = instant.lowerBound
        while begin < instant.upperBound {
            let (steps, doubles) = (facts[begin].steps, facts[begin].doubles)
            var end = begin + 1
            while end < instant.upperBound, facts[end].steps == steps, facts[end].doubles == doubles { end += 1 }
            if steps != 0 {
                kinds.append(Kind(steps: steps, doubles: doubles, facts: begin..<end))
                offered |= steps
                doubled |= doubles
                if steps.nonzeroBitCount > 1 { isSimple = false }
            }
            begin = end
        }
    }

    /// The last of the consecutive steps from `step` on that can be served at this instant; the step before `step` if
    /// not even this one can.
    ///
    /// - Parameter kind: the kind that serves the first of them; nil for any.
    mutating func lastStep(from step: Int, startingWith kind: Int? = nil) -> Int {
        guard offered & (1 << UInt8(step)) != 0 else { return step - 1 }
        if isSimple { return step + (~(offered >> UInt8(step))).trailingZeroBitCount - 1 }
        var last = step - 1
        // All choices of steps that share a fact with the next. There is seldom more than one such step.
        let choices = doubled & (UInt8.max << UInt8(step))
        var choice = choices
        while true {
            if choice & (choice << 1) == 0 {
                last = max(last, lastMatched(from: step, startingWith: kind, twice: choice))
            }
            if choice == 0 || last == stepCount - 1 { return last }
            choice = (choice - 1) & choices
        }
    }

    private mutating func lastMatched(from step: Int, startingWith kind: Int?, twice: UInt8) -> Int {
        first = step
        self.twice = twice
        fixed = -1
        left.removeAll(keepingCapacity: true)
        for kind in kinds { left.append(kind.facts.count) }
        next = step
        while next < stepCount {
            if let kind, next == step {
                guard serves(kind, next) else { break }
                serving[next] = kind
                left[kind] -= 1
                fixed = next
            } else {
                var visited: UInt64 = 0
                guard match(next, &visited) else { break }
            }
            next += isTwice(next) ? 2 : 1
        }
        return next - 1
    }

    private func isTwice(_ step: Int) -> Bool { twice & (1 << UInt8(step)) != 0 }

    private func serves(_ kind: Int, _ step: Int) -> Bool {
        (isTwice(step) ? kinds[kind].doubles : kinds[kind].steps) & (1 << UInt8(step)) != 0
    }

    /// Finds a fact for a step. Steps that have a fact may get another one.
    private mutating func match(_ step: Int, _ visited: inout UInt64) -> Bool {
        for kind in kinds.indices where visited & (1 << UInt64(kind)) == 0 && serves(kind, step) {
            visited |= 1 << UInt64(kind)
            if left[kind] > 0 {
                left[kind] -= 1
                serving[step] = kind
                return true
            }
            var other = first
            while other < next {
                if other != fixed, serving[other] == kind, match(other, &visited) {
                    serving[step] = kind
                    return true
                }
                other += isTwice(other) ? 2 : 1
            }
        }
        return false
    }
}
