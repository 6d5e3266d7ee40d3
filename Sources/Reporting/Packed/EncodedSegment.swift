/// Events of one bucket, month and kind as a segment's columns, in memory: a quarter of what they take as events.
struct EncodedSegment: Sendable {
    /// Its start in microseconds since 1970, UTC.
    var month: Int64
    /// As `SegmentBuilder.columns` gives them.
    var columns: [[UInt8]]
}
