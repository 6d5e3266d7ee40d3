import Events
import InboundLinks
import Time
import Time
import Postgres
import Storage

/// Reads packed timelines and the tail together, bucket by bucket, on one connection.
///
/// People of whom events are packed under another person, because a link has changed since, are kept back: their events
/// may lie in any bucket. Whoever has read all buckets hands them out in the end.
struct PackedReader {
    let dictionary: TimelineDictionary
    private let plan: PackedPlan
    private let links: ChangedLinks
    private let query: SegmentQuery
    private let types: UInt64
    private let through: Timestamp
    private var person = PersonTimeline()
    private var batch = SegmentBatch()
    private var keptBack: EncodedEvents.Builder

    init(_ plan: PackedPlan) {
        let dictionary = TimelineDictionary(sharing: plan.base.texts)
        // The plan's stories and posts have codes already.
        dictionary.catchUp()
        dictionary.storyPosts = plan.posts.posts
        self.init(plan, links: plan.links, dictionary: dictionary)
    }

    private init(_ plan: PackedPlan, links: ChangedLinks, dictionary: TimelineDictionary) {
        self.plan = plan
        self.links = links
        self.dictionary = dictionary
        query = SegmentQuery(plan)
        keptBack = EncodedEvents.Builder(dictionary: dictionary)
        through = plan.base.demand.through
        types = plan.base.demand.types.reduce(0) { $0 | 1 << UInt64($1.position) }
    }

    /// To be called once, after the last use.
    func deallocate() {
        batch.deallocate()
    }

    /// Hands out everybody. To be called once, by whoever reads alone.
    mutating func readAll(
        on connection: isolated PostgresConnection,
        _ body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        for buckets in TimelinePacker.allBuckets { try read(buckets, on: connection, body) }
        try Self.hand([takeKeptBack()], of: plan, dictionary: dictionary, to: body)
    }

    /// Hands out the people of some buckets.
    mutating func read(
        _ buckets: ClosedRange<Int>,
        on connection: isolated PostgresConnection,
        _ body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        var next = buckets.lowerBound
        try connection.copyOut(query.statement(buckets).copyOut) { row in
            let bucket = try row.nextInt()
            while next < bucket {
                try handPacked(next, to: body)
                next += 1
            }
            try batch.append(&row)
        }
        while next <= buckets.upperBound {
            try handPacked(next, to: body)
            next += 1
        }
    }

    /// Hands out the people of a bucket, of which all segments are at hand, with the tail.
    private mutating func handPacked(_ bucket: Int, to body: (borrowing PersonTimeline) throws -> Void) throws {
        for tail in plan.tails { try tail.append(bucket, to: &batch) }
        try hand(bucket, to: body)
    }

    /// The events of people who were kept back. To be called once, after the last bucket.
    mutating func takeKeptBack() -> EncodedEvents { keptBack.finish() }

    /// Hands out those kept back by readers that have read all buckets together.
    ///
    /// - Parameter dictionary: one of these readers'.
    static func hand(
        _ keptBack: [EncodedEvents],
        of plan: PackedPlan,
        dictionary: TimelineDictionary,
        to body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        // All that links had to move has been moved.
        var reader = PackedReader(plan, links: ChangedLinks(), dictionary: dictionary)
        defer { reader.deallocate() }
        for bucket in 0..<PersonHash.bucketCount {
            for events in keptBack { try events.append(bucket, to: &reader.batch) }
            try reader.hand(bucket, to: body)
        }
    }

    /// Hands out the people of a bucket, of which all events are at hand.
    private mutating func hand(_ bucket: Int, to body: (borrowing PersonTimeline) throws -> Void) throws {
        defer { batch.removeAll() }
        var readers = batch.readers(dictionary: dictionary)
        for index in readers.indices {
            while !readers[index].isAtEnd, readers[index].head.isNobodys {
                try handNobodys(of: &readers[index], to: body)
                readers[index].advance()
            }
        }

        var next = NextPeople(of: readers)
        while let first = next.first {
            person.begin(isPerson: true)
            let isKeptBack = links.hasReceived(first.person)
            while let same = next.first, same.person == first.person {
                readPerson(from: &readers[same.reader], first.person, isKeptBack: isKeptBack)
                next.advanceFirst(to: readers[same.reader].nextPerson)
            }
            if person.events.isEmpty { continue }
            person.finish()
            try body(person)
        }
        if !readers.allSatisfy(\.isReadWhole) { throw TimelineError.damagedSegment(bucket: bucket) }
    }

    /// Reads all strands of the person that a segment has come to.
    private mutating func readPerson(from reader: inout SegmentReader, _ next: PersonHash, isKeptBack: Bool) {
        repeat {
            readStrand(of: &reader, person: next, isKeptBack: isKeptBack)
            reader.advance()
        } while reader.nextPerson == next
    }

    @inline(__always)
    private mutating func readStrand(of reader: inout SegmentReader, person next: PersonHash, isKeptBack: Bool) {
        let owner = links.person(of: reader.key) ?? next
        let isElsewhere = isKeptBack || owner != next
        for _ in 0..<reader.head.count {
            var story = EventID(high: 0, low: 0)
            guard let event = read(&reader, &story) else { continue }
            if isElsewhere {
                keptBack.append(PackedEvent(person: owner, key: owner, event: event, story: story))
            } else {
                person.append(event)
            }
        }
    }

    private mutating func handNobodys(
        of reader: inout SegmentReader,
        to body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        for _ in 0..<reader.head.count {
            var story = EventID(high: 0, low: 0)
            guard let event = read(&reader, &story) else { continue }
            person.begin(isPerson: false)
            person.append(event)
            person.finish()
            try body(person)
        }
    }

    /// The next event, nil where the report has no use for it.
    ///
    /// - Parameter story: 0; is given the event's.
    @inline(__always)
    private func read(_ reader: inout SegmentReader, _ story: inout EventID) -> TimelineEvent? {
        guard var event = reader.event(&story, of: types) else { return nil }
        if event.occurredAt > through, !event.deferred {
            if case .install = event.type {} else { return nil }
        }
        if (story.high | story.low) != 0 {
            if let refs = plan.stories.refs(of: story, at: event.occurredAt) { event.refs = refs }
            event.storyPost = plan.posts.post(of: story, at: event.occurredAt)
        }
        return event
    }
}
