import Events
import InboundLinks
import JSONReading
import RandomTesting
import Testing
import Time

@Suite("Events as JSON")
struct EventJSONTests {
    @Test(arguments: TestSeeds.seeds(4))
    func anyEventComesBackAsItWas(_ seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for _ in 0..<500 {
            let event = events.event()
            #expect(try EventJSON.decode(EventJSON.encode(event).utf8) == event, "seed \(seed)")
        }
    }

    @Test(arguments: TestSeeds.seeds(4))
    func anySubmissionComesBackAsItWas(_ seed: UInt64) throws {
        var events = RandomEvents(seed: seed)
        for _ in 0..<50 {
            let count = Int.random(in: 0...20, using: &events.random)
            let submission = Submission(
                appNumber: Int32.random(in: 0...(.max), using: &events.random),
                keyPrefix: events.text(),
                receivedAt: events.time(),
                events: (0..<count).map { _ in events.event() },
                rejections: (0..<count / 4).map { index in
                    Rejection(
                        index: index,
                        eventID: events.maybe { $0.text() },
                        code: events.random.pick(Rejection.Code.allCases),
                        field: events.maybe { $0.text() },
                        message: events.text(),
                        redactedEvent: events.text()
                    )
                }
            )
            let bytes = SubmissionJSON.encode(submission)
            #expect(try SubmissionJSON.decode(bytes) == submission, "seed \(seed)")
            #expect(SubmissionJSON.appNumber(in: bytes) == submission.appNumber)
        }
    }

    /// By the names of the API, with what was read in members of their own.
    @Test func isWhatTheSenderStatedAndWhatWasRead() throws {
        let body = #"""
            {"type":"inbound_link","user_id":"u","url":"myapp://x?fb_ref=a&access_token=SECRET","channel":"bookmarks"}
            """#
        let decoder = BatchDecoder(appID: "shop", receivedAt: Timestamp(microseconds: 1_773_576_000_000_000))
        let event = try #require(try decoder.decode(Array(body.utf8), as: .json).events.first).event
        let object = try JSONDocument(reading: EventJSON.encode(event).utf8).root
        #expect(object["type"]?.string == "inbound_link")
        #expect(object["received_at"]?.string == "2026-03-15T12:00:00Z")
        #expect(object["url"]?.string == "myapp://x?fb_ref=a&access_token=REDACTED")
        #expect(object["channel"]?.string == "bookmarks")
        #expect(object["ref"]?.elements.map(\.string) == ["a"])
        #expect(object["_stated"]?.number == "\(StatedFields.channel.rawValue)")
    }

    /// No sender can write what was read.
    @Test func isNoEventOfASender() throws {
        var events = RandomEvents(seed: TestSeeds.first)
        while true {
            let event = events.event()
            guard case .inboundLink = event.content else { continue }
            let decoder = BatchDecoder(appID: "shop", receivedAt: event.receivedAt)
            let batch = try decoder.decode(Array(EventJSON.encode(event).utf8), as: .json)
            #expect(batch.events.isEmpty)
            return
        }
    }

    @Test func textsCutOffAreRefused() {
        var events = RandomEvents(seed: 21)
        for _ in 0..<50 {
            let bytes = Array(EventJSON.encode(events.event()).utf8)
            for end in 0..<bytes.count {
                #expect(throws: EventJSON.Malformed.self) { try EventJSON.decode(bytes[..<end]) }
            }
        }
    }

    @Test func alteredTextsNeverTrap() {
        var events = RandomEvents(seed: 23)
        for _ in 0..<2_000 {
            var bytes = Array(EventJSON.encode(events.event()).utf8)
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &events.random)] = UInt8.random(
                    in: 0...255,
                    using: &events.random
                )
            }
            // The text is refused, or it is read as an event that is the same after another encoding and decoding.
            guard let event = try? EventJSON.decode(bytes) else { continue }
            #expect((try? EventJSON.decode(EventJSON.encode(event).utf8)) == event)
        }
    }
}
