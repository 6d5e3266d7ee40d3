import Events
import InboundLinks
import Time
package import Postgres
package import Storage

/// Compares an app's packed timelines with its events, in one snapshot.
package struct TimelineCheck: Equatable, Sendable {
    /// What was found in one month.
    package struct Month: Equatable, Sendable {
        /// Its first day, UTC.
        package var month: String
        package var events: Int
        package var packedEvents: Int
        /// Whether they are the same events.
        package var isSame: Bool
    }

    package var months: [Month]
    /// People in the events and in the packed timelines, nobody's events among them.
    package var people: Int
    package var packedPeople: Int

    /// Whether the same events belong together in both.
    package var hasSamePeople: Bool

    package var isSame: Bool { hasSamePeople && months.allSatisfy(\.isSame) }

    /// Reads everything twice: as packed, with what came since, and from the events alone.
    ///
    /// - Returns: nil where nothing is packed.
    package static func run(_ app: App, on pool: PostgresPool) async throws -> TimelineCheck? {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            let texts = TimelineDictionary.makeSharedTexts()
            var query = TimelinePacker.wholeQuery
            // A touch that has lost its story has its refs, and would keep them when a post comes late, or goes.
            query.needsStoryPosts = true
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

/// Sums up timelines such that other sums mean other timelines, in whatever order people come.
struct TimelineDigest {
    struct Month: Equatable, Sendable {
        var events = 0
        var sum: UInt64 = 0
    }

    private let dictionary: TimelineDictionary
    private(set) var people = 0
    /// Of what belongs together.
    private(set) var peopleSum: UInt64 = 0
    /// By the month's start in microseconds.
    private(set) var months: [Int64: Month] = [:]

    /// - Parameter dictionary: of the events. Dictionaries of digests to be compared number their texts alike. The posts that touches
    ///   came from they need not: these are told by their times.
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

    /// Mixes words into one, each bit of which hangs on all of them (SplitMix64's finish).
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
            for code in [event.refs, event.referer, event.target, event.goal, event.currency] { add(code) }
            add(UInt64(bitPattern: event.value))
        }
    }
}
