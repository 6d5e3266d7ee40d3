/// The rows of a table by a number from 0 on, such as the code of a ref. A row is created when something is first
/// counted in it, so a table for each of many days is no larger than what happened on the day.
struct RowsByCode<Row> {
    private let empty: Row
    /// The position in `rows` by number, or -1.
    private var positions: [Int32] = []
    /// In the order of creation.
    private(set) var rows: [(number: Int, row: Row)] = []

    /// In bytes.
    var size: Int { positions.count * 4 + rows.count * MemoryLayout<(Int, Row)>.stride }

    init(empty: Row) {
        self.empty = empty
    }

    /// The row of a number; an empty one if nothing was counted in it.
    subscript(number: Int) -> Row {
        guard number < positions.count, positions[number] >= 0 else { return empty }
        return rows[Int(positions[number])].row
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
