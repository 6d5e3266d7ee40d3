import Synchronization

/// Gives texts the same numbers in several dictionaries, so that their folds can be merged. The dictionaries may be
/// used at the same time, each by one reader.
package final class SharedTexts: Sendable {
    private let tables: Mutex<[CodeTable]>

    init(tables count: Int) {
        tables = Mutex(Array(repeating: CodeTable(), count: count))
    }

    /// Adds the texts that a reader's own table lacks.
    ///
    /// - Parameters:
    ///   - text: gets a number if it has none yet, and so is among the added texts; nil to add only known texts.
    ///   - append: adds a text to the reader's table. Texts come in order.
    package func catchUp(
        table: Int,
        count: Int,
        text: UnsafeRawBufferPointer?,
        append: (UnsafeRawBufferPointer) -> Void
    ) {
        tables.withLock { tables in
            if let text { _ = tables[table].code(of: text) }
            for index in count..<max(count, tables[table].count) {
                tables[table].withBytes(of: Code(rawValue: Int32(index))) { append($0) }
            }
        }
    }
}
