@testable import Reporting
import Testing
import RandomTesting
@testable import Timelines

@Suite("People that segments come to next")
struct PersonHeapTests {
    /// Random readers, of which several have the same people and some are empty. Each person of each reader comes, in
    /// order.
    @Test(arguments: TestSeeds.seeds(50)) func comeInOrder(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let readers = (0..<Int.random(in: 0...40, using: &random)).map { _ in
            let count = Int.random(in: 0...20, using: &random)
            let numbers = (0..<count).map { _ in UInt64.random(in: 0...60, using: &random) }
            // Both halves decide the order.
            return Set(numbers).map { PersonHash(high: $0 / 8, low: $0 % 8) }.sorted()
        }
        var positions = readers.map { _ in 0 }
        func person(_ reader: Int) -> PersonHash {
            positions[reader] < readers[reader].count ? readers[reader][positions[reader]] : .end
        }

        var next = PersonHeap(readers.indices.map(person))
        var order: [PersonHash] = []
        while let first = next.first {
            #expect(first.person == person(first.reader))
            order.append(first.person)
            positions[first.reader] += 1
            next.advanceFirst(to: person(first.reader))
        }
        #expect(positions == readers.map(\.count))
        #expect(order == readers.joined().sorted())
    }
}
