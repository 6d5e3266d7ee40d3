@testable import Reporting
import Testing
import RandomTesting
@testable import Timelines

@Suite("Changed links")
struct ChangedLinksTests {
    /// Hashes many of which begin with the same bits, and some of which differ only in the last bits.
    private static func hash(_ random: inout SeededRandom) -> PersonHash {
        let high = random.chance(50) ? random.next() : (random.next() % 4) << 62 | random.next() % 8
        return PersonHash(high: high, low: random.next() % 4)
    }

    @Test(arguments: TestSeeds.seeds(40)) func agreeWithADictionary(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var people: [PersonHash: PersonHash] = [:]
        var changes: [ChangedLinks.Change] = []
        for _ in 0..<Int(random.next() % (seed % 2 == 0 ? 20 : 5_000)) {
            let key = Self.hash(&random)
            let person = people[key] ?? Self.hash(&random)
            people[key] = person
            changes.append((key, person))
        }
        // Also some at the ends of the order.
        for key in [PersonHash(high: 0, low: 0), .end] where people[key] == nil && random.chance(50) {
            people[key] = key
            changes.append((key, key))
        }
        let links = ChangedLinks(changes)
        #expect(links.isEmpty == people.isEmpty)
        let receivers = Set(people.values)
        let asked =
            people.flatMap { [$0, $1] } + (0..<1_000).map { _ in Self.hash(&random) }
            + [PersonHash(high: 0, low: 1), .end]
        #expect(asked.filter { links.person(of: $0) != people[$0] }.isEmpty)
        #expect(asked.filter { links.hasReceived($0) != receivers.contains($0) }.isEmpty)
    }

    /// All keys that have moved are found, and of the others only some whose halves are equal.
    @Test(arguments: TestSeeds.seeds(20)) func findKeysThatHaveMoved(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let isWide = seed % 2 == 0
        func half() -> UInt64 { isWide ? random.next() : (random.next() % 64) << 58 | random.next() % 4 }
        let links = (0..<Int(random.next() % 3_000)).map { _ in
            (key: PersonHash(high: random.next(), low: half()), person: PersonHash(high: random.next(), low: half()))
        }
        let owners = LinkOwners(links.map { ($0.key.low, $0.person.low) })
        for (key, person) in links {
            let other = PersonHash(high: person.high, low: person.low ^ 1)
            #expect(owners.haveMoved(key, from: other))
            let alike = links.filter { $0.key.low == key.low }
            #expect(owners.haveMoved(key, from: person) == alike.contains { $0.person.low != person.low })
        }
        #expect(isWide ? !owners.haveMoved(PersonHash(high: 1, low: half()), from: .end) : true)
    }
}
