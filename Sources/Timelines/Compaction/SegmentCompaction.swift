import Events
import Time
import Postgres
import Storage

/// Merges segments into fewer ones, and applies what has changed since they were written.
///
/// Segments are sorted by person, so all segments of a bucket are read side by side. Only the events of one person at a
/// time are decoded in memory; all others stay encoded.
struct SegmentCompaction {
    /// What has changed since the segments were written.
    struct Changes {
        var links = ChangedLinks()
        var stories = ChangedStories()
        /// The dictionary of the stories' refs.
        var dictionary = TimelineDictionary()
        /// Events to remove.
        var removed: Set<EventID> = []
        /// Events before this time are removed.
        var removedBefore = Timestamp(microseconds: .min)
    }

    let app: Int32
    let generation: Int
    let changes: Changes
    /// The number of the segments that groups are merged into.
    private let number: Int
    /// The last segment number that was used. Reassigned events get the numbers after `number`, a new one each time
    /// some are encoded.
    private(set) var lastNumber: Int
    /// How many reassigned events are encoded together. Decoded events take much memory, and a month may have many such
    /// events.
    private let reassignedAtOnce: Int
    /// Events that belong to another person now, in whatever bucket, and are not encoded yet.
    private var reassigned: [SegmentEvent] = []
    /// The dictionary of `reassigned`.
    private var reassignedDictionary = TimelineDictionary()
    /// How many events were removed.
    private(set) var removedCount = 0

    /// - Parameters:
    ///   - number: the number of the segments to write. If links have changed, no segment may have a greater number
    ///     yet.
    ///   - reassignedAtOnce: about how many reassigned events are encoded together.
    init(
        app: Int32,
        generation: Int,
        into number: Int,
        changes: Changes = Changes(),
        reassignedAtOnce: Int = BucketRanges.eventsAtOnce
    ) {
        self.app = app
        self.generation = generation
        self.number = number
        lastNumber = number
        self.changes = changes
        self.reassignedAtOnce = reassignedAtOnce
    }

    /// Merges the segments of a group into one, in some buckets.
    mutating func compact(
        _ group: SegmentGroup,
        buckets: ClosedRange<Int>,
        on connection: isolated PostgresConnection
    ) throws {
        let segments = "{\(group.segments.map { String($0.number) }.joined(separator: ","))}"
        let statement = BoundStatement(
            SegmentColumn.fill(TimelineSQL.segmentsToCompact),
            [
                "app_number": String(app), "generation": String(generation), "month": group.month,
                "is_lasting": String(group.spansMonths), "segments": segments,
                "first_bucket": String(buckets.lowerBound), "last_bucket": String(buckets.upperBound),
            ]
        )
        let store = SegmentStore(app: app, generation: generation)
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        var current = buckets.lowerBound
        try connection.copyOut(statement.copyOut) { row in
            let bucket = try row.nextInt()
            if bucket != current {
                try put(&batch, of: current, group, into: store)
                current = bucket
            }
            try batch.append(&row)
        }
        try put(&batch, of: current, group, into: store)
        try connection.execute(
            TimelineSQL.deleteSegments,
            [
                .int(Int64(app)), .int(Int64(generation)), .text(group.month), .bool(group.spansMonths),
                .text(segments), .int(Int64(buckets.lowerBound)), .int(Int64(buckets.upperBound)),
            ]
        )
        try store.write(on: connection)
    }

    /// Writes the remaining reassigned events. Call it once, after the last group.
    mutating func writeReassigned(on connection: isolated PostgresConnection) throws {
        guard !reassigned.isEmpty else { return }
        let store = SegmentStore(app: app, generation: generation)
        encodeReassigned(into: store)
        try store.write(on: connection)
    }

    /// Encodes reassigned events under a number of their own, because an earlier segment may hold events of the same
    /// people.
    private mutating func encodeReassigned(into store: SegmentStore) {
        lastNumber += 1
        store.append(&reassigned, segment: lastNumber, dictionary: reassignedDictionary)
        reassignedDictionary = TimelineDictionary()
    }

