import Timelines

/// What a report counts of the people in one group.
protocol GroupCounts {
    /// What one person adds to a group.
    associatedtype Share: GroupShare

    mutating func add(_ share: Share)
    static func += (counts: inout Self, other: Self)
}

/// What one person adds to a group, as a log keeps it.
protocol GroupShare {
    init(words: ArraySlice<UInt32>)
    func append(to words: inout [UInt32])

    /// Adds what the same person adds to another group, for a row that stands for both.
    mutating func merge(_ other: Self)
}

/// Counts people in groups, of which a report shows only the largest.
///
/// A key may have millions of values, and counts of a group are large. So only the first groups have counts; people of
/// others are logged, and counted at the end if their group is shown. Whoever is in several groups is logged, too, so
/// that people of `(others)` are distinct. If each group also keeps the counts of these people, only `(others)` takes
/// them from the log.
struct LimitedGroups<Counts: GroupCounts> {
    private struct Group {
        /// The rank among groups.
        var people: UInt32 = 0
        /// The position of the counts; −1: people of the group are logged.
        var counts: Int32 = -1
        /// The place of the current person's share; −1: the person is not in the group.
        var share: Int32 = -1
    }

    private let empty: Counts
    /// How many groups may have counts.
    private let countsLimit: Int
    /// Whether all groups are shown, however many there are: then all have counts.
    let showsAll: Bool
    private var positions = GroupPositions()
    private var groups: [Group] = []
    /// Of people who are in no other group.
    private(set) var counts: [Counts] = []
    /// Of people who are in several groups; empty if groups do not keep them.
    private var sharedCounts: [Counts] = []
    private let keepsShared: Bool
    private let log: PeopleLog
    /// Marks the position of a group in the log: its shared counts have the person, too.
    private static var isKept: UInt32 { 1 << 31 }
    /// Whether the log has somebody whom no counts have.
    private var isLogNeeded = false
    /// Those of merged values, with the position here of each of their groups.
    private var logs: [(log: PeopleLog, places: [Int32])] = []
    /// The groups that the current person is in, and what the person adds to each. Two arrays, because a pair would be
    /// copied with its share to read its group.
    private var ownGroups: [Int32] = []
    private var ownShares: [Counts.Share] = []
    private var words: [UInt32] = []

    /// - Parameters:
    ///   - size: how many bytes the counts of a group take.
    ///   - countsLimit: how many bytes the counts of groups may take.
    ///   - keepsShared: whether groups keep the counts of people who are in several groups, too. They take as much
    ///     memory again.
    ///   - file: gets the log.
    init(
        _ empty: Counts,
        size: Int,
        countsLimit: Int,
        showsAll: Bool,
        keepsShared: Bool = false,
        _ file: TemporaryFile
    ) {
        self.empty = empty
        log = PeopleLog(file)
        self.keepsShared = keepsShared && !showsAll
        self.countsLimit = showsAll ? .max : countsLimit / max(1, keepsShared ? 2 * size : size)
        self.showsAll = showsAll
    }

    /// 4 MB.
    static var defaultCountsLimit: Int { 4 << 20 }

    var keys: [GroupKey] { positions.keys }

    /// How many bytes it takes, beside counts and people.
    var size: Int { groups.heldSize + positions.size }

    /// How many people a group has.
    func people(at position: Int) -> Int64 { Int64(groups[position].people) }

    @discardableResult
    mutating func position(of key: GroupKey) -> Int {
        let (position, isNew) = positions.position(of: key)
        if isNew {
            groups.append(Group())
            if counts.count < countsLimit { addCounts(to: position) }
        }
        return position
    }

    private mutating func addCounts(to group: Int) {
        groups[group].counts = Int32(counts.count)
        counts.append(empty)
        if keepsShared { sharedCounts.append(empty) }
    }

    // MARK: The current person

    /// Changes what the current person adds to a group.
    ///
    /// - Parameter first: what it is before.
    @inline(__always)
    mutating func update(_ key: GroupKey, from first: Counts.Share, _ body: (inout Counts.Share) -> Void) {
        let group = position(of: key)
        if groups[group].share < 0 {
            groups[group].share = Int32(ownShares.count)
            ownGroups.append(Int32(group))
            ownShares.append(first)
        }
        body(&ownShares[Int(groups[group].share)])
    }

