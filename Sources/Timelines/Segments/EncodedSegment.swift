/// A segment outside of the database: its month in 8 bytes (microseconds since 1970, UTC), the size of each column in 4, then
/// one column after the other. Less than half of what its events take as such.
struct EncodedSegment {
    let month: Int64
    /// In the order of `SegmentBuilder.columns`, within the memory that was read.
    let columns: [UnsafeRawBufferPointer]

    /// Reads one; where it is damaged the cursor is broken then.
    init(reading cursor: inout ByteCursor) {
        month = cursor.next(Int64.self)
        let sizes = (0..<SegmentBuilder.columnCount).map { _ in Int(cursor.next(UInt32.self)) }
        columns = sizes.map { cursor.nextBytes($0) }
    }
}

extension [UInt8] {
    /// Appends what `EncodedSegment` reads.
    mutating func append(encoding builder: SegmentBuilder) {
        append(number: builder.month)
        let columns = builder.columns
        for column in columns { append(number: UInt32(column.count)) }
        for column in columns { append(contentsOf: column) }
    }
}
