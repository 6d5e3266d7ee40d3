import Timelines

/// What a report counts of each of its groups. A group is created when something is first counted in it, so a table for
/// each of many days is no larger than what happened on the day.
struct GroupTable<Row> {
    private let empty: Row
    private var positions = GroupPositions()
    /// By position: in the order of creation.
    private(set) var rows: [Row] = []

    init(empty: Row) { self.empty = empty }

    /// With an empty row of each of some groups.
    init(empty: Row, at positions: GroupPositions) {
        self.empty = empty
        self.positions = positions
        rows = Array(repeating: empty, count: positions.keys.count)
    }

    /// By position.
    var keys: [GroupKey] { positions.keys }

    /// In bytes.
    var size: Int { positions.size + rows.heldSize }

    /// The position of a group; nil if nothing was counted in it.
    func known(_ key: GroupKey) -> Int? { positions.known(key) }

    /// The row of a group; an empty one if nothing was counted in it.
    subscript(key: GroupKey) -> Row { known(key).map { rows[$0] } ?? empty }

    subscript(position: Int) -> Row {
        get { rows[position] }
        _modify { yield &rows[position] }
    }

    /// The position of a group, which is created if there is none.
    @inline(__always)
    mutating func position(of key: GroupKey) -> Int {
        let (position, isNew) = positions.position(of: key)
        if isNew { rows.append(empty) }
        return position
    }

    @inline(__always)
    mutating func update(_ key: GroupKey, _ body: (inout Row) -> Void) { body(&rows[position(of: key)]) }

    /// The groups that have rows of their own: all, or those with the largest counts; of equal ones by name.
    ///
    /// - Parameters:
    ///   - names: of the rows of another range, beside which the groups are shown (``ShownBeside``).
    ///   - isGroup: whether a group may have a row.
    ///   - hasNoName: whether a group is shown in any case.
    func shown(
        _ limit: Int? = nil,
        beside names: [ReportCell]? = nil,
        where isGroup: (GroupKey) -> Bool = { _ in true },
        always hasNoName: (GroupKey) -> Bool = { $0.isNone && $0.second == nil },
        count: (Row) -> Int64,
        name: (GroupKey) -> String
    ) -> ShownGroups {
        func isLarger(_ one: Int, _ other: Int) -> Bool {
            let counts = (count(rows[one]), count(rows[other]))
            return counts.0 == counts.1 ? precedes(name(keys[one]), name(keys[other])) : counts.0 > counts.1
        }
        // Pairs without the first property come last, before them those without the second.
        func comesBefore(_ one: Int, _ other: Int) -> Bool {
            let (first, second) = (keys[one], keys[other])
            if first.isNone != second.isNone { return second.isNone }
            if (first.second == nil) != (second.second == nil) { return second.second == nil }
            return isLarger(one, other)
        }
        let groups = rows.indices.filter { isGroup(keys[$0]) && !hasNoName(keys[$0]) }
        var shown = limit.map { smallest($0, of: groups, by: isLarger) } ?? groups
        if let limit, let names {
            shown = ShownBeside(names, besides: ReportNames.all, limit)
                .groups(of: groups, largest: shown) { name(keys[$0]) }
        }
        let nameless = rows.indices.filter { isGroup(keys[$0]) && hasNoName(keys[$0]) }
        return ShownGroups(named: shown.sorted(by: comesBefore), nameless: nameless.sorted(by: comesBefore))
    }

    /// By position, whether a group is not among those that are shown.
    func areOthers(than shown: [Int]) -> [Bool] {
        var areOthers = [Bool](repeating: true, count: rows.count)
        for position in shown { areOthers[position] = false }
        return areOthers
    }

    /// All groups that are not shown as one row; nil if there are none.
    ///
    /// - Parameter count: counts the people of the row, each once. Gets by position whether a group is in it.
    func others(
        than shown: ShownGroups,
        _ add: (inout Row, Row) -> Void,
        people count: (inout Row, [Bool]) -> Void
    ) -> Row? {
        guard shown.all.count < rows.count else { return nil }
        let areOthers = areOthers(than: shown.all)
        var others = empty
        for position in rows.indices where areOthers[position] { add(&others, rows[position]) }
        count(&others, areOthers)
        return others
    }

    /// The rows of the groups in lists of people.
    ///
    /// - Parameter names: the cells that name a row.
    func peopleRows(
        of shown: ShownGroups,
        in period: Int = 0,
        names: (String) -> [ReportCell] = { [.text($0)] },
        name: (GroupKey) -> String
    ) -> [PeopleRow] {
        shown.rows(
            { PeopleRow(names: names(name(keys[$0])), groups: [.named(keys[$0], in: period)]) },
            others: shown.all.count < rows.count ? .others(names(ReportNames.others), in: [period]) : nil
        )
    }

    /// Adds the rows of another table. There is room for all of them at once: growing beside both tables would take as
    /// much memory again.
    ///
    /// - Parameter renamed: the key here of a group of the other table.
    /// - Returns: the position here of each group of the other table.
    @discardableResult
    mutating func merge(
        _ other: GroupTable,
        _ add: (inout Row, Row) -> Void,
        renamed: (GroupKey) -> GroupKey = { $0 }
    ) -> [Int32] {
        positions.reserve(for: other.positions)
        rows.reserveCapacity(rows.count + other.rows.count)
        var places: [Int32] = []
        for (key, row) in zip(other.keys, other.rows) {
            let place = position(of: renamed(key))
            add(&rows[place], row)
            places.append(Int32(place))
        }
        return places
    }
}

/// The groups of a table that have rows of their own, by their positions in the order of rows.
struct ShownGroups {
    var named: [Int]
    /// No limit hides them, and `(others)` comes before them.
    var nameless: [Int]

    var all: [Int] { named + nameless }

    /// - Parameter others: the row of all other groups; nil if there are none.
    func rows<Row>(_ row: (Int) -> Row, others: Row?) -> [Row] {
        named.map(row) + [others].compactMap(\.self) + nameless.map(row)
    }
}

extension Sequence {
    /// The groups of the tables of several periods that have rows of their own, those with the largest counts in all
    /// periods together; nil for all.
    func shown<Row>(
        _ limit: Int?,
        beside names: [ReportCell]?,
        where isGroup: (GroupKey) -> Bool = { _ in true },
        count: (Row) -> Int64,
        name: (GroupKey) -> String
    ) -> Set<GroupKey>? where Element == GroupTable<Row> {
        guard let limit else { return nil }
        var counts = GroupTable<Int64>(empty: 0)
        for table in self {
            for (key, row) in zip(table.keys, table.rows) { counts.update(key) { $0 += count(row) } }
        }
        let shown = counts.shown(limit, beside: names, where: isGroup, count: { $0 }, name: name)
        return Set(shown.all.map { counts.keys[$0] })
    }
}
