/// A segment outside the database: its month (8 bytes, microseconds since 1970, UTC), the size of each column (4 bytes
/// each), then the columns. Less than half the size of the decoded events.
struct EncodedSegment {
    let month: Int64
    /// One for each `SegmentColumn`. Points into the memory that was read.
    let columns: [UnsafeRawBufferPointer]

    /// Reads a segment. If it is damaged, the cursor is broken afterwards.
    init(reading cursor: inout ByteCursor) {
        month = cursor.next(Int64.self)
        let sizes = SegmentColumn.allCases.map { _ in Int(cursor.next(UInt32.self)) }
        columns = sizes.map { cursor.nextBytes($0) }
    }
}

extension [UInt8] {
    /// Appends a segment in the form that `EncodedSegment` reads.
    mutating func append(encoding builder: SegmentBuilder) {
        append(number: builder.month)
        let columns = builder.columns
        for column in columns { append(number: UInt32(column.count)) }
        for column in columns { append(contentsOf: column) }
    }
}
