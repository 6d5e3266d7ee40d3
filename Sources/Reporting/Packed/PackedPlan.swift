import Events
import InboundLinks
import Postgres
import Storage

/// What a reader of packed timelines knows before it reads them: how far they go, what has changed since they were packed,
/// and the events since. All of one snapshot; several readers on several connections share it.
struct PackedPlan: Sendable {
    /// What the rest is read by.
    struct Base: Sendable {
        let app: App
        let state: PackedState
        let demand: TimelineDemand
        /// What the codes of events are of.
        let texts: SharedTexts
    }

    /// What is read by itself, on whichever connection is free.
    enum Piece: Sendable {
        case tail(TailScan.Part)
        case links
        case stories
        case posts
    }

    /// What a piece was found to be.
    enum Found: Sendable {
        /// By bucket, in no order.
        case tail([[PackedEvent]])
        /// By bucket.
        case encodedTail([[EncodedSegment]])
        case links(ChangedLinks)
        case stories(ChangedStories)
        case posts(StoryPosts)
    }

    let base: Base
    private(set) var links = ChangedLinks()
    private(set) var stories = ChangedStories()
    private(set) var posts = StoryPosts()
    private var tails: [[[PackedEvent]]] = []
    private var encodedTail: [[EncodedSegment]] = []

    /// - Parameter found: what all pieces are, in any order.
    init(_ base: Base, _ found: [Found]) {
        self.base = base
        for piece in found { add(piece) }
    }

    private mutating func add(_ piece: Found) {
        switch piece {
        case .tail(let tail): tails.append(tail)
        case .encodedTail(let tail): encodedTail = tail
        case .links(let links): self.links = links
        case .stories(let stories): self.stories = stories
        case .posts(let posts): self.posts = posts
        }
    }

    /// Reads all of it, inside the transaction at hand.
    ///
    /// - Parameter inLittleMemory: for a fold that must take little memory rather than little time. The tail is kept encoded, and
    ///   of changed links only those that have moved something.
    /// - Returns: nil as `Base.read` does.
    static func read(
        _ demand: TimelineDemand,
        app: App,
        texts: SharedTexts,
        inLittleMemory: Bool = false,
        on connection: isolated PostgresConnection
    ) throws -> PackedPlan? {
        guard let base = try Base.read(demand, app: app, texts: texts, on: connection) else { return nil }
        try ScanPlanning.byLookup.apply(on: connection)
        var plan = PackedPlan(base, [])
        // The tail last: until they are narrowed, links take most.
        for piece in base.pieces(for: 1).reversed() {
            switch piece {
            case .tail where inLittleMemory: plan.add(try base.readEncodedTail(on: connection))
            case .tail, .links, .stories, .posts: plan.add(try base.read(piece, on: connection))
            }
            if inLittleMemory, case .links = piece { try plan.narrowLinks(on: connection) }
        }
        return plan
    }

    /// Forgets the changed links that have moved nothing, since they came together with their keys' events: all of these lie
    /// under their person already. Reads the strands of all segments.
    private mutating func narrowLinks(on connection: isolated PostgresConnection) throws {
        guard !links.isEmpty else { return }
        let dictionary = TimelineDictionary(sharing: base.texts)
        var moved: Set<PersonHash> = []
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        let query = SegmentQuery(self, columns: [])
        for buckets in TimelinePacker.allBuckets {
            try connection.copyOut(query.statement(buckets).copyOut) { row in
                let bucket = try row.nextInt()
                batch.removeAll()
                try batch.append(&row)
                for var reader in batch.readers(dictionary: dictionary) {
                    while !reader.isAtEnd {
                        if !reader.head.isNobodys, let owner = links.person(of: reader.key), owner != reader.person {
                            moved.insert(reader.key)
                        }
                        reader.skipStrand()
                    }
                    if reader.isBroken { throw TimelineError.damagedSegment(bucket: bucket) }
                }
            }
        }
        links.narrow(to: moved)
    }

    /// The events of a bucket that are not packed, in no order.
    func tail(_ bucket: Int) -> [PackedEvent] {
        var events = tails.flatMap { $0[bucket] }
        for position in events.indices where events[position].hasStory {
            events[position].event.storyPost = posts.post(
                of: events[position].story,
                at: events[position].event.occurredAt
            )
        }
        return events
    }

    /// The same where the tail is kept encoded.
    func encodedTail(_ bucket: Int) -> [EncodedSegment] { encodedTail.isEmpty ? [] : encodedTail[bucket] }

