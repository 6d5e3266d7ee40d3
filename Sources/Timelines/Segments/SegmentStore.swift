import Postgres
import Time

/// Writes segments, many in one `COPY`.
struct SegmentStore {
    private static let statement = """
        copy timeline_segment (
            app_number, generation, bucket, month, is_lasting, segment, events, format, \(SegmentColumn.list)
        ) from stdin (format binary)
        """
    /// The version of the column format.
    private static let format: Int16 = 1
    /// Days from 1970 to 2000. PostgreSQL counts dates from 2000.
    private static let postgresEpoch = 10_957

    private let app: Int32
    private let generation: Int
    private let data = PostgresCopyData(capacity: 1 << 20)

    init(app: Int32, generation: Int) {
        self.app = app
        self.generation = generation
    }

    /// Encodes events of any buckets and months as segments with one number.
    ///
    /// Sorts positions instead of events, and copies only the events of one row at a time, because an event is large.
    func append(_ events: inout [SegmentEvent], segment: Int, dictionary: TimelineDictionary) {
        Self.forEachSegment(of: &events, dictionary: dictionary) { part, builder in
            append(builder, bucket: part.bucket, spansMonths: part.spansMonths, segment: segment)
        }
    }

    /// Appends the row of one bucket of a segment.
    func append(_ builder: SegmentBuilder, bucket: Int16, spansMonths: Bool, segment: Int) {
        data.beginRow(fields: 8 + SegmentColumn.allCases.count)
        data.append(int32: app)
        data.append(int32: Int32(truncatingIfNeeded: generation))
        data.append(int16: bucket)
        data.append(int32: Int32(truncatingIfNeeded: builder.month / 86_400_000_000 - Int64(Self.postgresEpoch)))
        data.append(bool: spansMonths)
        data.append(int32: Int32(truncatingIfNeeded: segment))
        data.append(int32: Int32(truncatingIfNeeded: builder.eventCount))
        data.append(int16: Self.format)
        for column in builder.columns { data.append(bytes: column) }
    }

    /// Encodes events of any buckets and months, one row at a time.
    static func forEachSegment(
        of events: inout [SegmentEvent],
        dictionary: TimelineDictionary,
        _ body: (Part, SegmentBuilder) -> Void
    ) {
        let parts = events.indices.map { Part(of: events[$0], at: $0) }.sorted { first, second in
            first.isSame(as: second) ? events[first.place] < events[second.place] : first < second
        }
        var start = parts.startIndex
        while start < parts.endIndex {
            let part = parts[start]
            let end = parts[start...].firstIndex { !$0.isSame(as: part) } ?? parts.endIndex
            let builder = SegmentBuilder(
                parts[start..<end].map { events[$0.place] }[...],
                month: part.month,
                dictionary: dictionary
            )
            start = end
            body(part, builder)
        }
        events.removeAll(keepingCapacity: true)
    }

    /// The row that an event belongs to.
    struct Part {
        var month: Int64
        var bucket: Int16
        var spansMonths: Bool
        /// The event's position.
        var place: Int

        init(of event: SegmentEvent, at place: Int) {
            month = event.event.occurredAt.monthStart.microseconds
            bucket = Int16(truncatingIfNeeded: event.bucket)
            spansMonths = event.spansMonths
            self.place = place
        }

        func isSame(as other: Part) -> Bool {
            bucket == other.bucket && month == other.month && spansMonths == other.spansMonths
        }

        static func < (first: Part, second: Part) -> Bool {
            if first.bucket != second.bucket { return first.bucket < second.bucket }
            if first.month != second.month { return first.month < second.month }
            return !first.spansMonths && second.spansMonths
        }
    }

    func write(on connection: isolated PostgresConnection) throws {
        guard !data.isEmpty else { return }
        try connection.copyIn(Self.statement, data)
        data.removeAll()
    }
}
