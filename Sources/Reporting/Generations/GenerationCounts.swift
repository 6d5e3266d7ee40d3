/// What a report counts of the people of one group, by their generation.
struct GenerationCounts: GroupCounts {
    /// What one person adds.
    struct Share {
        /// The position of the generation's row.
        var row: Int
        var posts: UInt32 = 0
        var invited: UInt32 = 0
        var isDoubtful = false
        /// In millionths of the app's currency.
        var value: Int128 = 0
        /// Microseconds from the person's install to that of the first whom they invited.
        var wait: Int64?
    }

    struct Row {
        private(set) var people: Int64 = 0
        private var posters: Int64 = 0
        private var posts: Int64 = 0
        private var invited: Int64 = 0
        private var doubtful: Int64 = 0
        private var value: Int128 = 0
        private var waits: [Int64] = []

        fileprivate mutating func add(_ share: Share) {
            people += 1
            posters += share.posts > 0 ? 1 : 0
            posts += Int64(share.posts)
            invited += Int64(share.invited)
            doubtful += share.isDoubtful ? 1 : 0
            value += share.value
            if let wait = share.wait { waits.append(wait) }
        }

        static func += (row: inout Row, other: Row) {
            row.people += other.people
            row.posters += other.posters
            row.posts += other.posts
            row.invited += other.invited
            row.doubtful += other.doubtful
            row.value += other.value
            row.waits += other.waits
        }

        /// From `people` on.
        var cells: [ReportCell] {
            [
                .integer(people), .integer(posters), .integer(posts), .integer(invited),
                .fraction(invited, of: people), .fraction(invited, of: posts), medianDays,
                .decimal(millionths: value), .fraction(value, of: Int128(people) * 1_000_000), .integer(doubtful),
            ]
        }

        private var medianDays: ReportCell {
            // A day has as many microseconds as 86,400 days have millionths.
            waits.isEmpty ? .empty : .decimal(millionths: roundedQuotient(median(waits), by: 86_400))
        }
    }

    /// By generation; the last one is of all later generations.
    private(set) var rows: [Row]

    /// - Parameter depth: the last generation that has a row of its own.
    init(depth: Int) {
        rows = Array(repeating: Row(), count: depth + 2)
    }

    mutating func add(_ share: Share) { rows[share.row].add(share) }

    static func += (counts: inout GenerationCounts, other: GenerationCounts) {
        for position in counts.rows.indices { counts.rows[position] += other.rows[position] }
    }

    var people: Int64 { rows.reduce(0) { $0 + $1.people } }

    /// The named rows up to the last generation that has people, then the rest if there is any, then all together.
    ///
    /// - Parameter first: the first generation that has a row.
    func named(from first: Int) -> [(name: String, row: Row)] {
        var total = Row()
        for row in rows { total += row }
        let own = rows.dropLast()
        let rest = rows.suffix(1).filter { $0.people > 0 }
        let end = rest.isEmpty ? (own.lastIndex { $0.people > 0 }).map { $0 + 1 } ?? 0 : own.count
        var named = own.prefix(end).enumerated().dropFirst(first).map { (name: String($0.offset), row: $0.element) }
        named += rest.map { (name: ReportNames.others, row: $0) }
        named.append((name: ReportNames.total, row: total))
        return named
    }
}

extension GenerationCounts.Share: GroupShare {
    init(words: ArraySlice<UInt32>) {
        var words = words
        func next() -> UInt32 { words.popFirst() ?? 0 }
        row = Int(next())
        posts = next()
        invited = next()
        let flags = next()
        isDoubtful = flags & 1 != 0
        value = Int128(truncatingIfNeeded: (0..<4).reduce(UInt128(0)) { $0 | UInt128(next()) << (32 * $1) })
        let wait = UInt64(next()) | UInt64(next()) << 32
        self.wait = flags & 2 != 0 ? Int64(bitPattern: wait) : nil
    }

    func append(to words: inout [UInt32]) {
        words += [UInt32(row), posts, invited, (isDoubtful ? 1 : 0) | (wait == nil ? 0 : 2)]
        for part in 0..<4 { words.append(UInt32(truncatingIfNeeded: value >> (32 * part))) }
        let wait = UInt64(bitPattern: self.wait ?? 0)
        words += [UInt32(truncatingIfNeeded: wait), UInt32(truncatingIfNeeded: wait >> 32)]
    }

    /// What a person adds is the same in all groups.
    mutating func merge(_ other: GenerationCounts.Share) {}
}