    static func links(
        app: App,
        state: PackedState,
        on connection: isolated PostgresConnection
    ) throws -> ChangedLinks {
        var changes: [ChangedLinks.Change] = []
        let statement = BoundStatement(
            StoredSQL.changedLinks,
            ["app_number": String(app.number), "linked_from": String(state.linkedThrough)]
        )
        try connection.copyOut(statement.copyOut) { row in
            guard let key = try PersonHash(reading: &row, state.hash),
                let person = try PersonHash(reading: &row, state.hash)
            else { return }
            changes.append((key, person))
        }
        return ChangedLinks(consume changes)
    }

    static func stories(
        app: App,
        state: PackedState,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection
    ) throws -> ChangedStories {
        let rows = try connection.query(
            StoredSQL.changedStories,
            [
                .int(Int64(app.number)), .int(state.packedThrough),
                .timestamp(microseconds: state.lastStoryTouch.microseconds), .bool(state.hasPostIDs),
            ]
        )
        var stories = ChangedStories()
        for row in rows {
            let word = try row.uuid(0)
            let story = EventID(high: word.high, low: word.low)
            stories.add(story: story)
            guard let id = try row.optionalUUID(2) else { continue }
            let post = ChangedStories.Post(
                time: Timestamp(microseconds: try row.timestamp(1)),
                id: EventID(high: id.high, low: id.low),
                refs: dictionary.refList(try row.optionalTextArray(3) ?? [])
            )
            stories.add(post, to: story)
        }
        return stories
    }
}

extension PackedPlan.Base {
    /// Reads it inside the transaction at hand.
    ///
    /// - Parameter texts: what the codes of its events are of.
    /// - Returns: nil where nothing is packed.
    static func read(
        _ demand: TimelineDemand,
        app: App,
        texts: SharedTexts,
        on connection: isolated PostgresConnection
    ) throws -> Self? {
        guard let state = try PackedState.read(app: app.number, on: connection), !state.isEmpty else { return nil }
        return Self(app: app, state: state, demand: demand, texts: texts)
    }

    /// All pieces, the longest first.
    ///
    /// - Parameter readers: how many connections may share them, a power of 2.
    func pieces(for readers: Int) -> [PackedPlan.Piece] {
        (demand.needsStoryPosts ? [.posts] : [])
            + (0..<readers).map { .tail(TailScan.Part(index: $0, count: readers)) } + [.links]
            + (demand.needsRefs ? [.stories] : [])
    }

    /// All of the tail, encoded as segments, of so many events as are packed together.
    fileprivate func readEncodedTail(on connection: isolated PostgresConnection) throws -> PackedPlan.Found {
        var tail = [[EncodedSegment]](repeating: [], count: PersonHash.bucketCount)
        var events: [PackedEvent] = []
        let dictionary = TimelineDictionary(sharing: texts)
        func encode() {
            SegmentStore.forEachSegment(of: &events, dictionary: dictionary) { part, builder in
                tail[Int(part.bucket)].append(EncodedSegment(month: part.month, columns: builder.columns))
            }
        }
        let scan = TailScan(demand, app: app, from: state.packedThrough, hash: state.hash)
        try scan.forEachEvent(dictionary: dictionary, on: connection) { event, _ in
            events.append(event)
            if events.count == TimelinePacker.defaultEventsAtOnce { encode() }
        }
        encode()
        return .encodedTail(tail)
    }

    func read(_ piece: PackedPlan.Piece, on connection: isolated PostgresConnection) throws -> PackedPlan.Found {
        switch piece {
        case .tail(let part):
            var tail = [[PackedEvent]](repeating: [], count: PersonHash.bucketCount)
            let scan = TailScan(demand, app: app, from: state.packedThrough, part: part, hash: state.hash)
            try scan.forEachEvent(dictionary: TimelineDictionary(sharing: texts), on: connection) { event, _ in
                tail[event.bucket].append(event)
            }
            return .tail(tail)
        case .links:
            return .links(try PackedPlan.links(app: app, state: state, on: connection))
        case .stories:
            let dictionary = TimelineDictionary(sharing: texts)
            return .stories(try PackedPlan.stories(app: app, state: state, dictionary: dictionary, on: connection))
        case .posts:
            return .posts(try StoryPosts(app: app.number, state: state, on: connection))
        }
    }
}
