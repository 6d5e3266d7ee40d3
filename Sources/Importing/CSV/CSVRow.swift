/// A row of a CSV file. All columns are in one array, which the next row uses again.
package struct CSVRow {
    /// The line on which the row begins, from 1.
    package var line = 0
    /// The bytes of the row in the file, without the line break at its end.
    package var source: [UInt8] = []
    private var text: [UInt8] = []
    private var ends: [Int] = []

    package init() {}

    /// The number of columns.
    package var count: Int { ends.count }

    /// A column, without quotes.
    package subscript(column: Int) -> ArraySlice<UInt8> {
        text[(column == 0 ? 0 : ends[column - 1])..<ends[column]]
    }

    /// All columns, as text; invalid UTF-8 becomes U+FFFD.
    package var texts: [String] {
        (0..<count).map { String(decoding: self[$0], as: UTF8.self) }
    }

    /// Whether all columns are UTF-8.
    var isUTF8: Bool { String(validating: text, as: UTF8.self) != nil }

    /// Whether the row is an empty line.
    var isBlank: Bool { text.isEmpty && ends.count <= 1 }

    mutating func clear() {
        source.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        text.append(contentsOf: bytes)
    }

    mutating func endColumn() {
        ends.append(text.count)
    }
}
