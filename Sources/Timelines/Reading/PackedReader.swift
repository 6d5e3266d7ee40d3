import Events
import InboundLinks
import Time
package import Postgres
import Storage

/// Reads packed timelines and the delta together, bucket by bucket, on one connection.
///
/// A changed link gives packed events to another person, whose own events may be in any bucket. The reader sets all
/// events of such people aside (``Reassigned``) and hands them out after all buckets.
package struct PackedReader {
    /// The events of people who receive events of others through a changed link.
    package struct Reassigned {
        package private(set) var dictionary: TimelineDictionary
        fileprivate let plan: SnapshotPlan
        fileprivate let textLimit: Int?
        var events: EncodedEvents

        /// Frees the texts, if another value hands out these people.
        package mutating func forgetTexts() { dictionary = TimelineDictionary() }

        /// Hands out the timelines of these people. Call it once, after the last bucket.
        ///
        /// - Parameter others: the events set aside by the readers of the other connections.
        package func forEachPerson(with others: [Reassigned], _ body: (borrowing PersonTimeline) throws -> Void) throws
        {
            // These events already belong to the right person, so no links are needed.
            var reader = PackedReader(
                plan,
                links: ChangedLinks(),
                dictionary: dictionary,
                forgettingTextsBeyond: textLimit
            )
            defer { reader.deallocate() }
            for bucket in 0..<PersonHash.bucketCount {
                try events.append(bucket, to: &reader.batch)
                for other in others { try other.events.append(bucket, to: &reader.batch) }
                try reader.hand(bucket, to: body)
            }
        }
    }

    package let dictionary: TimelineDictionary
    private let plan: SnapshotPlan
    private let links: ChangedLinks
    private let query: SegmentStatement
    private let types: UInt64
    private let through: Timestamp
    /// The dictionary of the plan's refs; nil if it has the same codes.
    private let planDictionary: TimelineDictionary?
    private let textLimit: Int?
    private let needsStoryKeys: Bool
    private var person = PersonTimeline()
    /// The event that was read last, and its story.
    private var event = TimelineEvent.blank
    private var story = EventID(high: 0, low: 0)
    private var batch: SegmentBatch
    private var reassigned: EncodedEvents.Builder

    package init(_ plan: SnapshotPlan) {
        let dictionary = Self.dictionary(of: plan)
        dictionary.textLimit = plan.snapshot.query.textLimit
        dictionary.storyPosts = plan.posts.posts
        dictionary.sharedDevices = plan.sharedDevices
        self.init(plan, links: plan.links, dictionary: dictionary)
    }

    /// A reader for a fold that keeps no codes. Its memory does not grow with the number of texts.
    ///
    /// - Parameter textLimit: in bytes. When the dictionary has more after a bucket, it is emptied.
    init(_ plan: SnapshotPlan, forgettingTextsBeyond textLimit: Int) {
        self.init(
            plan,
            links: plan.links,
            dictionary: TimelineDictionary(properties: plan.snapshot.properties),
            forgettingTextsBeyond: textLimit
        )
    }

    /// A dictionary with the codes of the plan's stories and posts.
    private static func dictionary(of plan: SnapshotPlan) -> TimelineDictionary {
        let dictionary = TimelineDictionary(sharing: plan.snapshot.texts, properties: plan.snapshot.properties)
        dictionary.catchUp()
        return dictionary
    }

    private init(
        _ plan: SnapshotPlan,
        links: ChangedLinks,
        dictionary: TimelineDictionary,
        forgettingTextsBeyond textLimit: Int? = nil
    ) {
        self.plan = plan
        self.links = links
        self.dictionary = dictionary
        self.textLimit = textLimit
        batch = SegmentBatch(textLimit: dictionary.textLimit)
        planDictionary = textLimit == nil ? nil : Self.dictionary(of: plan)
        needsStoryKeys = plan.snapshot.query.needs.contains(.storyKeys)
        query = SegmentStatement(plan)
        reassigned = EncodedEvents.Builder(dictionary: dictionary, sharedBy: plan.readers)
        through = plan.snapshot.query.through
        types = plan.snapshot.query.typeBits
    }

    /// Frees the memory. Call it once, after the last use.
    package func deallocate() {
        batch.deallocate()
    }

    /// Hands out all people. Call it once, if this reader is the only one.
    package mutating func readAll(
        on connection: isolated PostgresConnection,
        _ body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        for buckets in BucketRanges.all { try read(buckets, on: connection, body) }
        try drainReassigned().forEachPerson(with: [], body)
    }

    /// Hands out the people of some buckets.
    package mutating func read(
        _ buckets: ClosedRange<Int>,
        on connection: isolated PostgresConnection,
        _ body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        var next = buckets.lowerBound
        try connection.copyOut(query.statement(buckets).copyOut) { row in
            let bucket = try row.nextInt()
            while next < bucket {
                try deliverPacked(next, to: body)
                next += 1
            }
            try batch.append(&row)
        }
        while next <= buckets.upperBound {
            try deliverPacked(next, to: body)
            next += 1
        }
    }

    /// Hands out the people of a bucket, from its segments, which are all in the batch, and the delta.
    private mutating func deliverPacked(_ bucket: Int, to body: (borrowing PersonTimeline) throws -> Void) throws {
        for delta in plan.deltas { try delta.append(bucket, to: &batch) }
        try hand(bucket, to: body)
    }

    /// The events that were set aside. Call it once, after the last bucket.
    package mutating func drainReassigned() -> Reassigned {
        Reassigned(dictionary: dictionary, plan: plan, textLimit: textLimit, events: reassigned.finish())
    }

    /// Hands out the people of a bucket. The batch has all their events.
    private mutating func hand(_ bucket: Int, to body: (borrowing PersonTimeline) throws -> Void) throws {
        defer { batch.removeAll() }
        var readers = batch.readers(dictionary: dictionary)
        try dictionary.checkTexts()
        for index in readers.indices {
            while !readers[index].isAtEnd, readers[index].head.isAnonymous {
                try handAnonymous(of: &readers[index], to: body)
                readers[index].advance()
            }
        }

        var next = PersonHeap(of: readers)
        while let first = next.first {
            person.begin(isPerson: true)
            let isReassigned = links.hasReceived(first.person)
            while let same = next.first, same.person == first.person {
                readPerson(from: &readers[same.reader], isReassigned: isReassigned)
                next.advanceFirst(to: readers[same.reader].nextPerson)
            }
            if person.events.isEmpty { continue }
            person.finish(dictionary)
            try body(person)
            try person.checkCancellation()
        }
        try dictionary.checkTexts()
        if !readers.allSatisfy(\.isReadWhole) { throw TimelineError.damagedSegment(bucket: bucket) }
        if let textLimit, dictionary.size > textLimit {
            // Its events have codes of the dictionary until they are encoded.
            reassigned.encodeWaiting()
            dictionary.removeAll()
        }
    }

    /// Reads all runs of the person that a segment's reader has reached.
    private mutating func readPerson(from reader: inout SegmentReader, isReassigned: Bool) {
        let person = reader.nextPerson
        repeat {
            readRun(of: &reader, person: person, isReassigned: isReassigned)
            reader.advance()
        } while reader.nextPerson == person
    }

    @inline(__always)
    private mutating func readRun(of reader: inout SegmentReader, person next: PersonHash, isReassigned: Bool) {
        let owner = links.person(of: reader.key) ?? next
        let isElsewhere = isReassigned || owner != next
        for _ in 0..<reader.head.count where read(&reader) {
            if isElsewhere {
                reassigned.append(SegmentEvent(person: owner, key: owner, event: event, story: story))
            } else {
                person.append(event)
            }
        }
    }

    private mutating func handAnonymous(
        of reader: inout SegmentReader,
        to body: (borrowing PersonTimeline) throws -> Void
    ) throws {
        for _ in 0..<reader.head.count where read(&reader) {
            person.begin(isPerson: false)
            person.append(event)
            person.finish(dictionary)
            try body(person)
        }
    }

    /// Reads the next event into `event`, and its story.
    ///
    /// - Returns: whether the report needs it.
    @inline(__always)
    private mutating func read(_ reader: inout SegmentReader) -> Bool {
        guard reader.read(&event, &story, of: types) else { return false }
        if event.occurredAt > through, !event.deferred {
            if case .install = event.type {} else { return false }
        }
        if (story.high | story.low) != 0 {
            if let refs = plan.stories.refs(of: story, at: event.occurredAt) { event.refs = ownCode(ofPlanRefs: refs) }
            event.storyPost =
                needsStoryKeys
                ? dictionary.storyPost(story, at: event.occurredAt) : plan.posts.post(of: story, at: event.occurredAt)
        }
        return true
    }

    /// The code in the reader's dictionary of a list of refs of the plan.
    private func ownCode(ofPlanRefs refs: Code) -> Code {
        guard let planDictionary, !refs.isNone else { return refs }
        return dictionary.refList(of: planDictionary, refs)
    }
}
