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

    /// Reads all events twice: as a report does, from packed timelines and the delta, and from the event table alone.
    ///
    /// - Returns: nil if nothing is packed.
    package static func run(_ app: App, on pool: PostgresPool) async throws -> TimelineCheck? {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            let texts = TimelineDictionary.makeSharedTexts()
            var query = TimelinePacker.wholeQuery
            // Posts are compared, too. A touch whose segment lacks the story's key has the right refs now, and wrong
            // ones once a post is added or deleted.
            query.needsStoryPosts = true
            query.needsForms = try TimelineState.read(app: app.number, on: connection)?.hasForms ?? true
            guard let plan = try SnapshotPlan.read(query, app: app, texts: texts, on: connection) else { return nil }
            var reader = PackedReader(plan)
            defer { reader.deallocate() }
            var packed = TimelineDigest(dictionary: reader.dictionary)
            try reader.readAll(on: connection) { person in packed.add(person) }

            let events = try TimelineScan.read(
                query,
                app: app,
                dictionary: TimelineDictionary(sharing: texts),
                on: connection
            ) { scan in
                var digest = TimelineDigest(dictionary: scan.dictionary)
                try scan.forEachPerson { person in digest.add(person) }
                return digest
            }
            return TimelineCheck(events: events, packed: packed)
        }
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

    /// - Parameter dictionary: the events' dictionary. Digests can be compared if their dictionaries share texts. They
    ///   need not share posts: a post is identified by its time.
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
            if !event.storyPost.isNone { hash.add(dictionary.storyPosts.time(of: event.storyPost)) }
            timeline.add(hash.value)
            let month = event.occurredAt.monthStart.microseconds
            months[month, default: Month()].events += 1
            months[month, default: Month()].sum &+= hash.value
        }
        peopleSum &+= timeline.value
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

        mutating func add(_ code: Code) { add(UInt64(bitPattern: Int64(code.rawValue))) }

        mutating func add(_ event: TimelineEvent) {
            add(event.occurredAt)
            add(event.id.high)
            add(event.id.low)
            add(EventWord(event, month: event.occurredAt.monthStart.microseconds, hasStory: false).rawValue)
            add(event.clickedAt ?? Timestamp(microseconds: 0))
            add(event.openedClick?.high ?? 0)
            add(event.openedClick?.low ?? 0)
            for code in [event.refs, event.referer, event.target, event.shortLink, event.goal, event.currency] {
                add(code)
            }
            add(UInt64(bitPattern: event.value))
        }
    }
}
