/// The counters of one group of a funnel, or of all groups together.
struct FunnelCounts: GroupCounts {
    /// In bytes, without times.
    static func size(steps: Int) -> Int { 128 + steps * 256 }

    /// How many people have a best level of exactly k + 1.
    private var people: [Int64]
    /// How many of these people can still reach the next step.
    private var open: [Int64]
    /// How many people reached each step after a time that nobody knows.
    private var unknownTimes: [Int64]
    /// For each step, the known times from a start to it, of people who reached it, in a few parts. None for the first
    /// step, whose time is always 0.
    private var elapsed: [[ElapsedTimes]]
    /// Takes times when there are many.
    private let store: TimesStore

    /// Where a person's times are kept.
    private enum Part {
        /// In this group only.
        static let own = 0
        /// In a group, and counted for the total, too. Most people are in one group only.
        static let shared = 1
        static let count = 2
    }

    init(stepCount: Int, storingIn store: TimesStore) {
        self.store = store
        people = Array(repeating: 0, count: stepCount)
        open = people
        unknownTimes = people
        elapsed = Array(repeating: Array(repeating: ElapsedTimes(), count: Part.count), count: stepCount)
    }

    /// Counts a person who has started.
    ///
    mutating func add(_ person: FunnelBest) {
        count(person)
        let part = person.isShared ? Part.shared : Part.own
        for step in 1..<max(person.level, 1) where person.elapsed[step] != .max {
            elapsed[step][part].append(person.elapsed[step], to: store)
        }
    }

    /// Counts a person whose times a group keeps.
    mutating func count(_ person: FunnelBest) {
        people[person.level - 1] += 1
        if person.canGoOn { open[person.level - 1] += 1 }
        for step in 1..<max(person.level, 1) where person.elapsed[step] == .max { unknownTimes[step] += 1 }
    }

    static func += (counts: inout FunnelCounts, other: FunnelCounts) {
        for step in counts.people.indices {
            counts.people[step] += other.people[step]
            counts.open[step] += other.open[step]
            counts.unknownTimes[step] += other.unknownTimes[step]
            for part in counts.elapsed[step].indices { counts.elapsed[step][part] += other.elapsed[step][part] }
        }
    }

    /// The total, with the times that the groups keep for it.
    func withTimes(sharedBy groups: [FunnelCounts]) -> FunnelCounts {
        var total = self
        for step in people.indices {
            for group in groups { total.elapsed[step][Part.own] += group.elapsed[step][Part.shared] }
        }
        return total
    }

    /// How many people reached a step, counted from 0, or any later one.
    func people(at step: Int) -> Int64 {
        people[step...].reduce(0, +)
    }

    /// How many people reached the step before but not this one, and still can.
    func open(at step: Int) -> Int64 {
        step == 0 ? 0 : open[step - 1]
    }

    /// Whether so few people can still reach a step that what is missing of it is not time.
    func isMostlyOver(at step: Int) -> Bool {
        CompareReport.isMostlyOver(open: (0...step).reduce(0) { $0 + open(at: $1) }, people: people(at: 0))
    }

    /// How many people reached the step before but not this one, and cannot any more.
    func dropped(at step: Int) -> Int64 {
        step == 0 ? 0 : people(at: step - 1) - people(at: step) - open(at: step)
    }

    /// How many of the people who reached a step did so after a time that nobody knows.
    func unknownTimes(at step: Int) -> Int64 { unknownTimes[step] }

    /// The median time from a start to a step, in seconds; empty if no time is known.
    func medianSeconds(at step: Int) throws -> ReportCell {
        step == 0 && people(at: step) > 0 ? .decimal(millionths: 0) : try percentileSeconds([50], at: step)[0]
    }

    /// Percentiles of the times from a start to a step, in seconds; empty if no time is known. Not for the first step.
    func percentileSeconds(_ percents: [Int], at step: Int) throws -> [ReportCell] {
        let count = elapsed[step].reduce(0) { $0 + $1.count }
        guard count > 0 else { return percents.map { _ in .empty } }
        // A microsecond is a millionth of a second.
        return try percentiles(percents, of: count) { body in try forEachPieceOfTimes(at: step, body) }
            .map { .decimal(millionths: $0) }
    }

    /// Hands out the known times from a start to a step in microseconds, many at a time, in no order: one for each
    /// person. Not for the first step.
    func forEachPieceOfTimes(at step: Int, _ body: ([Int64]) -> Void) throws {
        for times in elapsed[step] { try times.forEachPiece(body) }
    }
}
