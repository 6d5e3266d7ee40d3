/// The counts of a group, those of one period after the other.
struct ActivityCounts: GroupCounts {
    /// What one person did in a group.
    struct Share: GroupShare {
        var runs: [Run]

        init(runs: [Run]) { self.runs = runs }
        init(words: ArraySlice<UInt32>) { runs = words.map(Run.init(rawValue:)) }
        func append(to words: inout [UInt32]) { words += runs.lazy.map(\.rawValue) }

        mutating func merge(_ other: Share) {
            var merged: [Run] = []
            for run in (runs + other.runs).sorted(by: { $0.rawValue < $1.rawValue }) {
                if merged.last.map({ !$0.touches(run) }) ?? true {
                    merged.append(run)
                } else {
                    merged[merged.count - 1].extend(through: run)
                }
            }
            runs = merged
        }
    }

    /// What a row counts, in the order of its columns.
    enum Count: Int, CaseIterable {
        case active, new, returning, resurrected, dormant, active7Days, active30Days
    }

    /// Periods one after the other in which a person counts.
    struct Run: BitwiseCopyable {
        /// 8 bits for the count, 12 each for the first period and for how many there are: at most
        /// `PeriodParameter.limit`.
        fileprivate(set) var rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ count: Count, from period: Int) {
            rawValue = UInt32(count.rawValue) << 24 | UInt32(period) << 12 | 1
        }

        var count: Int { Int(rawValue >> 24) }
        var periods: Range<Int> {
            let first = Int(rawValue >> 12 & 0xFFF)
            return first..<first + Int(rawValue & 0xFFF)
        }

        /// Whether one of the same count has a period of this one, or the next.
        fileprivate func touches(_ run: Run) -> Bool {
            count == run.count && run.periods.lowerBound <= periods.upperBound
        }

        /// Adds the periods of one that it touches and that begins no earlier.
        fileprivate mutating func extend(through run: Run) {
            rawValue += UInt32(max(0, run.periods.upperBound - periods.upperBound))
        }

        /// Adds the next period.
        ///
        /// - Returns: false if it is not the next one.
        mutating func extend(to period: Int) -> Bool {
            guard periods.upperBound == period else { return false }
            rawValue += 1
            return true
        }
    }

    /// In bytes.
    static func size(periods: Int) -> Int { periods * Count.allCases.count * MemoryLayout<Int64>.stride }

    private var numbers: [Int64]

    init(periods: Int) { numbers = Array(repeating: 0, count: periods * Count.allCases.count) }

    subscript(period: Int, count: Count) -> Int64 { numbers[period * Count.allCases.count + count.rawValue] }

    mutating func add(_ person: Share) { add(person.runs) }

    /// Counts a person.
    mutating func add(_ runs: some Sequence<Run>) {
        for run in runs {
            for period in run.periods { numbers[period * Count.allCases.count + run.count] += 1 }
        }
    }

    static func += (counts: inout ActivityCounts, other: ActivityCounts) {
        for index in counts.numbers.indices { counts.numbers[index] += other.numbers[index] }
    }

    func isEmpty(at period: Int) -> Bool { Count.allCases.allSatisfy { self[period, $0] == 0 } }
}
