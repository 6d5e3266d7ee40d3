import Events
import InboundLinks
import Postgres
import Storage

/// Reads packed timelines and the tail together, bucket by bucket, on one connection.
///
/// People of whom events are packed under another person, because a link has changed since, are kept back: their events
/// may lie in any bucket. Whoever has read all buckets hands them out in the end.
struct PackedReader {
    let dictionary: TimelineDictionary
    private let plan: PackedPlan
    private let query: SegmentQuery
    private let types: UInt64
    private let through: Timestamp
    private var person = PersonTimeline()
    private var batch = SegmentBatch()
    private(set) var keptBack: [PersonHash: [TimelineEvent]] = [:]

    init(_ plan: PackedPlan) {
        self.plan = plan
        query = SegmentQuery(plan)
        dictionary = TimelineDictionary(sharing: plan.base.texts)
        // The plan's events and posts have codes already.
        dictionary.catchUp()
        dictionary.storyPosts = plan.posts.posts
        through = plan.base.demand.through
        types = plan.base.demand.types.reduce(0) { $0 | 1 << UInt64($1.position) }
    }

    /// To be called once, after the last use.
    func deallocate() {
        batch.deallocate()
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
                try hand(next, to: body)
                next += 1
            }
            try batch.append(&row)
        }
        while next <= buckets.upperBound {
            try hand(next, to: body)
            next += 1
        }
    }

    /// Hands out the people of a bucket, of which all segments are at hand.
    private mutating func hand(_ bucket: Int, to body: (borrowing PersonTimeline) throws -> Void) throws {
        defer { batch.removeAll() }
        for segment in plan.encodedTail(bucket) { batch.append(segment) }
        var readers = batch.readers(dictionary: dictionary)
        var tail = plan.tail(bucket)
        tail.sort { $0 < $1 }
        var tailPosition = 0

        for index in readers.indices {
            while !readers[index].isAtEnd, readers[index].head.isNobodys {
                try handNobodys(of: &readers[index], to: body)
                readers[index].advance()
            }
        }
        while tailPosition < tail.count, tail[tailPosition].person == nil {
            person.begin(isPerson: false)
            person.append(tail[tailPosition].event)
            person.finish()
            try body(person)
            tailPosition += 1
        }

        // Whom each segment comes to next.
        var heads = readers.map { $0.isAtEnd ? .end : $0.person }
        while true {
            var next = tailPosition < tail.count ? tail[tailPosition].person ?? .end : .end
            for head in heads where head < next { next = head }
            if next == .end { break }

            person.begin(isPerson: true)
            for index in heads.indices where heads[index] == next {
                heads[index] = readPerson(from: &readers[index], next)
            }
            while tailPosition < tail.count, tail[tailPosition].person == next {
                person.append(tail[tailPosition].event)
                tailPosition += 1
            }
            if person.events.isEmpty { continue }
            if plan.links.hasReceived(next) {
                keptBack[next, default: []].append(contentsOf: person.events)
            } else {
                person.finish()
                try body(person)
            }
        }
        if readers.contains(where: \.isBroken) { throw TimelineError.damagedSegment(bucket: bucket) }
    }

    /// Reads all strands of the person that a segment has come to.
    ///
    /// - Returns: the next person.
    private mutating func readPerson(from reader: inout SegmentReader, _ next: PersonHash) -> PersonHash {
        repeat {
            readStrand(of: &reader, person: next)
            reader.advance()
            if reader.isAtEnd { return .end }
        } while reader.person == next
        return reader.person
    }

    @inline(__always)
    private mutating func readStrand(of reader: inout SegmentReader, person next: PersonHash) {
        let owner = plan.links.person(of: reader.key)
        for _ in 0..<reader.head.count {
            guard let event = read(&reader) else { continue }
            if let owner, owner != next {
                keptBack[owner, default: []].append(event)
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
            guard let event = read(&reader) else { continue }
            person.begin(isPerson: false)
            person.append(event)
            person.finish()
            try body(person)
        }
    }

    /// The next event, nil where the report has no use for it.
    @inline(__always)
    private func read(_ reader: inout SegmentReader) -> TimelineEvent? {
        var story = EventID(high: 0, low: 0)
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

    /// Hands out those kept back by readers that have read all buckets together.
    static func hand(
        _ keptBack: [PersonHash: [TimelineEvent]],
        to body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        var person = PersonTimeline()
        for events in keptBack.values {
            person.begin(isPerson: true)
            for event in events { person.append(event) }
            person.finish()
            try body(person)
        }
    }
}
