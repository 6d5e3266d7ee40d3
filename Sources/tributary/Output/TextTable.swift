/// Rows of cells, for people.
enum TextTable {
    /// Pads every column but the last to its longest cell.
    static func text(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = column + 1 < row.count ? widths[column] - cell.count : 0
                return cell + String(repeating: " ", count: padding)
            }.joined(separator: "  ") + "\n"
        }.joined()
    }
}
