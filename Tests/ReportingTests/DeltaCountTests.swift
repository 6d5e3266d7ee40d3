import PostgresTesting
@testable import Reporting
import Testing
import RandomTesting
@testable import Timelines

@Suite("Counting the delta")
struct DeltaCountTests {
    /// Pieces of some transactions, each with some events.
    private func pieces(_ events: [Int], from: Int, _ random: inout SeededRandom) -> [DeltaCount.Piece] {
        var pieces: [DeltaCount.Piece] = []
        for transaction in from..<max(from, events.count) {
            if pieces.isEmpty || random.next() % 3 == 0 { pieces.append(.init(end: 0, events: 0)) }
            pieces[pieces.count - 1].end = Int64(transaction + 1)
            pieces[pieces.count - 1].events += events[transaction]
        }
        return pieces
    }

    /// Counts and packs transactions alternately, in random order, by this process and by another. The count always
    /// equals a count of everything.
    @Test(arguments: TestSeeds.seeds(100)) func equalsACountOfEverything(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var count = DeltaCount()
        // The events of each transaction, and the watermark.
        var (stored, packed): ([Int], Int) = ([], 0)
        for _ in 0..<40 {
            for _ in 0..<Int.random(in: 0..<5, using: &random) { stored.append(Int.random(in: 1..<9, using: &random)) }
            let from = count.packedThrough == Int64(packed) ? Int(count.countedThrough) : packed
            count.add(pieces(stored, from: from, &random), before: Int64(stored.count), packedThrough: Int64(packed))
            #expect(count.events == stored[packed...].reduce(0, +), "seed \(seed)")

            let end = count.ends(ofAtMost: Int.random(in: 1..<60, using: &random)).last.map { Int($0) }
            #expect((end == nil) == (packed == stored.count), "seed \(seed)")
            switch (Int.random(in: 0..<4, using: &random), end) {
            // Another daemon, before our next count, or before we could pack.
            case (0, _): packed = Int.random(in: packed...stored.count, using: &random)
            case (1, .some):
                packed = Int.random(in: packed...stored.count, using: &random)
                count.pack(0, through: Int64(packed))
            case (2, .some(let end)):
                count.pack(stored[packed..<end].reduce(0, +), through: Int64(end))
                packed = end
                #expect(count.events == stored[packed...].reduce(0, +), "seed \(seed)")
            default: break
            }
        }
    }

    /// Takes at most the limit, but at least one piece; the last piece ends at the horizon.
    @Test func endsWithPieces() {
        var count = DeltaCount()
        count.add([.init(end: 8, events: 60), .init(end: 12, events: 50)], before: 20, packedThrough: 0)
        #expect(count.ends(ofAtMost: 10) == [8])
        #expect(count.ends(ofAtMost: 109) == [8])
        #expect(count.ends(ofAtMost: 110) == [8, 20])
        count.pack(60, through: 8)
        #expect(count.events == 50)
        #expect(count.packed == 60)
        #expect(count.ends(ofAtMost: 10) == [20])
    }
}
