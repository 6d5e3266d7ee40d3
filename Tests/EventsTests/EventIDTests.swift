import Events
import Time
import Testing
import RandomTesting

@Suite("Event ids")
struct EventIDTests {
    @Test func readsAndWritesTheSpellingWithHyphens() throws {
        let id = try #require(EventID("018F3F5E-7c1a-7b7e-9d2b-3f4c5d6e7f80"))
        #expect(id.high == 0x018F_3F5E_7C1A_7B7E)
        #expect(id.low == 0x9D2B_3F4C_5D6E_7F80)
        #expect(id.description == "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80")
    }

    @Test(arguments: [
        "", "018f3f5e7c1a7b7e9d2b3f4c5d6e7f80", "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f8",
        "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f800",
        "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f8g", "018f3f5e-7c1a-7b7e-9d2b3-f4c5d6e7f80",
        "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f8é",
    ])
    func refusesOtherSpellings(_ text: String) {
        #expect(EventID(text) == nil)
    }

    @Test func readsBackWhatItWrites() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<1_000 {
            let id = EventID(high: random.next(), low: random.next())
            #expect(EventID(id.description) == id)
        }
    }

    @Test func comparesLikeItsText() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<1_000 {
            let first = EventID(high: random.next(), low: random.next())
            let second = EventID(high: random.chance(50) ? first.high : random.next(), low: random.next())
            #expect((first < second) == (first.description < second.description))
        }
    }

    @Test func makesVersion7OfTheTime() {
        var ids = EventIDMaker(randomness: SeededRandom(seed: 3))
        let id = ids.makeID(at: receipt)
        #expect(id.high >> 16 == UInt64(receipt.microseconds / 1_000))
        #expect(id.high >> 12 & 15 == 7)
        #expect(id.low >> 62 == 2)
    }

    @Test func idsOfOneInstantAreDistinctAndKeepTheirOrder() {
        var ids = EventIDMaker(randomness: SeededRandom(seed: 4))
        let made = (0..<5_000).map { _ in ids.makeID(at: receipt) }
        #expect(made == made.sorted())
        #expect(Set(made).count == made.count)
        #expect(made.allSatisfy { $0.high >> 12 & 15 == 7 && $0.low >> 62 == 2 })
    }

    @Test func idsOfLaterMicrosecondsSortLater() {
        var ids = EventIDMaker(randomness: SeededRandom(seed: 5))
        let made = (0..<5_000).map { ids.makeID(at: Timestamp(microseconds: receipt.microseconds + $0)) }
        #expect(made == made.sorted())
    }
}
