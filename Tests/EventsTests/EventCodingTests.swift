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

    /// A release must read the bytes of older releases, so these bytes must never change.
    @Test func theBytesOfVersion1AreStillRead() throws {
        let event = Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: -4),
            userID: "u",
            platform: .ios,
            content: .conversion(Conversion(name: "n", value: DecimalValue(millionths: 300), currency: "USD"))
        )
        let bytes: [UInt8] =
            [1, 10] + Array("conversion".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 6, 7, 1, 1]
            + Array("u".utf8) + [0, 0, 1, 3] + Array("ios".utf8) + [0, 1] + Array("n".utf8) + [1, 0xD8, 4, 1, 3]
            + Array("USD".utf8)
        #expect(try EventCoding.decode(bytes) == event)
        // Of these events, only the version has changed since.
        #expect(EventCoding.encode(event) == [5] + bytes.dropFirst())
    }

    /// Version 1 wrote nothing of a login: it was granted.
    @Test func aLoginOfVersion1WasGranted() throws {
        let bytes: [UInt8] =
            [1, 14] + Array("authentication".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 6, 7, 1, 1]
            + Array("u".utf8) + [0, 0, 0, 0]
        #expect(try EventCoding.decode(bytes).content == .authentication(Login()))
    }

    @Test func theBytesOfVersion2AreStillRead() throws {
        let event = Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: -4),
            userID: "u",
            content: .authentication(Login(outcome: .denied, errorCode: 200, redactedCallback: "f"))
        )
        let bytes: [UInt8] =
            [2, 14] + Array("authentication".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 6, 7, 1, 1]
            + Array("u".utf8) + [0, 0, 0, 0, 6] + Array("denied".utf8) + [1, 0x90, 3, 0, 1, 1] + Array("f".utf8)
        #expect(try EventCoding.decode(bytes) == event)
        #expect(EventCoding.encode(event) == [5] + bytes.dropFirst())
    }

    /// Version 2 knew no referrer.
    @Test func theFormOfAnInstallIsFixed() throws {
        var event = Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: -4),
            userID: "u",
            content: .install(limitAdTracking: true, link: nil)
        )
        let bytes: [UInt8] =
            [7] + Array("install".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 6, 7, 1, 1]
            + Array("u".utf8) + [0, 0, 0, 0, 1, 1, 0]
        for version in [1, 2] as [UInt8] { #expect(try EventCoding.decode([version] + bytes) == event) }
        event.content = .install(limitAdTracking: true, link: nil, referrer: "click_id=c")
        let bytes3 = [3] + bytes + [1, 10] + Array("click_id=c".utf8)
        #expect(try EventCoding.decode(bytes3) == event)
        #expect(EventCoding.encode(event) == [5] + bytes3.dropFirst())
    }

    /// Up to version 3, touches had no short link.
    @Test func theFormOfATouchIsFixed() throws {
        var event = Event(
            id: EventID(high: 1, low: 2),
            occurredAt: Timestamp(microseconds: 3),
            receivedAt: Timestamp(microseconds: -4),
            userID: "u",
            content: .linkClick(Touch(link: InboundLink(), shortLink: "h/s"))
        )
        let head: [UInt8] =
            [10] + Array("link_click".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 6, 7, 1, 1]
            + Array("u".utf8) + [0, 0, 0, 0]
        let link: [UInt8] =
            [5] + Array("plain".utf8) + [0, 0, 0, 0, 12] + Array("unattributed".utf8) + [12]
            + Array("unattributed".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let bytes4 = [4] + head + link + [1, 3] + Array("h/s".utf8)
        #expect(try EventCoding.decode(bytes4) == event)
        // Up to version 4, touches did not say what their event stated.
        var read = InboundLink()
        read.stated = [.refs, .channel]
        event.content = .linkClick(Touch(link: read, shortLink: "h/s"))
        let bytes = [5] + bytes4.dropFirst() + [1, 12]
        #expect(EventCoding.encode(event) == bytes)
        #expect(try EventCoding.decode(bytes) == event)
        event.content = .linkClick(Touch(link: InboundLink()))
        for version in [2, 3] as [UInt8] { #expect(try EventCoding.decode([version] + head + link) == event) }
    }
}
