/// The counts of a group.
struct ActivityCounts: GroupCounts {
    /// What one person did in a group.
    struct Share: GroupShare {
        var runs: [Run]

        init(runs: [Run]) { self.runs = runs }
        init(words: ArraySlice<UInt32>) { runs = words.map(Run.init(rawValue:)) }
        func append(to words: inout [UInt32]) {
            for run in runs { words.append(run.rawValue) }
        }

        mutating func merge(_ other: Share) {
            var merged: [Run] = []
            for run in (runs + other.runs).sorted(by: { $0.rawValue < $1.rawValue }) {
                if merged.isEmpty || !merged[merged.count - 1].extend(through: run) { merged.append(run) }
            }
            runs = merged
        }
    }

    /// What a row counts, in the order of its columns. Who is active is one of the first three.
    enum Count: Int, CaseIterable {
        case new, returning, resurrected, dormant, active7Days, active30Days
    }

    /// Periods one after the other in which a person counts.
    struct Run: BitwiseCopyable {
        /// 8 bits for the count, 12 each for the first period and for how many there are: at most
        /// `PeriodParameter.limit`.
        private(set) var rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ count: Count, _ periods: Range<Int>) {
            rawValue = UInt32(count.rawValue) << 24 | UInt32(periods.lowerBound) << 12 | UInt32(periods.count)
        }

        var count: Int { Int(rawValue >> 24) }
        /// Whether the person is active in the periods.
        var isOfActive: Bool { count <= Count.resurrected.rawValue }
        var periods: Range<Int> {
            let first = Int(rawValue >> 12 & 0xFFF)
            return first..<first + Int(rawValue & 0xFFF)
        }

        /// Adds the periods of a run that begins no earlier.
        ///
        /// - Returns: false if it is of another count, or begins after the period that comes next.
        mutating func extend(through run: Run) -> Bool {
            let (own, others) = (periods, run.periods)
            guard count == run.count, others.lowerBound <= own.upperBound else { return false }
            rawValue += UInt32(max(0, others.upperBound - own.upperBound))
            return true
        }
    }

    /// What rows show.
    struct Sums {
        /// The counts of one period after the other.
        fileprivate var numbers: [Int64]

        subscript(period: Int, count: Count) -> Int64 { numbers[period * Count.allCases.count + count.rawValue] }

        func active(in period: Int) -> Int64 {
            self[period, .new] + self[period, .returning] + self[period, .resurrected]
        }

        func isEmpty(at period: Int) -> Bool { Count.allCases.allSatisfy { self[period, $0] == 0 } }
    }

    /// In bytes.
    static func size(periods: Int) -> Int { periods * Count.allCases.count * MemoryLayout<Int64>.stride }

    /// How many more there are of each count than in the period before: a run changes two numbers, however long it is.
    private var differences: [Int64]

    init(periods: Int) { differences = Array(repeating: 0, count: periods * Count.allCases.count) }

    mutating func add(_ person: Share) { add(person.runs) }

    /// Counts a person.
    mutating func add(_ runs: [Run]) {
        // Each write of its own would check whether the array is shared.
        differences.withUnsafeMutableBufferPointer { differences in
            for run in runs {
                let periods = run.periods
                differences[periods.lowerBound * Count.allCases.count + run.count] += 1
                let end = periods.upperBound * Count.allCases.count + run.count
                if end < differences.count { differences[end] -= 1 }
            }
        }
    }

    static func += (counts: inout ActivityCounts, other: ActivityCounts) {
        for index in counts.differences.indices { counts.differences[index] += other.differences[index] }
    }

    var summed: Sums {
        var numbers = differences
        for index in numbers.indices.dropFirst(Count.allCases.count) {
            numbers[index] += numbers[index - Count.allCases.count]
        }
        return Sums(numbers: numbers)
    }
}
