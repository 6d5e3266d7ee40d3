/// Events of one bucket, month and kind as a segment's columns, in memory: less than half of what they take as events.
struct EncodedSegment: Sendable {
    /// Its start in microseconds since 1970, UTC.
    let month: Int64
    /// Where each column ends, in 4 bytes each, then one column after the other: there are many small segments, and arrays that
    /// have grown are up to half empty.
    let bytes: [UInt8]

    /// - Parameter columns: as `SegmentBuilder.columns` gives them.
    init(month: Int64, columns: [[UInt8]]) {
        self.month = month
        var end = columns.count * 4
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns.reduce(end) { $0 + $1.count })
        for column in columns {
            end += column.count
            bytes.append(number: UInt32(end))
        }
        for column in columns { bytes += column }
        self.bytes = bytes
    }

    /// - Parameter bytes: those of another one.
    init(month: Int64, bytes: [UInt8]) {
        self.month = month
        self.bytes = bytes
    }

    /// Where the columns lie in the bytes, in the order of `SegmentBuilder.columns`.
    var columns: [Range<Int>] {
        bytes.withUnsafeBytes { bytes in
            var start = SegmentBuilder.columnCount * 4
            return (0..<SegmentBuilder.columnCount).map { index in
                let end = Int(bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                defer { start = end }
                return start..<end
            }
        }
    }
}
