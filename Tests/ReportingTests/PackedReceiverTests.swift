import Logging
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import RandomTesting
@testable import Timelines

/// Which people's events readers of packed timelines set aside as reassigned, and that these are enough.
@Suite("Reassigned events")
struct PackedReceiverTests {
    private typealias E = OracleEvents

    private struct Reading: Sendable {
        var people: Int
        var peopleSum: UInt64
        var months: [Int64: TimelineDigest.Month]
        var reassigned: Set<PersonHash>

        func hasSamePeople(as other: Reading) -> Bool {
            people == other.people && peopleSum == other.peopleSum && months == other.months
        }
    }

    /// All people, read as by reports, as by figures, and with the delta in many pieces on disk; nil if nothing is
    /// packed.
    private func read(
        _ app: App,
        inPiecesOf size: Int = 1,
        on pool: PostgresPool
    ) async throws -> (all: Reading, narrowed: Reading, inPieces: Reading)? {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            let texts = TimelineDictionary.makeSharedTexts()
            let query = TimelinePacker.wholeQuery
            let plan = try SnapshotPlan.read(query, app: app, texts: texts, on: connection)
            let little = try SnapshotPlan.read(
                query,
                app: app,
                texts: texts,
                inLittleMemory: true,
                linksAtOnce: size,
                on: connection
            )
            guard let plan, let little else { return nil }
            let dictionary = TimelineDictionary(sharing: texts)
            dictionary.catchUp()
            let deltas = try plan.deltas.map { delta in
                ScanPartResult.delta(try Self.encode(delta, inPiecesOf: size, dictionary: dictionary))
            }
            let other = SnapshotPlan(plan.snapshot, [.links(plan.links), .stories(plan.stories)] + deltas)
            return (
                try read(plan, on: connection),
                try read(little, on: connection),
                try read(other, inPiecesOf: size, on: connection)
            )
        }
    }

    private func read(
        _ plan: SnapshotPlan,
        inPiecesOf size: Int? = nil,
        on connection: isolated PostgresConnection
    ) throws -> Reading {
        var reader = PackedReader(plan)
        defer { reader.deallocate() }
        var digest = TimelineDigest(dictionary: reader.dictionary)
        for buckets in BucketRanges.all {
            try reader.read(buckets, on: connection) { person in digest.add(person) }
        }
        var reassigned = reader.drainReassigned()
        if let size {
            reassigned.events = try Self.encode(reassigned.events, inPiecesOf: size, dictionary: reader.dictionary)
        }
        try reassigned.forEachPerson(with: []) { person in digest.add(person) }
        return Reading(
            people: digest.people,
            peopleSum: digest.peopleSum,
            months: digest.months,
            reassigned: try Self.people(of: reassigned.events, dictionary: reader.dictionary)
        )
    }

    private static func people(of events: EncodedEvents, dictionary: TimelineDictionary) throws -> Set<PersonHash> {
        var people: Set<PersonHash> = []
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        for bucket in 0..<PersonHash.bucketCount { try events.append(bucket, to: &batch) }
        for var reader in batch.readers(dictionary: dictionary) {
            while !reader.isAtEnd {
                people.insert(reader.person)
                reader.skipRun()
            }
        }
        return people
    }

    /// The same events, a few at a time, all of them on disk.
    private static func encode(
        _ events: EncodedEvents,
        inPiecesOf size: Int,
        dictionary: TimelineDictionary
    ) throws -> EncodedEvents {
        var builder = EncodedEvents.Builder(dictionary: dictionary, limit: 0, eventsAtOnce: size)
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        for bucket in 0..<PersonHash.bucketCount { try events.append(bucket, to: &batch) }
        for var reader in batch.readers(dictionary: dictionary) {
            for event in reader.rest() { builder.append(event) }
        }
        return builder.finish()
    }

    /// Tests that run at the same time hold the horizon of the server that they share.
    private func packAll(_ packer: TimelinePacker, _ app: App, _ testing: FigureTesting) async throws {
        for _ in 0..<20_000 {
            try await packer.pack()
            if try await delta(of: app, testing).events == 0 { return }
        }
        Issue.record("cannot be packed")
    }

    /// The same whatever tests run at the same time and hold the server's horizon.
    private func delta(of app: App, _ testing: FigureTesting) async throws -> (events: Int, packed: Int) {
        try await testing.pool.withConnection { connection in
            let row = try connection.query(
                """
                select count(*) filter (where transaction_number >= coalesce(packed_through, 0)), coalesce(max(events), 0)
                from event
                left join timeline_state using (app_number)
                where app_number = $1
                """,
                [.int(Int64(app.number))]
            )[0]
            return (try row.int(0), try row.int(1))
        }
    }

    /// Random streams, packed in pieces at random moments: the same people with the same events, fewer of them
    /// reassigned.
    @Test(arguments: TestSeeds.seeds(1)) func areThoseWithEventsElsewhere(seed: UInt64) async throws {
        try await FigureTesting.with { testing in
            let stream = RandomStream.make(seed: seed, hasTwins: seed % 5 == 0)
            var random = SeededRandom(seed: seed)
            let app = try await testing.makeApp("app")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            for batch in stream.redelivered(seed: seed) {
                try await testing.store(batch, of: app)
                if random.chance(45) { try await packer.pack(limit: Int(random.next() % 20) + 1) }
                if random.chance(10) { try await packer.apply() }
            }
            let size = Int.random(in: 1...6, using: &random)
            let reading = try await read(app, inPiecesOf: size, on: testing.pool)
            guard let (all, narrowed, inPieces) = reading else { return }
            #expect(narrowed.hasSamePeople(as: all))
            #expect(narrowed.reassigned.isSubset(of: all.reassigned))
            #expect(inPieces.hasSamePeople(as: all))
            #expect(inPieces.reassigned == all.reassigned)
            let check = try await TimelineCheck.run(app, on: testing.pool)
            #expect(check?.isSame == true)
            // The same without room for texts and links.
            #expect(try await TimelineCheck.run(app, on: testing.pool, textLimit: 0, linksAtOnce: 1) == check)
        }
    }

    /// A link that is packed together with its events is new, and moves nothing.
    @Test func areNotThoseWhoseLinkCameWithTheirEvents() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            func store(_ number: UInt64, user: String?, device: String) async throws -> [Int] {
                let event = E.event(number, at: Double(number), user: user, device: device, E.install)
                try await testing.store([event], of: app)
                try await packAll(packer, app, testing)
                let reading = try #require(try await read(app, on: testing.pool))
                return [reading.all.reassigned.count, reading.narrowed.reassigned.count]
            }
            #expect(try await store(1, user: nil, device: "known-before") == [0, 0])
            #expect(try await store(2, user: "ann", device: "known-since") == [1, 0])
            #expect(try await store(3, user: "bob", device: "known-before") == [2, 1])
        }
    }

    @Test func aLongDeltaIsPackedBeforeItIsFolded() async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            let packer = TimelinePacker(app: app, pool: testing.pool)
            for batch in RandomStream.make(seed: 8).redelivered(seed: 8) { try await testing.store(batch, of: app) }
            // Nothing is packed, so no delta is held in memory.
            let events = try await delta(of: app, testing).events
            try await packer.shortenDelta(to: 5)
            let unpacked = try await delta(of: app, testing)
            #expect(unpacked.events == events)
            #expect(unpacked.packed == 0)

            var left = events
            while left == events {
                try await packer.pack(limit: 10)
                left = try await delta(of: app, testing).events
            }
            #expect(left > 10)
            try await packer.shortenDelta(to: left)
            #expect(try await delta(of: app, testing).events == left)
            while try await delta(of: app, testing).events > 0 { try await packer.shortenDelta(to: 0) }
            #expect(try await packer.unpackedEvents() == 0)
            #expect(try await TimelineCheck.run(app, on: testing.pool)?.isSame == true)
        }
    }
}
