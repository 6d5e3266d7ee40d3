import InboundLinks
import Postgres

/// Writes segments, many at once by COPY.
struct SegmentStore {
    private static let statement = """
        copy timeline_segment (
            app_number, generation, bucket, month, is_lasting, segment, events,
            strands, ids, refs, stories, clicks, goals, amounts, referers, targets
        ) from stdin (format binary)
        """
    private static let fieldCount: Int = 16
    /// Days from 1970 to 2000, from where PostgreSQL counts dates.
    private static let postgresEpoch = 10_957

    private let app: Int32
    private let generation: Int
    private let data = PostgresCopyData(capacity: 1 << 20)

    init(app: Int32, generation: Int) {
        self.app = app
        self.generation = generation
    }

    /// Bytes that wait to be written.
    var byteCount: Int { data.byteCount }

    /// Encodes events of any buckets and months as segments of one number.
    func append(_ events: inout [PackedEvent], segment: Int, dictionary: TimelineDictionary) {
        struct Part: Hashable {
            var bucket: Int
            var month: Int64
            var isLasting: Bool
        }
        var parts: [Part: [PackedEvent]] = [:]
        for event in events {
            let part = Part(
                bucket: event.bucket,
                month: event.event.occurredAt.monthStart.microseconds,
                isLasting: event.isLasting
            )
            parts[part, default: []].append(event)
        }
        events.removeAll(keepingCapacity: true)
        for (part, unsorted) in parts {
            let builder = SegmentBuilder(
                unsorted.sorted { $0 < $1 }[...],
                month: part.month,
                dictionary: dictionary
            )
            data.beginRow(fields: Self.fieldCount)
            data.append(int32: app)
            data.append(int32: Int32(truncatingIfNeeded: generation))
            data.append(int16: Int16(part.bucket))
            data.append(int32: Int32(truncatingIfNeeded: part.month / 86_400_000_000 - Int64(Self.postgresEpoch)))
            data.append(bool: part.isLasting)
            data.append(int32: Int32(truncatingIfNeeded: segment))
            data.append(int32: Int32(truncatingIfNeeded: builder.eventCount))
            for column in builder.columns { data.append(bytes: column) }
        }
    }

    func write(on connection: isolated PostgresConnection) throws {
        guard !data.isEmpty else { return }
        try connection.copyIn(Self.statement, data)
        data.removeAll()
    }
}
