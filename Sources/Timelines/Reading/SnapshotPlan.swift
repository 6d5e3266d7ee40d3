import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// What must be known before packed timelines are read: how far they go, what has changed since they were packed, and
/// the delta. All parts are of one snapshot, and readers on several connections share them.
package struct SnapshotPlan: Sendable {
    let snapshot: PackedSnapshot
    private(set) var links = ChangedLinks()
    private(set) var stories = ChangedStories()
    private(set) var posts = StoryPosts()
    private(set) var sharedDevices = SharedDevices()
    /// The parts of the delta.
    private(set) var deltas: [EncodedEvents] = []
    /// How many connections share it.
    let readers: Int

    /// - Parameters:
    ///   - results: the results of all parts, in any order.
    ///   - readers: how many connections share the plan.
    init(_ snapshot: PackedSnapshot, _ results: [ScanPartResult], readers: Int = 1) {
        self.snapshot = snapshot
        self.readers = readers
        for result in results { add(result) }
    }

    private mutating func add(_ result: ScanPartResult) {
        // A report that reads posts themselves asks what is known of them by their events.
        let isAskedByEvent = snapshot.query.types.contains(.feedPost)
        switch result {
        case .delta(let delta): deltas.append(delta)
        case .links(let links): self.links = links
        case .stories(let stories): self.stories = stories
        case .posts(var posts):
            if let details = self.posts.posts.details { posts.attach(details, isAskedByEvent: isAskedByEvent) }
            self.posts = posts
        case .postDetails(let details): posts.attach(details, isAskedByEvent: isAskedByEvent)
        case .sharedDevices(let devices): sharedDevices = devices
        }
    }

    /// Reads the whole plan inside the caller's transaction.
    ///
    /// - Parameters:
    ///   - inLittleMemory: for a fold for which memory matters more than time: of the changed links, only those
    ///   that move events are kept.
    ///   - linksAtOnce: in little memory, how many changed links are read at once.
    /// - Returns: nil if nothing is packed.
    package static func read(
        _ query: TimelineQuery,
        app: App,
        texts: SharedTexts,
        inLittleMemory: Bool = false,
        linksAtOnce: Int = LinkOwners.defaultLimit,
        on connection: isolated PostgresConnection
    ) throws -> SnapshotPlan? {
        let snapshot = try PackedSnapshot.read(query, app: app, texts: texts, on: connection)
        guard let snapshot else { return nil }
        try ScanPlanning.byLookup.apply(on: connection)
        var plan = SnapshotPlan(snapshot, [])
        // The delta comes last: before the links that move nothing are dropped, links take most of the memory.
        for part in snapshot.wholeParts.reversed() + [.delta(.whole)] {
            if inLittleMemory, case .links = part {
                plan.links = try plan.movedLinks(atOnce: linksAtOnce, on: connection)
            } else {
                plan.add(try snapshot.read(part, sharedBy: 1, on: connection))
            }
        }
        return plan
    }

    /// The changed links that move packed events to another person. Most links were stored together with their keys'
    /// events, which are packed under the right person already. Reads the links twice, and the runs of all segments;
    /// once more for each `limit` of links.
    private func movedLinks(atOnce limit: Int, on connection: isolated PostgresConnection) throws -> ChangedLinks {
        var moved: Set<PersonHash> = []
        var part: UInt64 = 0
        // A power of 2. Parts are of about the same size, because the keyed halves of keys are random.
        var parts: UInt64 = 1
        repeat {
            var owners: [LinkOwners.Owner] = []
            try ChangedLinks.forEach(app: snapshot.app, state: snapshot.state, on: connection) { key, person in
                guard key.low & (parts - 1) == part else { return }
                owners.append((key.low, person.low))
                if part == 0, owners.count > limit, parts < 1 << 32 {
                    parts *= 2
                    owners.removeAll { $0.key & (parts - 1) != 0 }
                }
            }
            if !owners.isEmpty { try addKeys(movedTo: LinkOwners(consume owners), to: &moved, on: connection) }
            part += 1
        } while part < parts
        guard !moved.isEmpty else { return ChangedLinks() }
        var changes: [ChangedLinks.Change] = []
        changes.reserveCapacity(moved.count)
        try ChangedLinks.forEach(app: snapshot.app, state: snapshot.state, on: connection) { key, person in
            if moved.contains(key) { changes.append((key, person)) }
        }
        return ChangedLinks(consume changes)
    }

    /// Adds the keys that have packed events under another person than the owner.
    private func addKeys(
        movedTo owners: LinkOwners,
        to moved: inout Set<PersonHash>,
        on connection: isolated PostgresConnection
    ) throws {
        let dictionary = TimelineDictionary(sharing: snapshot.texts)
        try forEachSegment([.strands], dictionary: dictionary, on: connection) { reader in
            while !reader.isAtEnd {
                if !reader.head.isAnonymous, owners.haveMoved(reader.key, from: reader.person) {
                    moved.insert(reader.key)
                }
                reader.skipRun()
            }
        }
    }

    /// Hands out a reader of each segment, and of the delta: for those who need not know which events are one person's.
    /// The reader must be read to its end.
    ///
    /// - Parameter columns: the columns to read; nil for those that the plan's query needs.
    func forEachSegment(
        _ columns: [SegmentColumn]? = nil,
        dictionary: TimelineDictionary,
        on connection: isolated PostgresConnection,
        _ body: (inout SegmentReader) throws -> Void
    ) throws {
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        func read(bucket: Int) throws {
            for var reader in batch.readers(dictionary: dictionary) {
                try body(&reader)
                if !reader.isReadWhole { throw TimelineError.damagedSegment(bucket: bucket) }
            }
            batch.removeAll()
        }
        let query = SegmentStatement(self, columns: columns)
        for buckets in BucketRanges.all {
            try connection.copyOut(query.statement(buckets).copyOut) { row in
                let bucket = try row.nextInt()
                try batch.append(&row)
                try read(bucket: bucket)
            }
        }
        for delta in deltas {
            for bucket in 0..<PersonHash.bucketCount {
                try delta.append(bucket, to: &batch)
                try read(bucket: bucket)
            }
        }
    }
}
