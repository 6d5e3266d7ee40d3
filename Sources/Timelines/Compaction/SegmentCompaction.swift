import Events
import Time
import Postgres
import Storage

/// Reads segments and writes their events anew, in fewer segments, with what has changed since they were written.
///
/// Segments are in the order of people: those of a bucket are gone through side by side, so that the events of one person at a
/// time are in memory as such, and all others encoded.
struct SegmentCompaction {
    /// What has changed since segments were written.
    struct Changes {
        var links = ChangedLinks()
        var stories = ChangedStories()
        /// What the codes of the stories' refs are of.
        var dictionary = TimelineDictionary()
        /// Events that go.
        var removed: Set<EventID> = []
        /// Events before it go.
        var removedBefore = Timestamp(microseconds: .min)
    }

    let app: Int32
    let generation: Int
    let changes: Changes
    /// The number of the segments that groups are put into.
    private let number: Int
    /// The last number that was given to segments. What has moved gets those after `number`, one for each time that it is encoded.
    private(set) var lastNumber: Int
    /// As such, events take much memory, and as many may have moved as a month has.
    private let movedAtOnce: Int
    /// Events that belong to another person now, who may be anywhere; those that are not encoded yet.
    private var moved: [SegmentEvent] = []
    /// What the codes of `moved` are of.
    private var movedDictionary = TimelineDictionary()
    /// How many events were removed.
    private(set) var removedCount = 0

    /// - Parameters:
    ///   - number: of the segments to be written. With changed links no segment has a greater one yet.
    ///   - movedAtOnce: so many events that have moved are encoded together, about.
    init(
        app: Int32,
        generation: Int,
        into number: Int,
        changes: Changes = Changes(),
        movedAtOnce: Int = TimelinePacker.defaultEventsAtOnce
    ) {
        self.app = app
        self.generation = generation
        self.number = number
        lastNumber = number
        self.changes = changes
        self.movedAtOnce = movedAtOnce
    }

    /// Puts the segments of a group into one, within some buckets.
    mutating func rewrite(
        _ group: SegmentGroup,
        buckets: ClosedRange<Int>,
        on connection: isolated PostgresConnection
    ) throws {
        let segments = "{\(group.segments.map { String($0.number) }.joined(separator: ","))}"
        let statement = BoundStatement(
            StoredSQL.segmentsToCompact,
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
            StoredSQL.deleteSegments,
            [
                .int(Int64(app)), .int(Int64(generation)), .text(group.month), .bool(group.spansMonths),
                .text(segments), .int(Int64(buckets.lowerBound)), .int(Int64(buckets.upperBound)),
            ]
        )
        try store.write(on: connection)
    }

    /// Writes the rest of what belongs to other people now. To be called once, after the last group.
    mutating func writeMoved(on connection: isolated PostgresConnection) throws {
        guard !moved.isEmpty else { return }
        let store = SegmentStore(app: app, generation: generation)
        encodeMoved(into: store)
        try store.write(on: connection)
    }

    /// Encodes what has moved, under a number of its own: the same people may have got events before.
    private mutating func encodeMoved(into store: SegmentStore) {
        lastNumber += 1
        store.append(&moved, segment: lastNumber, dictionary: movedDictionary)
        movedDictionary = TimelineDictionary()
    }

    /// Encodes what a bucket has, to be written once all segments are read: one connection does both.
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
                take(strandOf: &readers[index], dictionary: dictionary, into: &events)
            }
        }
        Self.encode(&events, into: &builder)
        var next = PersonHeap(of: readers)
        while let first = next.first {
            while let same = next.first, same.person == first.person {
                repeat {
                    take(strandOf: &readers[same.reader], dictionary: dictionary, into: &events)
                } while readers[same.reader].nextPerson == first.person
                next.advanceFirst(to: readers[same.reader].nextPerson)
            }
            Self.encode(&events, into: &builder)
            if moved.count >= movedAtOnce { encodeMoved(into: store) }
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

    /// Encodes all events of a person, or of nobody.
    private static func encode(_ events: inout [SegmentEvent], into builder: inout SegmentBuilder) {
        events.sort { $0 < $1 }
        builder.append(events[...])
        events.removeAll(keepingCapacity: true)
    }

    /// Reads a strand, and goes to the next one.
    private mutating func take(
        strandOf reader: inout SegmentReader,
        dictionary: TimelineDictionary,
        into events: inout [SegmentEvent]
    ) {
        let person = reader.head.isAnonymous ? nil : reader.person
        let key = person == nil ? PersonHash(high: 0, low: 0) : reader.key
        let newPerson = person == nil ? nil : changes.links.person(of: key).flatMap { $0 == person ? nil : $0 }
        for _ in 0..<reader.head.count {
            var story = EventID(high: 0, low: 0)
            guard var event = reader.event(&story, of: .max) else { continue }
            if event.occurredAt < changes.removedBefore || changes.removed.contains(event.id) {
                removedCount += 1
                continue
            }
            if (story.high | story.low) != 0, let refs = changes.stories.refs(of: story, at: event.occurredAt) {
                event.refs = refs.isNone ? .none : dictionary.refList(of: changes.dictionary, refs)
            }
            if let newPerson {
                let recoded = event.recoded(from: dictionary, to: movedDictionary)
                moved.append(SegmentEvent(person: newPerson, key: key, event: recoded, story: story))
            } else {
                events.append(SegmentEvent(person: person, key: key, event: event, story: story))
            }
        }
        reader.advance()
    }
}

extension TimelineEvent {
    /// The same with the codes of another dictionary.
    func recoded(from dictionary: TimelineDictionary, to other: TimelineDictionary) -> TimelineEvent {
        var event = self
        if !refs.isNone { event.refs = other.refList(of: dictionary, refs) }
        if !referer.isNone { event.referer = dictionary.referers.withBytes(of: referer) { other.referer($0) } }
        if !target.isNone { event.target = dictionary.targets.withBytes(of: target) { other.target($0) } }
        if !goal.isNone { event.goal = dictionary.goals.withBytes(of: goal) { other.goal($0) } }
        if !currency.isNone { event.currency = dictionary.currencies.withBytes(of: currency) { other.currency($0) } }
        return event
    }
}

extension TimelineDictionary {
    /// The code here of another dictionary's list. Only for codes of lists.
    func refList(of other: TimelineDictionary, _ list: Code) -> Code {
        other.elements(ofRefList: list).withUnsafeBytes { refList(elements: $0) }
    }
}
