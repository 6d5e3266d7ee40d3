import Timelines

/// The rows of a table by a number from 0 on, such as the code of a ref. A row is created when something is first
/// counted in it, so a table for each of many days is no larger than what happened on the day.
struct RowsByCode<Row> {
    private let empty: Row
    /// The position in `rows` by number, or -1.
    private var positions: [Int32] = []
    /// In the order of creation.
    private(set) var rows: [(number: Int, row: Row)] = []

    /// In bytes.
    var size: Int { positions.heldSize + rows.heldSize }

    init(empty: Row) {
        self.empty = empty
    }

    /// The row of a number; an empty one if nothing was counted in it.
    subscript(number: Int) -> Row {
        guard number < positions.count, positions[number] >= 0 else { return empty }
        return rows[Int(positions[number])].row
    }

    /// Adds the rows of another table. There is room for all of them at once: growing beside both tables would take as
    /// much memory again.
    mutating func merge(_ other: RowsByCode, _ add: (inout Row, Row) -> Void) {
        rows.reserveCapacity(rows.count + other.rows.count)
        for (number, row) in other.rows { update(number) { add(&$0, row) } }
    }

    mutating func update(_ number: Int, _ body: (inout Row) -> Void) {
        while positions.count <= number { positions.append(-1) }
        if positions[number] < 0 {
            positions[number] = Int32(rows.count)
            rows.append((number, empty))
        }
        body(&rows[Int(positions[number])].row)
    }
}
