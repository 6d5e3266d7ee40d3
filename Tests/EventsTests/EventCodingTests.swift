import Events
import RandomTesting
import InboundLinks
import Time
import Testing

@Suite("Events as bytes")
struct EventCodingTests {
    @Test(arguments: TestSeeds.seeds(4))
    func anyEventComesBackAsItWas(_ seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for _ in 0..<500 {
            let event = events.event()
            let bytes = EventCoding.encode(event)
            #expect(bytes[0] == EventCoding.version)
            #expect(try EventCoding.decode(bytes) == event)
            #expect(try EventCoding.decode(bytes[...]) == event)
        }
    }

    @Test func bytesCutOffAreRefused() {
        var events = RandomEvents(seed: 21)
        for _ in 0..<50 {
            let bytes = EventCoding.encode(events.event())
            for end in 0..<bytes.count {
                #expect(throws: EventCodingError.malformed) { try EventCoding.decode(bytes[..<end]) }
            }
            #expect(throws: EventCodingError.malformed) { try EventCoding.decode(bytes + [0]) }
        }
    }

    @Test func bytesOfANewerReleaseAreRefused() {
        var events = RandomEvents(seed: 22)
        var bytes = EventCoding.encode(events.event())
        bytes[0] += 1
        #expect(throws: EventCodingError.unknownVersion) { try EventCoding.decode(bytes) }
    }

    @Test func alteredBytesNeverTrap() {
        var events = RandomEvents(seed: 23)
        for _ in 0..<2_000 {
            var bytes = EventCoding.encode(events.event())
            for _ in 0..<3 {
                bytes[Int.random(in: 1..<bytes.count, using: &events.random)] = UInt8.random(
                    in: 0...255,
                    using: &events.random
                )
            }
            // The bytes are refused, or they are read as an event that is the same after another encoding and decoding.
            guard let event = try? EventCoding.decode(bytes) else { continue }
            #expect((try? EventCoding.decode(EventCoding.encode(event))) == event)
        }
    }

    @Test func refusesAnotherVersion() throws {
        let event = Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: -4),
            userID: "u",
            content: .install(Install(limitAdTracking: true, referrer: "click_id=c"))
        )
        let bytes = EventCoding.encode(event)
        #expect(try EventCoding.decode(bytes) == event)
        for version in [0, 2, 255] as [UInt8] {
            let error = #expect(throws: EventCodingError.self) { try EventCoding.decode([version] + bytes.dropFirst()) }
            #expect(error == .unknownVersion)
        }
    }
}
