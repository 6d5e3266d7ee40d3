import Events
import InboundLinks
@testable import Reporting
import Testing
import RandomTesting
import Time
@testable import Timelines

@Suite("Events that are read once more")
struct EncodedEventsTests {
    /// More than are encoded together.
    private static let count = BucketRanges.eventsAtOnce * 3

    /// In memory, in a file, or in both, and in parts: each event comes back once, in its bucket, unchanged.
    @Test(arguments: TestSeeds.seeds(1), [0, 1_000_000, .max])
    func areThoseThatWereAdded(seed: UInt64, inMemory limit: Int) throws {
        var random = SeededRandom(seed: seed)
        let dictionary = TimelineDictionary()
        let added = RandomPackedEvents.make(
            seed: seed,
            count: Self.count,
            buckets: [0, 1, 77, 128, 255],
            days: 90,
            dictionary: dictionary
        )
        var parts = (0..<2).map { _ in EncodedEvents.Builder(dictionary: dictionary, limit: limit) }
        for event in added { parts[Int.random(in: 0...1, using: &random)].append(event) }
        let encoded = parts.indices.map { parts[$0].finish() }
        #expect(encoded.allSatisfy { $0.keptSize <= limit })
        #expect(encoded.allSatisfy { ($0.keptSize > 0) == (limit > 0) })

        let expected = Dictionary(grouping: added, by: \.bucket)
        for bucket in 0..<PersonHash.bucketCount {
            let read = try Self.read(bucket, of: encoded, dictionary)
            let event = expected[bucket, default: []].sorted { $0 < $1 }
            #expect(read.map(\.event) == event.map(\.event))
            #expect(read.map(\.person) == event.map(\.person))
            #expect(read.map(\.story) == event.map(\.story))
        }
    }

    /// As on a full disk.
    @Test func stayInMemoryWhereThereIsNoRoomElsewhere() throws {
        let dictionary = TimelineDictionary()
        var builder = EncodedEvents.Builder(dictionary: dictionary, limit: 0, folder: "/nowhere")
        let event = RandomPackedEvents.make(seed: 1, count: 1, dictionary: dictionary)[0]
        builder.append(event)
        let encoded = builder.finish()
        #expect(encoded.keptSize > 0)
        #expect(try Self.read(event.bucket, of: [encoded], dictionary).map(\.event) == [event.event])
    }

    /// As on a disk that has lost a part of a file, within the header of 44 bytes or after it, or returns zeros.
    @Test(arguments: [0, 1, 43, 44, 1000], [false, true]) func areNotMadeUp(kept: Int, hasZeros: Bool) throws {
        let dictionary = TimelineDictionary()
        let events = RandomPackedEvents.make(seed: 1, count: 100, buckets: [7], days: 1, dictionary: dictionary)
        let builder = SegmentBuilder(
            events.sorted { $0 < $1 }[...],
            month: events[0].event.occurredAt.monthStart.microseconds,
            dictionary: dictionary
        )
        var bytes: [UInt8] = []
        bytes.append(encoding: builder)
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        try batch.append(encoded: bytes)
        // If nothing is left of the file, it is all zeros.
        let rest = [UInt8](repeating: 0, count: hasZeros || kept == 0 ? 44 : 0)
        let error = #expect(throws: TimelineError.self) { try batch.append(encoded: bytes.prefix(kept) + rest) }
        #expect(error?.description.contains("TMPDIR") == true)
    }

    /// The events in the order in which they are packed.
    private static func read(
        _ bucket: Int,
        of encoded: [EncodedEvents],
        _ dictionary: TimelineDictionary
    ) throws -> [SegmentEvent] {
        var batch = SegmentBatch()
        defer { batch.deallocate() }
        for events in encoded { try events.append(bucket, to: &batch) }
        var events: [SegmentEvent] = []
        for var reader in batch.readers(dictionary: dictionary) {
            events += reader.rest()
            #expect(!reader.isBroken)
        }
        return events.sorted { $0 < $1 }
    }
}
