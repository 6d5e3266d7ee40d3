@testable import Reporting
import Testing

@Suite("Changed links")
struct ChangedLinksTests {
    /// Hashes of which many begin alike, and some alike but for the last bits.
    private static func hash(_ random: inout SeededGenerator) -> PersonHash {
        let high = random.chance(50) ? random.next() : (random.next() % 4) << 62 | random.next() % 8
        return PersonHash(high: high, low: random.next() % 4)
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func tellWhatADictionaryTells(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var people: [PersonHash: PersonHash] = [:]
        var changes: [ChangedLinks.Change] = []
        for _ in 0..<Int(random.next() % (seed % 2 == 0 ? 20 : 5_000)) {
            let key = Self.hash(&random)
            let person = people[key] ?? Self.hash(&random)
            people[key] = person
            changes.append((key, person))
        }
        // Those of the ends of the order too.
        for key in [PersonHash(high: 0, low: 0), .end] where people[key] == nil && random.chance(50) {
            people[key] = key
            changes.append((key, key))
        }
        var links = ChangedLinks(changes)
        func check(_ expected: [PersonHash: PersonHash]) {
            #expect(links.isEmpty == expected.isEmpty)
            let receivers = Set(expected.values)
            var others = random
            let asked =
                people.flatMap { [$0, $1] } + (0..<1_000).map { _ in Self.hash(&others) }
                + [PersonHash(high: 0, low: 1), .end]
            #expect(asked.filter { links.person(of: $0) != expected[$0] }.isEmpty)
            #expect(asked.filter { links.hasReceived($0) != receivers.contains($0) }.isEmpty)
        }
        check(people)
        let kept = Set(people.keys.filter { _ in random.chance(30) }).union([PersonHash(high: 5, low: 9)])
        links.narrow(to: kept)
        check(people.filter { kept.contains($0.key) })
    }
}