    /// Encodes the events of a bucket. They are written after all segments are read, because one connection does both.
    private mutating func put(
        _ batch: inout SegmentBatch,
        of bucket: Int,
        _ group: SegmentGroup,
        into store: SegmentStore
    ) throws {
        guard let month = batch.month else { return }
        let dictionary = TimelineDictionary()
        var builder = SegmentBuilder(month: month, dictionary: dictionary)
        var readers = batch.readers(dictionary: dictionary)
        var events: [SegmentEvent] = []
        for index in readers.indices {
            while !readers[index].isAtEnd, readers[index].head.isAnonymous {
                take(runOf: &readers[index], dictionary: dictionary, into: &events)
            }
        }
        Self.encode(&events, into: &builder)
        var next = PersonHeap(of: readers)
        while let first = next.first {
            while let same = next.first, same.person == first.person {
                repeat {
                    take(runOf: &readers[same.reader], dictionary: dictionary, into: &events)
                } while readers[same.reader].nextPerson == first.person
                next.advanceFirst(to: readers[same.reader].nextPerson)
            }
            Self.encode(&events, into: &builder)
            if reassigned.count >= reassignedAtOnce { encodeReassigned(into: store) }
        }
        if !readers.allSatisfy(\.isReadWhole) { throw TimelineError.damagedSegment(bucket: bucket) }
        batch.removeAll()
        guard builder.eventCount > 0 else { return }
        store.append(
            builder,
            bucket: Int16(truncatingIfNeeded: bucket),
            spansMonths: group.spansMonths,
            segment: number
        )
    }

    /// Encodes all events of one person, or anonymous events.
    private static func encode(_ events: inout [SegmentEvent], into builder: inout SegmentBuilder) {
        events.sort { $0 < $1 }
        builder.append(events[...])
        events.removeAll(keepingCapacity: true)
    }

    /// Reads a run, and advances to the next one.
    private mutating func take(
        runOf reader: inout SegmentReader,
        dictionary: TimelineDictionary,
        into events: inout [SegmentEvent]
    ) {
        let person = reader.head.isAnonymous ? nil : reader.person
        let key = person == nil ? PersonHash(high: 0, low: 0) : reader.key
        let newPerson = person == nil ? nil : changes.links.person(of: key).flatMap { $0 == person ? nil : $0 }
        var event = TimelineEvent.blank
        var story = EventID(high: 0, low: 0)
        for _ in 0..<reader.head.count {
            guard reader.read(&event, &story, of: .max) else { continue }
            if event.occurredAt < changes.removedBefore || changes.removed.contains(event.id) {
                removedCount += 1
                continue
            }
            if (story.high | story.low) != 0, let refs = changes.stories.refs(of: story, at: event.occurredAt) {
                event.refs = refs.isNone ? .none : dictionary.refList(of: changes.dictionary, refs)
            }
            if let newPerson {
                let recoded = event.recoded(from: dictionary, to: reassignedDictionary)
                reassigned.append(SegmentEvent(person: newPerson, key: key, event: recoded, story: story))
            } else {
                events.append(SegmentEvent(person: person, key: key, event: event, story: story))
            }
        }
        reader.advance()
    }
}

extension TimelineEvent {
    /// The same event with the codes of another dictionary.
    func recoded(from dictionary: TimelineDictionary, to other: TimelineDictionary) -> TimelineEvent {
        var event = self
        for text in TimelineText.allCases where !self[text].isNone {
            event[text] = dictionary[text].withBytes(of: self[text]) { other.code(of: $0, as: text) }
        }
        return event
    }
}

extension TimelineDictionary {
    /// The code in this dictionary of a list in another one. `list` must be a code of a list.
    func refList(of other: TimelineDictionary, _ list: Code) -> Code {
        other[.refs].withBytes(of: list) { refList(elements: $0) }
    }
}
