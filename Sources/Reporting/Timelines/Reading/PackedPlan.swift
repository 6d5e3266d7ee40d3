import Events
import InboundLinks
import Time
import Time
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
        case tail(EncodedEvents)
        case links(ChangedLinks)
        case stories(ChangedStories)
        case posts(StoryPosts)
    }

    let base: Base
    private(set) var links = ChangedLinks()
    private(set) var stories = ChangedStories()
    private(set) var posts = StoryPosts()
    /// What is not packed, in parts.
    private(set) var tails: [EncodedEvents] = []

    /// - Parameter found: what all pieces are, in any order.
    init(_ base: Base, _ found: [Found]) {
        self.base = base
        for piece in found { add(piece) }
    }

    private mutating func add(_ piece: Found) {
        switch piece {
        case .tail(let tail): tails.append(tail)
        case .links(let links): self.links = links
        case .stories(let stories): self.stories = stories
        case .posts(let posts): self.posts = posts
        }
    }

    /// Reads all of it, inside the transaction at hand.
    ///
    /// - Parameter inLittleMemory: for a fold that must take little memory rather than little time: of changed links only those
    ///   that have moved something are kept.
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
        // The tail last: until those that have moved something are found, links take most.
        for piece in base.pieces(for: 1).reversed() {
            if inLittleMemory, case .links = piece {
                plan.links = try plan.movedLinks(on: connection)
            } else {
                plan.add(try base.read(piece, on: connection))
            }
        }
        return plan
    }

    /// The changed links but for those that have moved nothing, since they came together with their keys' events: all of these
    /// lie under their person already. Reads the links twice, and the strands of all segments.
    private func movedLinks(on connection: isolated PostgresConnection) throws -> ChangedLinks {
        var halves: [LinkOwners.Owner] = []
        try Self.forEachLink(app: base.app, state: base.state, on: connection) { key, person in
            halves.append((key.low, person.low))
        }
        guard !halves.isEmpty else { return ChangedLinks() }
        let owners = LinkOwners(consume halves)
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
                        if !reader.head.isNobodys, owners.haveMoved(reader.key, from: reader.person) {
                            moved.insert(reader.key)
                        }
                        reader.skipStrand()
                    }
                    if reader.isBroken { throw TimelineError.damagedSegment(bucket: bucket) }
                }
            }
        }
        guard !moved.isEmpty else { return ChangedLinks() }
        var changes: [ChangedLinks.Change] = []
        try Self.forEachLink(app: base.app, state: base.state, on: connection) { key, person in
            if moved.contains(key) { changes.append((key, person)) }
        }
        return ChangedLinks(consume changes)
    }

    static func links(
        app: App,
        state: PackedState,
        on connection: isolated PostgresConnection
    ) throws -> ChangedLinks {
        var changes: [ChangedLinks.Change] = []
        try forEachLink(app: app, state: state, on: connection) { key, person in changes.append((key, person)) }
        return ChangedLinks(consume changes)
    }

    /// - Parameter body: gets each changed key, some twice, and whose it is now.
    private static func forEachLink(
        app: App,
        state: PackedState,
        on connection: isolated PostgresConnection,
        _ body: (PersonHash, PersonHash) throws -> Void
    ) throws {
        let statement = BoundStatement(
            StoredSQL.changedLinks,
            ["app_number": String(app.number), "linked_from": String(state.linkedThrough)]
        )
        try connection.copyOut(statement.copyOut) { row in
            guard let key = try PersonHash(reading: &row, state.hash),
                let person = try PersonHash(reading: &row, state.hash)
            else { return }
            try body(key, person)
        }
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
        (0..<readers).map { .tail(TailScan.Part(index: $0, count: readers)) }
            + (demand.needsStoryPosts ? [.posts] : []) + [.links] + (demand.needsRefs ? [.stories] : [])
    }

    func read(_ piece: PackedPlan.Piece, on connection: isolated PostgresConnection) throws -> PackedPlan.Found {
        switch piece {
        case .tail(let part):
            var events = EncodedEvents.Builder(dictionary: TimelineDictionary(sharing: texts))
            let scan = TailScan(demand, app: app, from: state.packedThrough, part: part, hash: state.hash)
            try scan.forEachEvent(dictionary: events.dictionary, on: connection) { event, _ in events.append(event) }
            return .tail(events.finish())
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