    /// What the current person adds to a group; nil if the person is not in it.
    func share(of key: GroupKey) -> Counts.Share? {
        guard let position = positions.known(key), groups[position].share >= 0 else { return nil }
        return ownShares[Int(groups[position].share)]
    }

    /// What the current person adds to the only group that the person is in, if that has counts.
    var onlyShare: Counts.Share? {
        ownGroups.count == 1 && groups[Int(ownGroups[0])].counts >= 0 ? ownShares[0] : nil
    }

    /// Counts the current person.
    ///
    /// - Parameter isRanked: whether the person counts for the rank of the group to which this is added; nil if the
    ///   person always does.
    mutating func endPerson(isRanked: ((Counts.Share) -> Bool)? = nil) {
        if ownGroups.isEmpty { return }
        if showsAll || ownGroups.count == 1 && groups[Int(ownGroups[0])].counts >= 0 {
            // A loop over the shares would copy each.
            for place in ownGroups.indices { counts[Int(groups[Int(ownGroups[place])].counts)].add(ownShares[place]) }
        } else {
            for place in ownGroups.indices {
                let start = words.count
                let group = UInt32(bitPattern: ownGroups[place])
                let counts = Int(groups[Int(ownGroups[place])].counts)
                if keepsShared, counts >= 0 {
                    sharedCounts[counts].add(ownShares[place])
                    words += [group | Self.isKept, 0]
                } else {
                    isLogNeeded = true
                    words += [group, 0]
                }
                ownShares[place].append(to: &words)
                words[start + 1] = UInt32(words.count - start - 2)
            }
            endCountedPerson()
        }
        for place in ownGroups.indices {
            let group = Int(ownGroups[place])
            groups[group].share = -1
            if isRanked?(ownShares[place]) ?? true { groups[group].people += 1 }
        }
        ownGroups.removeAll(keepingCapacity: true)
        ownShares.removeAll(keepingCapacity: true)
    }

    /// Counts the current person in one group after the other, up to ``endCountedPerson()``: for folds that know at
    /// once all that the person adds to a group. ``update(_:from:_:)`` keeps what it gets until the person ends.
    ///
    /// - Parameters:
    ///   - isOnly: whether the person is in no other group.
    ///   - isRanked: whether the person counts for the rank of the group.
    mutating func count(_ share: Counts.Share, in key: GroupKey, isOnly: Bool, isRanked: Bool) {
        let group = position(of: key)
        if isRanked { groups[group].people += 1 }
        let place = Int(groups[group].counts)
        if showsAll || isOnly && place >= 0 { return counts[place].add(share) }
        let isKept = keepsShared && place >= 0
        if isKept { sharedCounts[place].add(share) } else { isLogNeeded = true }
        let start = words.count
        words.append(UInt32(group) | (isKept ? Self.isKept : 0))
        words.append(0)
        share.append(to: &words)
        words[start + 1] = UInt32(words.count - start - 2)
    }

    mutating func endCountedPerson() {
        if words.isEmpty { return }
        log.append(words)
        words.removeAll(keepingCapacity: true)
    }

    /// Changes what the only share adds, for ``endPerson(isRanked:)``.
    mutating func replaceOnlyShare(with share: Counts.Share) { ownShares[0] = share }

    mutating func merge(_ other: LimitedGroups) {
        positions.reserve(for: other.positions)
        groups.reserveCapacity(groups.count + other.groups.count)
        let places = other.positions.keys.map { Int32(position(of: $0)) }
        for (position, group) in other.groups.enumerated() {
            let place = Int(places[position])
            groups[place].people += group.people
            guard group.counts >= 0 else { continue }
            if groups[place].counts < 0 { addCounts(to: place) }
            counts[Int(groups[place].counts)] += other.counts[Int(group.counts)]
            if keepsShared { sharedCounts[Int(groups[place].counts)] += other.sharedCounts[Int(group.counts)] }
        }
        isLogNeeded = isLogNeeded || other.isLogNeeded
        logs.append((other.log, places))
        for (log, own) in other.logs { logs.append((log, own.map { places[Int($0)] })) }
    }

    // MARK: Rows

    /// The positions of the groups that have rows of their own: all, or those with the most people; of equal ones by
    /// name, `(none)` last.
    func shown(_ limit: Int, _ finder: GroupFinder) -> [Int] {
        showsAll ? Array(groups.indices) : smallest(limit, of: named(finder)) { precedes($0, $1, finder) }
    }

