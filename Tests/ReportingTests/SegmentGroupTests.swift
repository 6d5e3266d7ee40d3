@testable import Reporting
import Testing
@testable import Timelines

@Suite("Compaction of segments")
struct SegmentGroupTests {
    private func group(_ sizes: [Int]) -> SegmentGroup {
        SegmentGroup(
            month: "2026-01-01",
            spansMonths: false,
            segments: sizes.enumerated().map { (number: $0.offset, events: $0.element) }
        )
    }

    @Test(
        arguments: [
            ([], []), ([5], []), ([5, 5], []), ([5, 5, 5], [0, 1, 2]), ([1000, 5, 5, 5], [1, 2, 3]),
            ([1000, 5, 5], []),
            ([30, 5, 5, 5], [0, 1, 2, 3]), ([9, 9, 1000, 5, 5], []), ([100, 30, 10], [0, 1, 2]),
        ] as [([Int], [Int])]
    )
    func areTheNewestOfAboutOneSize(sizes: [Int], merged: [Int]) {
        #expect((group(sizes).toCompact()?.segments.map(\.number) ?? []) == merged)
    }

    /// However often events are packed, there are few segments, and each event is written again only a few times.
    @Test func staysFewAndCheap() {
        var sizes: [Int] = []
        var written = 0
        let count = 3_000
        for _ in 0..<count {
            sizes.append(1)
            while let merged = group(sizes).toCompact() {
                let events = merged.segments.reduce(0) { $0 + $1.events }
                sizes.removeLast(merged.segments.count)
                sizes.append(events)
                written += events
            }
            #expect(sizes.count <= 20)
        }
        #expect(written < count * 12)
    }

    /// Events that are compacted together are in memory: the more events, the fewer buckets at a time.
    @Test(arguments: [(0, 16), (400_000, 16), (410_000, 8), (2_000_000, 2), (1_000_000_000, 1)])
    func areWrittenInPiecesOfBoundedSize(events: Int, bucketsAtOnce: Int) {
        let pieces = BucketRanges.all(toWrite: events)
        #expect(pieces.allSatisfy { $0.count == bucketsAtOnce })
        #expect(pieces.flatMap(\.self) == Array(0..<PersonHash.bucketCount))
    }
}
