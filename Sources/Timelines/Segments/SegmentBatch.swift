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
    /// Of the dictionary that gets the texts.
    private let textLimit: Int
    /// The bytes of the columns of texts.
    private var textSize = 0
    private var segments: [Segment] = []

    init(textLimit: Int = .max) {
        self.textLimit = textLimit
    }

    /// The month of the first segment, nil if the batch is empty.
    var month: Int64? { segments.first?.month }

    mutating func removeAll() {
        count = 0
        textSize = 0
        segments.removeAll(keepingCapacity: true)
    }

    func deallocate() {
        bytes.deallocate()
    }

    /// Appends a row whose bucket has been read.
    ///
    /// - Throws: also `TimelineError.tooManyTexts`.
    mutating func append(_ row: inout PostgresCopyRow) throws {
        let month = try row.nextInt64()
        let columns = try SegmentColumn.allCases.map { try copy(row.nextUnsafeBytes(), as: $0) }
        segments.append(Segment(month: month, columns: columns))
    }

    /// Appends segments that are not from the database, encoded as `EncodedSegment` reads them.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile` if they are damaged: only a temporary file can damage them;
    ///   `TimelineError.tooManyTexts`.
    mutating func append(encoded bytes: [UInt8]) throws {
        let isBroken = try bytes.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd, !cursor.isBroken {
                let segment = EncodedSegment(reading: &cursor)
                var columns: [Range<Int>?] = []
                for column in SegmentColumn.allCases { columns.append(try copy(segment.columns[column], as: column)) }
                segments.append(Segment(month: segment.month, columns: columns))
                // Every segment has runs. An empty column means that the disk returned zeros.
                if segment.columns[.strands].isEmpty { return true }
            }
            return cursor.isBroken
        }
        if isBroken { throw TimelineError.lostTemporaryFile("it is damaged") }
    }

    /// A column of texts of one byte has more than the limit (`SegmentColumn.fill`).
    private mutating func copy(
        _ bytes: UnsafeRawBufferPointer?,
        as column: SegmentColumn
    ) throws(TimelineError) -> Range<Int>? {
        guard let bytes else { return nil }
        if let text = column.text {
            textSize += bytes.count
            // Segments of several months may have the same texts.
            if textSize / 2 > textLimit || bytes.count == 1 { throw .tooManyTexts(text) }
        }
        return copy(bytes)
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