    /// The groups that have rows of their own, beside another range those that it shows (``ShownBeside``).
    ///
    /// - Parameter cells: the names of the other range's rows.
    func keys(beside cells: (some Sequence<ReportCell>)?, _ limit: Int, _ finder: GroupFinder) -> [GroupKey] {
        guard let cells, !showsAll else { return shown(limit, finder).map { self.positions.keys[$0] } }
        let shown = ShownBeside(cells, besides: [ReportNames.others, ReportNames.direct, ReportNames.total], limit)
        let positions = shown.groups(of: named(finder), largest: self.shown(limit, finder)) {
            finder.name(of: self.positions.keys[$0])
        }
        return positions.map { self.positions.keys[$0] }
    }

    /// How many groups have rows of their own at most.
    func shownCount(_ limit: Int) -> Int { showsAll ? groups.count : min(limit, groups.count) }

    /// The counts of groups, empty if they have not appeared, and of all other groups together, if there are any.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func counts(of keys: [GroupKey]) throws(TimelineError) -> (named: [(GroupKey, Counts)], others: Counts?) {
        var rowsByPosition: [Int: Int] = [:]
        for (row, key) in keys.enumerated() {
            if let position = positions.known(key) { rowsByPosition[position] = row }
        }
        let rows = try rows(keys.count + 1) { rowsByPosition[$0] ?? keys.count }
        return (Array(zip(keys, rows)), rowsByPosition.count < groups.count ? rows.last : nil)
    }

    /// The groups with rows of their own. The values of a declared property that have none are in `(others)`.
    private func named(_ finder: GroupFinder) -> some Sequence<Int> {
        groups.indices.lazy.filter { !finder.isOthers(positions.keys[$0]) }
    }

    private func precedes(_ one: Int, _ other: Int, _ finder: GroupFinder) -> Bool {
        if groups[one].people != groups[other].people { return groups[one].people > groups[other].people }
        let keys = (positions.keys[one], positions.keys[other])
        if keys.0.isNone != keys.1.isNone { return keys.1.isNone }
        return Reporting.precedes(finder.name(of: keys.0), finder.name(of: keys.1))
    }

    /// What rows count. Somebody who is in several groups of a row counts there once.
    ///
    /// - Parameters:
    ///   - count: how many rows there are.
    ///   - row: the row of a group by its position; nil if it has none.
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func rows(_ count: Int, _ row: (Int) -> Int?) throws(TimelineError) -> [Counts] {
        let places = groups.indices.map { Int32(row($0) ?? -1) }
        var rows = Array(repeating: empty, count: count)
        /// By row.
        var groupCounts = Array(repeating: 0, count: count)
        for row in places where row >= 0 { groupCounts[Int(row)] += 1 }
        for (position, group) in groups.enumerated() where places[position] >= 0 && group.counts >= 0 {
            let row = Int(places[position])
            rows[row] += counts[Int(group.counts)]
            if keepsShared, groupCounts[row] == 1 { rows[row] += sharedCounts[Int(group.counts)] }
        }
        guard isLogNeeded || groupCounts.contains(where: { $0 > 1 }) else { return rows }
        /// By row, the place of a person's share.
        var taken = Array(repeating: Int32(-1), count: count)
        var shares: [(row: Int32, share: Counts.Share)] = []
        for (log, own) in [(log, groups.indices.map { Int32($0) })] + logs {
            try log.forEach { words in
                var position = words.startIndex
                while position < words.endIndex {
                    let row = places[Int(own[Int(words[position] & ~Self.isKept)])]
                    let end = position + 2 + Int(words[position + 1])
                    let isKept = words[position] & Self.isKept != 0
                    if row >= 0, !isKept || groupCounts[Int(row)] > 1 {
                        let share = Counts.Share(words: words[position + 2..<end])
                        if taken[Int(row)] < 0 {
                            taken[Int(row)] = Int32(shares.count)
                            shares.append((row, share))
                        } else {
                            shares[Int(taken[Int(row)])].share.merge(share)
                        }
                    }
                    position = end
                }
                for (row, share) in shares {
                    rows[Int(row)].add(share)
                    taken[Int(row)] = -1
                }
                shares.removeAll(keepingCapacity: true)
            }
        }
        return rows
    }
}
