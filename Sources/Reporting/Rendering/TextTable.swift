import Text

/// Texts in columns, for people.
///
/// What does not fit into a line of the terminal is divided. With headers, blocks of columns stand below each other,
/// each with the columns that tell the rows apart. Without headers, the cells of a row go on in the next line.
package struct TextTable {
    /// The cells of all rows below each other.
    package struct Column {
        /// Nil in a list that needs none. All columns of a table have one, or none has.
        var header: String?
        /// Whether the cells begin at the left.
        var isText = true
        /// Whether it names the row, or says more of the name.
        var isKey = false
        var cells: [String]

        package init(header: String?, isText: Bool = true, isKey: Bool = false, cells: [String]) {
            (self.header, self.isText, self.isKey) = (header, isText, isKey)
            self.cells = cells.map(TextTable.printable)
        }

        fileprivate var width: Int { ((header.map { [$0] } ?? []) + cells).map(\.count).max() ?? 0 }

        mutating func cut(to width: Int) {
            func cut(_ text: String) -> String { text.count > width ? text.prefix(width - 1) + "…" : text }
            (header, cells) = (header.map(cut), cells.map(cut))
        }
    }

    private static let gap = "  "

    private let columns: [Column]

    package init(columns: [Column]) {
        self.columns = columns
    }

    /// A list without headers. Cells that a row does not have are empty.
    package init(rows: [[String]]) {
        columns = (0..<(rows.map(\.count).max() ?? 0)).map { column in
            Column(header: nil, cells: rows.map { column < $0.count ? $0[column] : "" })
        }
    }

    /// - Parameter limit: how many characters fit into a line; nil for any number.
    package func text(within limit: Int?) -> String {
        guard let limit, Self.width(columns) > limit else { return Self.block(columns) }
        guard columns.contains(where: { $0.header != nil }) else { return flowing(within: limit) }
        return blocks(within: limit).map(Self.block).joined(separator: "\n")
    }

    private static func width(_ columns: [Column]) -> Int { columns.reduce(-gap.count) { $0 + $1.width + gap.count } }

    private static func block(_ columns: [Column]) -> String {
        let widths = columns.map(\.width)
        var text = ""
        let headers = columns.compactMap(\.header)
        if !headers.isEmpty {
            text = line(headers, columns, widths)
            text += widths.map { String(repeating: "─", count: $0) }.joined(separator: gap) + "\n"
        }
        for row in columns.first?.cells.indices ?? 0..<0 {
            text += line(columns.map { $0.cells[row] }, columns, widths)
        }
        return text
    }

    private static func line(_ cells: [String], _ columns: [Column], _ widths: [Int]) -> String {
        var line = zip(zip(cells, columns), widths).map { pair, width in
            let padding = String(repeating: " ", count: max(0, width - pair.0.count))
            return pair.1.isText ? pair.0 + padding : padding + pair.0
        }.joined(separator: gap)
        while line.last == " " { line.removeLast() }
        return line + "\n"
    }

    /// The columns of blocks that are no wider than `limit`, if the columns that tell the rows apart leave room for a
    /// figure. These are cut if they take more than half; other texts, if they do not fit beside them.
    private func blocks(within limit: Int) -> [[Column]] {
        var names = namingColumns
        let nameLimit = max(1, limit / 2 - Self.gap.count * names.count)
        while Self.width(names) > limit / 2, let widest = names.indices.max(by: { names[$0].width < names[$1].width }),
            names[widest].width > 8
        {
            names[widest].cut(to: max(8, names[widest].width - (Self.width(names) - nameLimit)))
        }
        var blocks: [[Column]] = []
        for column in columns.dropFirst(names.count) {
            if let last = blocks.last, Self.width(last + [column]) <= limit {
                blocks[blocks.count - 1].append(column)
            } else {
                var column = column
                if column.isText { column.cut(to: max(8, limit - Self.width(names) - Self.gap.count)) }
                blocks.append(names + [column])
            }
        }
        return blocks.isEmpty ? [names] : blocks
    }

    /// The first of the columns that name the rows, as many as no two rows have the same texts in.
    private var namingColumns: [Column] {
        let keys = Array(columns.prefix { $0.isKey })
        let count = (1...max(1, keys.count)).first { count in
            let names = (keys.first?.cells.indices ?? 0..<0).map { row in keys.prefix(count).map { $0.cells[row] } }
            return Set(names).count == names.count
        }
        return Array(keys.prefix(count ?? keys.count))
    }

    /// The cells of each row, in as many lines as they need.
    private func flowing(within limit: Int) -> String {
        (columns.first?.cells.indices ?? 0..<0).map { row in
            columns.map { $0.cells[row] }.filter { !$0.isEmpty }.reduce(into: [String]()) { lines, cell in
                if let last = lines.last, last.count + Self.gap.count + cell.count <= limit {
                    lines[lines.count - 1] += Self.gap + cell
                } else {
                    lines.append(lines.isEmpty ? cell : Self.gap + cell)
                }
            }.joined(separator: "\n") + "\n"
        }.joined()
    }

    /// Names come from outside. Characters that would move the cursor, colour the terminal or turn the direction of
    /// writing are shown as `\u202e`.
    package static func printable(_ text: String) -> String { text.escapingControls() }
}
