import Events
import InboundLinks
import Postgres
import Storage

/// Reads segments and writes their events anew, in fewer segments, with what has changed since they were written.
struct SegmentRewrite {
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
    /// Events that belong to a person of another bucket now.
    private(set) var moved: [PackedEvent] = []
    /// What the codes of `moved` are of.
    let movedDictionary = TimelineDictionary()
    /// How many events were removed.
    private(set) var removedCount = 0

    init(app: Int32, generation: Int, changes: Changes = Changes()) {
        self.app = app
        self.generation = generation
        self.changes = changes
    }

    /// Puts the segments of a group into one, within some buckets.
    mutating func rewrite(
        _ group: SegmentGroup,
        buckets: ClosedRange<Int>,
        into number: Int,
        on connection: isolated PostgresConnection
    ) throws {
        let segments = "{\(group.segments.map { String($0.number) }.joined(separator: ","))}"
        let statement = BoundStatement(
            StoredSQL.segmentsToRewrite,
            [
                "app_number": String(app), "generation": String(generation), "month": group.month,
                "is_lasting": String(group.isLasting), "segments": segments,
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
                try put(&batch, of: current, into: number, store)
                current = bucket
            }
            try batch.append(&row)
        }
        try put(&batch, of: current, into: number, store)
        try connection.execute(
            StoredSQL.deleteSegments,
            [
                .int(Int64(app)), .int(Int64(generation)), .text(group.month), .bool(group.isLasting),
                .text(segments), .int(Int64(buckets.lowerBound)), .int(Int64(buckets.upperBound)),
            ]
        )
        try store.write(on: connection)
    }

    /// Writes what belongs to other buckets now.
    mutating func writeMoved(into number: Int, on connection: isolated PostgresConnection) throws {
        let store = SegmentStore(app: app, generation: generation)
        store.append(&moved, segment: number, dictionary: movedDictionary)
        try store.write(on: connection)
    }

    private mutating func put(
        _ batch: inout SegmentBatch,
        of bucket: Int,
        into number: Int,
        _ store: SegmentStore
    ) throws {
        guard !batch.isEmpty else { return }
        let dictionary = TimelineDictionary()
        var events: [PackedEvent] = []
        for var reader in batch.readers(dictionary: dictionary) {
            while !reader.isAtEnd {
                for _ in 0..<reader.head.count {
                    take(from: &reader, bucket: bucket, dictionary: dictionary, into: &events)
                }
                reader.advance()
            }
            if reader.isBroken { throw TimelineError.damagedSegment(bucket: bucket) }
        }
        batch.removeAll()
        store.append(&events, segment: number, dictionary: dictionary)
    }

    private mutating func take(
        from reader: inout SegmentReader,
        bucket: Int,
        dictionary: TimelineDictionary,
        into events: inout [PackedEvent]
    ) {
        let isNobodys = reader.head.isNobodys
        let key = isNobodys ? PersonHash(high: 0, low: 0) : reader.key
        var packed = PackedEvent(
            person: isNobodys ? nil : changes.links.person(of: key) ?? reader.person,
            key: key,
            event: TimelineEvent(occurredAt: Timestamp(microseconds: 0), id: EventID(high: 0, low: 0), type: .install)
        )
        guard let event = reader.event(&packed.story, of: .max) else { return }
        packed.event = event
        if packed.event.occurredAt < changes.removedBefore || changes.removed.contains(packed.event.id) {
            removedCount += 1
            return
        }
        if packed.hasStory, let refs = changes.stories.refs(of: packed.story, at: packed.event.occurredAt) {
            packed.event.refs = refs.isNone ? .none : dictionary.refList(of: changes.dictionary, refs)
        }
        if packed.bucket == bucket {
            events.append(packed)
        } else {
            packed.event = packed.event.recoded(from: dictionary, to: movedDictionary)
            moved.append(packed)
        }
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
