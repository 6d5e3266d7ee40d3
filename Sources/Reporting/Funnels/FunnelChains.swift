import InboundLinks

/// Finds how far a person came from each start (CONTRACT.md section 4, funnel semantics).
///
/// Each step is served by the earliest unused fact at or after the step before. Facts of one instant are in no order, and
/// which of them is taken decides which are left, so all are tried. Facts of one instant that serve the same steps are
/// interchangeable: they are one *kind*, and a kind is tried once. So a start costs no more than a few steps of work,
/// however many events a person has at one instant.
struct FunnelChains {
    /// Facts of one instant that serve the same steps.
    struct Kind {
        var time: Timestamp
        var steps: UInt8
        /// Positions in `FunnelFacts.facts`.
        var facts: Range<Int>
        /// The first kind of the same instant.
        var firstOfInstant: Int
        /// How many of the facts serve a step of the chain at hand.
        var used = 0
    }

    private let stepCount: Int
    /// The position of the `authentication` step, if there is one.
    private let authentication: Int?
    /// The person's, in time order.
    private(set) var kinds: [Kind] = []
    /// For each step, one after the other, and each position in `kinds` and the one past the last: the first kind from
    /// there on that serves the step; the number of kinds where there is none.
    private var nextOfStep: [Int] = []

    /// How many steps the last start reached.
    private(set) var level = 0
    /// For each step that it reached, the smallest time from the start to it, in microseconds.
    private(set) var elapsed: [Int64]

    private var start = Timestamp(microseconds: 0)
    private var deadline = Timestamp(microseconds: 0)

    init(steps: [FunnelStep]) {
        stepCount = steps.count
        authentication = steps.firstIndex(of: .authentication)
        elapsed = Array(repeating: 0, count: steps.count)
    }

    mutating func load(_ facts: [FunnelFact]) {
        kinds.removeAll(keepingCapacity: true)
        var firstOfInstant = 0
        for (position, fact) in facts.enumerated() {
            if let last = kinds.indices.last, kinds[last].time == fact.time {
                if kinds[last].steps == fact.steps {
                    kinds[last].facts = kinds[last].facts.lowerBound..<position + 1
                    continue
                }
            } else {
                firstOfInstant = kinds.count
            }
            kinds.append(
                Kind(time: fact.time, steps: fact.steps, facts: position..<position + 1, firstOfInstant: firstOfInstant)
            )
        }
        nextOfStep.removeAll(keepingCapacity: true)
        for step in 0..<stepCount {
            let base = nextOfStep.count
            for _ in 0...kinds.count { nextOfStep.append(kinds.count) }
            for position in kinds.indices.reversed() {
                let serves = kinds[position].steps & (1 << UInt8(step)) != 0
                nextOfStep[base + position] = serves ? position : nextOfStep[base + position + 1]
            }
        }
    }

    /// Follows the chains that start with a fact of this kind, which serves the first step. The result is `level` and
    /// `elapsed`.
    mutating func follow(from kind: Int, within window: Duration) {
        level = 0
        start = kinds[kind].time
        deadline = start.advanced(by: window)
        serve(step: 0, by: kind)
    }

    /// Lets a fact of the kind serve a step, and goes on.
    private mutating func serve(step: Int, by kind: Int) {
        kinds[kind].used += 1
        reach(step: step, at: kind)
        kinds[kind].used -= 1
    }

    /// Notes that the chain reached a step, and looks for the next.
    private mutating func reach(step: Int, at kind: Int) {
        let time = kinds[kind].time.microseconds - start.microseconds
        elapsed[step] = level > step ? min(elapsed[step], time) : time
        level = max(level, step + 1)

        let next = step + 1
        guard next < stepCount else { return }
        // An authenticated inbound link also serves a directly following authentication. Nothing is earlier, and nothing
        // is used up, so no other choice can be better.
        if next == authentication, kinds[kind].steps & (1 << UInt8(next)) != 0 {
            return reach(step: next, at: kind)
        }
        let earliest = firstUnused(for: next, from: kinds[kind].firstOfInstant)
        guard earliest < kinds.count, kinds[earliest].time <= deadline else { return }
        var candidate = earliest
        while candidate < kinds.count, kinds[candidate].firstOfInstant == kinds[earliest].firstOfInstant {
            serve(step: next, by: candidate)
            candidate = firstUnused(for: next, from: candidate + 1)
        }
    }

    private func firstUnused(for step: Int, from position: Int) -> Int {
        let base = step * (kinds.count + 1)
        var kind = nextOfStep[base + position]
        while kind < kinds.count, kinds[kind].used >= kinds[kind].facts.count {
            kind = nextOfStep[base + kind + 1]
        }
        return kind
    }
}
