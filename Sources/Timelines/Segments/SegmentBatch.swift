import Postgres

/// The segments of one bucket, in one piece of memory that is reused for the next bucket.
struct SegmentBatch {
    private struct Segment {
        var month: Int64
        /// One for each `SegmentColumn`; nil for null.
        var columns: [Range<Int>?]
    }

    private var bytes: UnsafeMutableRawBufferPointer = .allocate(byteCount: 1 << 16, alignment: 16)
    private var count = 0
    private var segments: [Segment] = []

    /// The month of the first segment, nil if the batch is empty.
    var month: Int64? { segments.first?.month }

    mutating func removeAll() {
        count = 0
        segments.removeAll(keepingCapacity: true)
    }

    func deallocate() {
        bytes.deallocate()
    }

    /// Appends a row whose bucket has been read.
    mutating func append(_ row: inout PostgresCopyRow) throws {
        let month = try row.nextInt64()
        let columns = try SegmentColumn.allCases.map { _ in try row.nextUnsafeBytes().map { copy($0) } }
        segments.append(Segment(month: month, columns: columns))
    }

    /// Appends segments that are not from the database, encoded as `EncodedSegment` reads them.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile` if they are damaged: only a temporary file can damage them.
    mutating func append(encoded bytes: [UInt8]) throws(TimelineError) {
        let isBroken = bytes.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd, !cursor.isBroken {
                let segment = EncodedSegment(reading: &cursor)
                segments.append(Segment(month: segment.month, columns: segment.columns.map { copy($0) }))
                // Every segment has runs. An empty column means that the disk returned zeros.
                if segment.columns[.strands].isEmpty { return true }
            }
            return cursor.isBroken
        }
        if isBroken { throw .lostTemporaryFile("it is damaged") }
    }

    /// - Returns: the place of the copy in `bytes`.
    private mutating func copy(_ column: UnsafeRawBufferPointer) -> Range<Int> {
        reserve(column.count)
        if let source = column.baseAddress {
            bytes.baseAddress?.advanced(by: count).copyMemory(from: source, byteCount: column.count)
        }
        defer { count += column.count }
        return count..<count + column.count
    }

    private mutating func reserve(_ size: Int) {
        guard count + size > bytes.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(bytes.count * 2, count + size),
            alignment: 16
        )
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        bytes.deallocate()
        bytes = larger
    }

    /// Readers of all segments, valid until the batch changes.
    func readers(dictionary: TimelineDictionary) -> [SegmentReader] {
        segments.map { segment in
            let columns = segment.columns.map { $0.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) } }
            return SegmentReader(columns, month: segment.month, dictionary: dictionary)
        }
    }
}
