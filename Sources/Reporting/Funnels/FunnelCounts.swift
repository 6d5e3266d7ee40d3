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
    /// - Parameters:
    ///   - isShared: whether the times are the same for the group as for the total, so that the group keeps them for both.
    ///   - store: where times go when there are many.
    mutating func add(_ person: FunnelBest, toGroup isShared: Bool = false, storingIn store: TimesStore) {
        count(person)
        for step in 1..<max(person.level, 1) {
            elapsed[step][isShared ? Part.shared : Part.own].append(person.elapsed[step], to: store)
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
        for step in people.indices {
            for group in groups { total.elapsed[step][Part.own] += group.elapsed[step][Part.shared] }
        }
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
    func medianSeconds(at step: Int) throws -> ReportCell {
        step == 0 && people(at: step) > 0 ? .decimal(millionths: 0) : try percentileSeconds([50], at: step)[0]
    }

    /// Percentiles of the times from a start to a step, not the first, in seconds; empty where nobody reached it.
    func percentileSeconds(_ percents: [Int], at step: Int) throws -> [ReportCell] {
        let count = elapsed[step].reduce(0) { $0 + $1.count }
        guard count > 0 else { return percents.map { _ in .empty } }
        // A microsecond is a millionth of a second.
        return try percentiles(percents, of: count) { body in try forEachPieceOfTimes(at: step, body) }
            .map { .decimal(millionths: $0) }
    }

    /// Hands out the times from a start to a step, not the first, in microseconds, many at once, in no order: one of each
    /// person who reached it.
    func forEachPieceOfTimes(at step: Int, _ body: ([Int64]) -> Void) throws {
        for times in elapsed[step] { try times.forEachPiece(body) }
    }
}
