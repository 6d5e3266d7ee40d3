/// Events of one bucket, month and kind as a segment's columns, in memory: less than half of what they take as events.
struct EncodedSegment: Sendable {
    /// Its start in microseconds since 1970, UTC.
    let month: Int64
    /// One column after the other: there are many small segments, and arrays that have grown are up to half empty.
    private let bytes: [UInt8]
    private let ends: [Int32]

    /// - Parameter columns: as `SegmentBuilder.columns` gives them.
    init(month: Int64, columns: [[UInt8]]) {
        self.month = month
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns.reduce(0) { $0 + $1.count })
        ends = columns.map { column in
            bytes += column
            return Int32(bytes.count)
        }
        self.bytes = bytes
    }

    /// - Parameter index: in the order of `SegmentBuilder.columns`.
    func withColumn(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        let start = index == 0 ? 0 : Int(ends[index - 1])
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<Int(ends[index])])) }
    }
}
