import Timelines

/// What a report counts of each of its groups. A group is created when something is first counted in it, so a table for
/// each of many days is no larger than what happened on the day.
struct GroupTable<Row> {
    private let empty: Row
    private var positions = GroupPositions()
    /// By position: in the order of creation.
    private(set) var rows: [Row] = []

    init(empty: Row) { self.empty = empty }

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

    /// The groups that have rows, by their positions: the first in an order, or all.
    func shown(_ limit: Int?, by areInIncreasingOrder: (Int, Int) -> Bool) -> [Int] {
        guard let limit else { return rows.indices.sorted(by: areInIncreasingOrder) }
        return smallest(limit, of: rows.indices, by: areInIncreasingOrder)
    }

    /// By position, whether a group is not among those that are shown.
    func areOthers(than shown: [Int]) -> [Bool] {
        var areOthers = [Bool](repeating: true, count: rows.count)
        for position in shown { areOthers[position] = false }
        return areOthers
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
