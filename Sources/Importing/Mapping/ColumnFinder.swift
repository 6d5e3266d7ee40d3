import Text

/// Finds the columns of a file that a mapping names.
struct ColumnFinder {
    let names: [String]
    /// For messages.
    let file: String

    /// - Throws: `ImportError.unusableInput` if there is no such column, or more than one.
    func position(of column: ColumnReference) throws(ImportError) -> Int {
        let positions = names.indices.filter { names[$0] == column.name }
        if positions.count == 1 { return positions[0] }
        if positions.count > 1 {
            throw .unusableInput(
                "\(file): \(positions.count) columns have the name '\(column.name)', which \(column.place) uses"
            )
        }
        let hint =
            closestName(to: column.name, among: names).map { " (did you mean '\($0)'?)" }
            ?? " (one of: \(names.prefix(40).joined(separator: ", ")))"
        throw .unusableInput("\(file) has no column '\(column.name)', which \(column.place) uses" + hint)
    }
}
