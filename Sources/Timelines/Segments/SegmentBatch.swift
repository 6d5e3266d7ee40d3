import Postgres

/// The segments of one bucket, in one piece of memory that is reused for the next bucket.
struct SegmentBatch {
    private struct Segment {
        var month: Int64
        /// The columns in the order of `sql/timelines/segments.sql`; nil for null.
        var columns: [Range<Int>?]
    }

    private static let columnCount = SegmentBuilder.columnCount

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
        var segment = Segment(month: try row.nextInt64(), columns: [])
        segment.columns.reserveCapacity(Self.columnCount)
        for _ in 0..<Self.columnCount {
            segment.columns.append(try row.nextUnsafeBytes().map { copy($0) })
        }
        segments.append(segment)
    }

    /// Appends segments that are not from the database, encoded as `EncodedSegment` reads them.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile` if they are damaged: only a temporary file can damage them.
    mutating func append(encoded bytes: [UInt8]) throws(TimelineError) {
        // In the order of `SegmentBuilder.columns`.
        let (strands, ids, refs, stories, clicks) = (0, 1, 2, 3, 4)
        let isBroken = bytes.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd, !cursor.isBroken {
                let segment = EncodedSegment(reading: &cursor)
                let columns = ([strands, ids, clicks, refs, stories] + (5..<Self.columnCount)).map { index in
                    copy(segment.columns[index])
                }
                segments.append(Segment(month: segment.month, columns: columns))
                // Every segment has runs. An empty column means that the disk returned zeros.
                if segment.columns[strands].isEmpty { return true }
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
            func column(_ index: Int) -> UnsafeRawBufferPointer? {
                segment.columns[index].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
            }
            var columns = SegmentReader.Columns()
            columns.strands = column(0) ?? columns.strands
            columns.ids = column(1)
            columns.clicks = column(2)
            columns.refs = column(3)
            columns.stories = column(4)
            columns.goals = column(5)
            columns.amounts = column(6)
            columns.referers = column(7)
            columns.targets = column(8)
            columns.links = column(9)
            columns.openedClicks = column(10)
            return SegmentReader(columns, month: segment.month, dictionary: dictionary)
        }
    }
}
