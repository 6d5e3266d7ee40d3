/// The counters of one group of a funnel.
struct FunnelCounts {
    /// People whose best level is exactly k + 1.
    private var people: [Int64]
    /// Of those, the ones who still can reach the next step.
    private var open: [Int64]
    /// For each step after the first, the time from a start to it of each person who reached it, in microseconds.
    private var elapsed: [[Int64]]

    /// The person at hand: the best level so far, 0 before the first start.
    private var level = 0
    /// Whether a start that reached the best level has a window that has not ended.
    private var canGoOn = false
    /// For each step up to `level`, the smallest time from any start.
    private var smallest: [Int64]

    init(stepCount: Int) {
        people = Array(repeating: 0, count: stepCount)
        open = people
        elapsed = Array(repeating: [], count: stepCount)
        smallest = people
    }

    /// Adds a start of the person at hand.
    ///
    /// - Returns: whether it is the person's first in this group.
    mutating func add(level reached: Int, elapsed times: [Int64], windowIsOpen: Bool) -> Bool {
        let isFirst = level == 0
        for step in 0..<reached {
            smallest[step] = step < level ? min(smallest[step], times[step]) : times[step]
        }
        if reached > level {
            level = reached
            canGoOn = windowIsOpen
        } else if reached == level {
            canGoOn = canGoOn || windowIsOpen
        }
        return isFirst
    }

    /// Counts the person at hand and forgets it.
    mutating func finishPerson() {
        guard level > 0 else { return }
        people[level - 1] += 1
        if canGoOn { open[level - 1] += 1 }
        for step in 1..<max(level, 1) { elapsed[step].append(smallest[step]) }
        level = 0
    }

    mutating func merge(_ other: FunnelCounts) {
        for step in people.indices {
            people[step] += other.people[step]
            open[step] += other.open[step]
            elapsed[step] += other.elapsed[step]
        }
    }

    /// People who reached a step, from 0, or any after it.
    func people(at step: Int) -> Int64 {
        people[step...].reduce(0, +)
    }

    /// People who reached the step before, not this one, and still can.
    func open(at step: Int) -> Int64 {
        step == 0 ? 0 : open[step - 1]
    }

    /// The median time from a start to a step, in seconds; empty where nobody reached it.
    func medianSeconds(at step: Int) -> ReportCell {
        guard people(at: step) > 0 else { return .empty }
        guard step > 0 else { return .decimal(millionths: 0) }
        let sorted = elapsed[step].sorted()
        let upper = sorted[sorted.count / 2]
        let lower = sorted[(sorted.count - 1) / 2]
        // A microsecond is a millionth of a second.
        return .decimal(millionths: roundedQuotient(Int128(lower) + Int128(upper), by: 2))
    }
}
