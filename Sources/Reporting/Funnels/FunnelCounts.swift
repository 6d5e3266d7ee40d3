/// The counters of one group of a funnel, or of all groups together.
struct FunnelCounts {
    /// People whose best level is exactly k + 1.
    private var people: [Int64]
    /// Of those, the ones who still can reach the next step.
    private var open: [Int64]
    /// For each step, the times from a start to it of people who reached it, in a few parts; none for the first, where it
    /// is always 0.
    private var elapsed: [[ElapsedTimes]]

    /// Where the times of a person are kept.
    private enum Part {
        /// Here, and nowhere else.
        static let own = 0
        /// In a group, and standing for the total too. Most people are in one group alone.
        static let shared = 1
        static let count = 2
    }

    init(stepCount: Int) {
        people = Array(repeating: 0, count: stepCount)
        open = people
        elapsed = Array(repeating: Array(repeating: ElapsedTimes(), count: Part.count), count: stepCount)
    }

    /// Counts a person who has started.
    ///
    /// - Parameter isShared: whether the times are the same for the group as for the total, so that the group keeps them
    ///   for both.
    mutating func add(_ person: FunnelBest, toGroup isShared: Bool = false) {
        count(person)
        for step in 1..<max(person.level, 1) {
            elapsed[step][isShared ? Part.shared : Part.own].append(person.elapsed[step])
        }
    }

    /// Counts a person whose times a group keeps.
    mutating func count(_ person: FunnelBest) {
        people[person.level - 1] += 1
        if person.canGoOn { open[person.level - 1] += 1 }
    }

    mutating func merge(_ other: FunnelCounts) {
        for step in people.indices {
            people[step] += other.people[step]
            open[step] += other.open[step]
            for part in elapsed[step].indices { elapsed[step][part] += other.elapsed[step][part] }
        }
    }

    /// The total with the times that the groups keep for it.
    func withTimes(sharedBy groups: [FunnelCounts]) -> FunnelCounts {
        var total = self
        for step in people.indices { total.elapsed[step] += groups.map { $0.elapsed[step][Part.shared] } }
        return total
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
        return .decimal(millionths: step == 0 ? 0 : median(elapsed[step].joined()))
    }

    /// The times from a start to a step, not the first, in microseconds, ascending: one of each person who reached it.
    func times(at step: Int) -> [Int64] {
        elapsed[step].joined().sorted()
    }
}
