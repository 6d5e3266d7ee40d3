/// What is counted of a person, and of a group.
extension RetentionFold {
    /// What a person did after the cohort's event.
    struct Returns {
        /// The number of the cohort's period.
        var cohort = 0
        /// Bit n − 1 is set if the person is retained in the n-th period.
        var periods: UInt64 = 0
        /// In millionths of the app's currency, by period, from the cohort's own.
        var values: [Int128]
        var hasValues = false
        /// Whether the person came back in the last period that is shown or in a later one.
        var isSeenSince = false
        /// What makes the person retained in the last period that is shown.
        var evidence: Evidence?

        mutating func begin(_ cohort: Int) {
            self.cohort = cohort
            periods = 0
            isSeenSince = false
            evidence = nil
            guard hasValues else { return }
            for index in values.indices { values[index] = 0 }
            hasValues = false
        }
    }

    struct Counts {
        var people: Int64 = 0
        /// By period, from the first after the cohort's.
        var retained: [Int64]
        /// By period, from the cohort's own.
        var values: [Int128]
        /// Whose values these are; nil for `people`.
        var valued: Int64?

        init(periods: Int) {
            retained = Array(repeating: 0, count: periods)
            values = Array(repeating: 0, count: periods + 1)
        }

        mutating func add(_ returns: Returns) {
            people += 1
            var periods = returns.periods
            while periods != 0 {
                retained[periods.trailingZeroBitCount] += 1
                periods &= periods - 1
            }
            guard returns.hasValues else { return }
            for index in values.indices { values[index] += returns.values[index] }
        }

        mutating func merge(_ other: Counts) {
            people += other.people
            for index in retained.indices { retained[index] += other.retained[index] }
            for index in values.indices { values[index] += other.values[index] }
        }
    }

    /// The counts of a group, by the number of the cohort's period.
    struct Cohorts: GroupCounts {
        let empty: Counts
        /// The number of the first cohort.
        let first: Int
        /// From the first cohort to the last that has people.
        private var counts: [Counts] = []

        init(_ empty: Counts, from first: Int) {
            self.empty = empty
            self.first = first
        }

        /// Of the cohorts that have people.
        var numbers: [Int] { counts.indices.filter { counts[$0].people > 0 }.map { first + $0 } }

        subscript(cohort: Int) -> Counts {
            counts.indices.contains(cohort - first) ? counts[cohort - first] : empty
        }

        mutating func add(_ returns: Returns) { update(returns.cohort - first) { $0.add(returns) } }

        static func += (cohorts: inout Cohorts, other: Cohorts) {
            for (place, counts) in other.counts.enumerated() { cohorts.update(place) { $0.merge(counts) } }
        }

        @inline(__always)
        private mutating func update(_ place: Int, _ body: (inout Counts) -> Void) {
            while counts.count <= place { counts.append(empty) }
            body(&counts[place])
        }

        /// Those of several cohorts together.
        func pooled(_ isPooled: (Int) -> Bool) -> Counts {
            numbers.filter(isPooled).reduce(into: empty) { $0.merge(self[$1]) }
        }
    }
}

extension RetentionFold.Returns: GroupShare {
    init(words: ArraySlice<UInt32>) {
        var words = words
        func next() -> UInt32 { words.popFirst() ?? 0 }
        cohort = Int(Int32(bitPattern: next()))
        periods = UInt64(next()) | UInt64(next()) << 32
        values = []
        hasValues = !words.isEmpty
        while !words.isEmpty {
            values.append(Int128(truncatingIfNeeded: (0..<4).reduce(UInt128(0)) { $0 | UInt128(next()) << (32 * $1) }))
        }
    }

    func append(to words: inout [UInt32]) {
        words.append(UInt32(bitPattern: Int32(truncatingIfNeeded: cohort)))
        words.append(UInt32(truncatingIfNeeded: periods))
        words.append(UInt32(truncatingIfNeeded: periods >> 32))
        guard hasValues else { return }
        for value in values { for part in 0..<4 { words.append(UInt32(truncatingIfNeeded: value >> (32 * part))) } }
    }

    /// What a person does is the same in all groups.
    mutating func merge(_ other: RetentionFold.Returns) {}
}
