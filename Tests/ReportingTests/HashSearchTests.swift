import Events
import RandomTesting
import Testing
@testable import Timelines

@Suite("Searching hashes")
struct HashSearchTests {
    /// The place that a hash tells is a guess: the search must also find what lies elsewhere.
    @Test(arguments: TestSeeds.seeds(100)) func findsWhatASearchByHalvesFinds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        // Spread evenly, as hashes are; or close together, at either end.
        let (shift, base) = [(0, 0), (50, 0), (50, UInt64.max - 1 << 14), (62, 1 << 40)].randomElement(using: &random)!
        func id() -> EventID { EventID(high: base &+ random.next() >> shift, low: random.next() >> 62) }
        let ids = Set((0..<Int(random.next() % 500)).map { _ in id() }).sorted()
        let wanted = ids + (0..<100).map { _ in id() } + [EventID(high: 0, low: 0), EventID(high: .max, low: .max)]
        for id in wanted { #expect(ids.firstPosition(ofHash: id) == ids.firstPosition { $0 >= id }, "seed \(seed)") }
    }
}
