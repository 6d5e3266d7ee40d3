/// The counters of one group of a funnel.
struct FunnelCounts {
    /// People whose best level is exactly k + 1.
    private var people: [Int64]
    /// Of those, the ones who still can reach the next step.
    private var open: [Int64]
    /// For each step, the time from a start to it of each person who reached it, in microseconds; none for the first,
    /// where it is always 0.
    private var elapsed: [[Int64]]

    init(stepCount: Int) {
        people = Array(repeating: 0, count: stepCount)
        open = people
        elapsed = Array(repeating: [], count: stepCount)
    }

    /// Counts a person who has started.
    mutating func add(_ person: FunnelBest) {
        people[person.level - 1] += 1
        if person.canGoOn { open[person.level - 1] += 1 }
        for step in 1..<max(person.level, 1) { elapsed[step].append(person.elapsed[step]) }
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
        // A microsecond is a millionth of a second.
        return .decimal(millionths: step == 0 ? 0 : median(elapsed[step]))
    }

    /// The times from a start to a step, not the first, in microseconds, ascending: one of each person who reached it.
    func times(at step: Int) -> [Int64] {
        elapsed[step].sorted()
    }
}
