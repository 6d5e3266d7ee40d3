import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// Compares an app's packed timelines with its events, in one snapshot.
package struct TimelineCheck: Equatable, Sendable {
    /// The result for one month.
    package struct Month: Equatable, Sendable {
        /// The month's first day, UTC.
        package var month: String
        package var events: Int
        package var packedEvents: Int
        /// Whether both hold the same events.
        package var isSame: Bool
    }

    package var months: [Month]
    /// The number of people in the event table, and below in the packed timelines. Each anonymous event counts as one.
    package var people: Int
    package var packedPeople: Int

    /// Whether events are grouped into the same people in both.
    package var hasSamePeople: Bool

    package var isSame: Bool { hasSamePeople && months.allSatisfy(\.isSame) }

    /// In bytes. An app may have any number of texts, so each side forgets them beyond this limit.
    private static let textLimit = 8 << 20

    /// Reads all events twice: as a report does, from packed timelines and the delta, and from the event table alone.
    /// Both sides go person by person, and keep only sums.
    ///
    /// - Returns: nil if nothing is packed.
    package static func run(_ app: App, on pool: PostgresPool) async throws -> TimelineCheck? {
        try await run(app, on: pool, textLimit: textLimit, linksAtOnce: LinkOwners.defaultLimit)
    }

    /// - Parameters:
    ///   - textLimit: how many bytes of texts each side remembers.
    ///   - linksAtOnce: how many changed links are read at once.
    static func run(
        _ app: App,
        on pool: PostgresPool,
        textLimit: Int,
        linksAtOnce: Int
    ) async throws -> TimelineCheck? {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            var query = try TimelinePacker.wholeQuery(of: app, on: connection)
            let state = try TimelineState.read(app: app.number, on: connection)
            query.properties = query.properties.filter { state?.properties.contains($0.value.id) ?? false }
            // Stories are compared, too. A touch whose segment lacks the story's key has the right refs now, and wrong
            // ones once a post is added or deleted.
            query.needs.insert(.storyKeys)
            let packed = try packed(query, of: app, textLimit: textLimit, linksAtOnce: linksAtOnce, on: connection)
            guard let packed else { return nil }
            let events = try TimelineScan.read(query, app: app, on: connection) { scan in
                var digest = TimelineDigest(dictionary: scan.dictionary)
                try scan.forEachPerson { person in
                    digest.add(person)
                    if scan.dictionary.size > textLimit { scan.dictionary.removeAll() }
                }
                return digest
            }
            return TimelineCheck(events: events, packed: packed)
        }
    }

    /// The checksums of packed timelines and delta, nil if nothing is packed.
    private static func packed(
        _ query: TimelineQuery,
        of app: App,
        textLimit: Int,
        linksAtOnce: Int,
        on connection: isolated PostgresConnection
    ) throws -> TimelineDigest? {
        let plan = try SnapshotPlan.read(
            query,
            app: app,
            texts: TimelineDictionary.makeSharedTexts(),
            inLittleMemory: true,
            linksAtOnce: linksAtOnce,
            on: connection
        )
        guard let plan else { return nil }
        var reader = PackedReader(plan, forgettingTextsBeyond: textLimit)
        defer { reader.deallocate() }
        var digest = TimelineDigest(dictionary: reader.dictionary)
        try reader.readAll(on: connection) { person in digest.add(person) }
        return digest
    }

    private init(events: TimelineDigest, packed: TimelineDigest) {
        people = events.people
        packedPeople = packed.people
        hasSamePeople = events.people == packed.people && events.peopleSum == packed.peopleSum
        months = Set(events.months.keys).union(packed.months.keys).sorted().map { start in
            let (one, other) = (events.months[start], packed.months[start])
            return Month(
                month: Timestamp(microseconds: start).monthText,
                events: one?.events ?? 0,
                packedEvents: other?.events ?? 0,
                isSame: one == other
            )
        }
    }
}

/// Checksums of timelines. They do not depend on the order of people; different timelines have different sums.
struct TimelineDigest {
    struct Month: Equatable, Sendable {
        var events = 0
        var sum: UInt64 = 0
    }

    private let dictionary: TimelineDictionary
    private(set) var people = 0
    /// Depends on which events belong to one person.
    private(set) var peopleSum: UInt64 = 0
    /// By the start of the month, in microseconds.
    private(set) var months: [Int64: Month] = [:]

    /// - Parameter dictionary: the events' dictionary, which may be emptied between people. Texts and stories are
    ///   compared, not their codes, so that digests with different dictionaries can be compared.
    init(dictionary: TimelineDictionary) {
        self.dictionary = dictionary
    }

    mutating func add(_ person: borrowing PersonTimeline) {
        people += 1
        var timeline = Mixer()
        for position in person.events.indices {
            let event = person.events[position]
            var hash = Mixer()
            hash.add(event)
            addTexts(of: event, to: &hash)
            timeline.add(hash.value)
            let month = event.occurredAt.monthStart.microseconds
            months[month, default: Month()].events += 1
            months[month, default: Month()].sum &+= hash.value
        }
        peopleSum &+= timeline.value
    }

    private func addTexts(of event: TimelineEvent, to hash: inout Mixer) {
        for text in TimelineText.allCases { hash.add(event[text], in: dictionary[text]) }
        if event.storyPost.isNone {
            hash.addNone()
        } else {
            dictionary.storyPosts.withID(of: event.storyPost) { hash.add($0) }
        }
    }

    /// Mixes words into one. Each bit of the result depends on all of them (the finish of SplitMix64).
    private struct Mixer {
        private(set) var value: UInt64 = 0

        mutating func add(_ word: UInt64) {
            var mixed = (value ^ word) &+ 0x9E37_79B9_7F4A_7C15
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            value = mixed ^ mixed >> 31
        }

        mutating func add(_ time: Timestamp) { add(UInt64(bitPattern: time.microseconds)) }

        mutating func addNone() { add(UInt64.max) }

        mutating func add(_ code: Code, in table: CodeTable) {
            if code.isNone { addNone() } else { table.withBytes(of: code) { add($0) } }
        }

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            add(UInt64(bytes.count))
            var position = 0
            while position + 8 <= bytes.count {
                add(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                position += 8
            }
            guard position < bytes.count else { return }
            add(bytes[position...].reduce(0) { $0 << 8 | UInt64($1) })
        }

        mutating func add(_ event: TimelineEvent) {
            add(event.occurredAt)
            add(event.id.high)
            add(event.id.low)
            add(EventWord(event, month: event.occurredAt.monthStart.microseconds, hasStory: false).rawValue)
            add(event.clickedAt ?? Timestamp(microseconds: 0))
            add(UInt64(bitPattern: event.tappedTarget ?? 0))
            add(event.openedClick?.high ?? 0)
            add(event.openedClick?.low ?? 0)
            add(UInt64(event.refOrigin.map { $0.position + 1 } ?? 0))
            add(UInt64(bitPattern: event.value))
        }
    }
}
