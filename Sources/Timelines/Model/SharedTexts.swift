import Synchronization

/// Numbers texts the same way for several dictionaries, which may be used at the same time, each by one reader: their folds
/// then merge.
package final class SharedTexts: Sendable {
    private let tables: Mutex<[CodeTable]>

    init(tables count: Int) {
        tables = Mutex(Array(repeating: CodeTable(), count: count))
    }

    /// Brings a reader's own table up to date, at least as far as a text's number, which the text is given now if it has
    /// none.
    ///
    /// - Parameters:
    ///   - text: nil: only bring the table up to date.
    ///   - append: what to do with each text that the reader's table lacks, in their order.
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
