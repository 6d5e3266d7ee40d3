import Events
import InboundLinks
import Time
import Testing

@Suite("Batches")
struct BatchDecoderTests {
    private static let login = #"{"type":"authentication","user_id":"u"}"#

    @Test func aBodyIsOneEventAListOrAnEnvelope() throws {
        #expect(try decode(Self.login).events.count == 1)
        #expect(try decode("[\(Self.login),\(Self.login)]").events.map(\.index) == [0, 1])
        #expect(
            try decode(#"{"events":[\#(Self.login)],"sent_at":"2026-11-21T12:00:00Z","app_id":"app"}"#).events.count
                == 1
        )
        #expect(try decode("\u{FEFF} \(Self.login)\r\n").events.count == 1)
    }

    @Test func anEventAtFaultDoesNotTakeItsNeighbours() throws {
        let batch = try decode("[7,\(Self.login),{},\(Self.login),{\"type\":\"x\"}]")
        #expect(batch.events.map(\.index) == [1, 3])
        #expect(batch.rejections.map(\.index) == [0, 2, 4])
        #expect(batch.rejections.map(\.code) == [.notAnObject, .missingField, .unknownType])
        #expect(batch.rejections.map(\.redactedEvent) == ["7", "{}", #"{"type":"x"}"#])
        #expect(batch.count == 5)
    }

    @Test func theSameIDTwiceIsNoFault() throws {
        let login = #"{"type":"authentication","user_id":"u","event_id":"\#(sampleID)"}"#
        #expect(try decode("[\(login),\(login)]").events.count == 2)
    }

    @Test(
        arguments: [
            ("", .empty), (" \n", .empty), ("[]", .empty), (#"{"events":[]}"#, .empty),
            (
                #"{"events":{}}"#,
                .invalidField(name: "events", reason: "events must be an array of objects; found an object")
            ),
            (
                #"{"events":null}"#,
                .invalidField(name: "events", reason: "events must be an array of objects; found null")
            ),
            (#"{"events":[1],"sentat":1}"#, .unknownField(name: "sentat", suggestion: "sent_at")),
            (#"{"events":[1],"x_y_z":1}"#, .unknownField(name: "x_y_z", suggestion: nil)),
            (
                #"{"events":[1],"app_id":1}"#,
                .invalidField(name: "app_id", reason: "app_id must be a string; found a number")
            ),
            (#"{"events":[1],"events":[2]}"#, .duplicateField(name: "events")),
            (#"{"sent_at":null,"events":[1],"sent_at":null}"#, .duplicateField(name: "sent_at")),
        ] as [(String, BatchError)]
    )
    func aBodyAtFaultIsRefused(_ body: String, _ error: BatchError) {
        #expect(throws: error) { try decode(body) }
    }

    @Test func aBodyOfTooManyValuesIsRefused() {
        func body(_ count: Int) -> String { "[" + String(repeating: "1,", count: count) + "1]" }
        #expect(throws: BatchError.tooManyEvents(limit: 5_000)) { try decode(body(5_000)) }
        #expect(throws: BatchError.tooLarge) { try decode(body(1_000_001)) }
        let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(throws: BatchError.tooDeep) { try decode(nested) }
    }

    @Test(arguments: ["1795262400", #""soon""#, #""2026-11-21T12:00:00""#])
    func sentAtMustBeATime(_ sentAt: String) {
        #expect { try decode(#"{"events":[\#(Self.login)],"sent_at":\#(sentAt)}"#) } throws: { error in
            guard case .invalidField("sent_at", _) = error as? BatchError else { return false }
            return true
        }
    }

    @Test func everyErrorHasACodeAndASentence() {
        let errors: [BatchError] = [
            .malformed(reason: "r"), .empty, .tooManyEvents(limit: 1), .unknownField(name: "n", suggestion: nil),
            .duplicateField(name: "n"), .invalidField(name: "n", reason: "r"), .tooDeep, .tooLarge,
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { !$0.description.isEmpty })
    }

    @Test func aBatchForAnotherAppIsRejectedEventByEvent() throws {
        let batch = try decode(#"{"events":[\#(Self.login),\#(Self.login)],"app_id":"other"}"#)
        #expect(batch.rejections.map(\.code) == [.appMismatch, .appMismatch])
    }

    @Test func fiveThousandEventsAreTaken() throws {
        let batch = try decode("[" + [String](repeating: Self.login, count: 5_000).joined(separator: ",") + "]")
        #expect(batch.events.count == 5_000)
        #expect(Set(batch.events.map(\.event.id)).count == 5_000)
    }

    // MARK: - The sender's clock

    @Test(arguments: [
        // `sent_at`, `occurred_at`, the stored time.
        ("2026-11-21T11:00:00Z", "2026-11-21T10:59:00Z", "2026-11-21T11:59:00Z"),
        ("2026-11-21T14:00:00Z", "2026-11-21T13:59:00Z", "2026-11-21T11:59:00Z"),
        ("2026-11-21T11:59:55Z", "2026-11-21T11:59:00Z", "2026-11-21T11:59:00Z"),
        ("2026-11-21T11:59:54.999999Z", "2026-11-21T11:59:00Z", "2026-11-21T11:59:05.000001Z"),
        ("2026-11-21T12:00:05Z", "2026-11-21T11:59:00Z", "2026-11-21T11:59:00Z"),
        ("2027-11-21T12:00:00Z", "2027-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
    ])
    func aWrongClockIsCorrected(_ sentAt: String, _ occurredAt: String, _ stored: String) throws {
        let login = #"{"type":"authentication","user_id":"u","occurred_at":"\#(occurredAt)""#
        let inEnvelope = try event(#"{"sent_at":"\#(sentAt)","events":[\#(login)}]}"#)
        #expect(inEnvelope.occurredAt.rfc3339 == stored)
        #expect(try event(#"\#(login),"sent_at":"\#(sentAt)"}"#).occurredAt.rfc3339 == stored)
        let line = try decode(#"\#(login),"sent_at":"\#(sentAt)"}"#, as: .ndjson)
        #expect(line.events.first?.event.occurredAt.rfc3339 == stored)
    }

    @Test func theReceiptIsNoMatterOfTheSendersClock() throws {
        let event = try event(#"{"sent_at":"2026-11-21T10:00:00Z","events":[\#(Self.login)]}"#)
        #expect(event.occurredAt == receipt)
    }

    @Test func limitsOfTimeHoldAfterTheCorrection() throws {
        let body = #"""
            {"sent_at":"2026-11-21T10:00:00Z","events":[
              {"type":"authentication","user_id":"u","occurred_at":"2026-11-21T11:30:00Z"}]}
            """#
        #expect(try rejection(body).code == .inFuture)
    }

    // MARK: - Lines

    @Test func blankLinesAreNoEvents() throws {
        let batch = try decode("\n\(Self.login)\r\n\r\n  \n\(Self.login)", as: .ndjson)
        #expect(batch.events.map(\.index) == [0, 1])
    }

    @Test func aLineAtFaultCostsItselfOnly() throws {
        let lines = [
            Self.login, "{", "7", #""text""#, "[]", Self.login, "\(Self.login)\(Self.login)", "{}", "nonsense",
            "\(Self.login),\(Self.login)", Self.login,
        ]
        let batch = try decode(lines.joined(separator: "\n"), as: .ndjson)
        #expect(batch.events.map(\.index) == [0, 5, 10])
        #expect(
            batch.rejections.map(\.code) == [
                .invalidJSON, .notAnObject, .notAnObject, .notAnObject, .invalidJSON, .missingField, .invalidJSON,
                .invalidJSON,
            ]
        )
        #expect(batch.rejections.map(\.redactedEvent) == lines.filter { $0 != Self.login })
    }

    @Test(arguments: [
        [#"{"type":"authentication","user_id":"a"#, #"b"}"#],
        [#"{"type":"authentication""#, #""user_id":"b"}"#],
        [#"{"type":"authentication","user_id":"u"#, #"b"},{"type":"authentication","user_id":"u"}"#],
        [#"{"type":"authentication","user_id":"u"}]"#, #"[{"type":"authentication","user_id":"u"}"#],
    ])
    func noEventRunsOverTwoLines(_ lines: [String]) throws {
        let batch = try decode(lines.joined(separator: "\n"), as: .ndjson)
        #expect(batch.events == [])
        #expect(batch.rejections.map(\.code) == lines.map { _ in .invalidJSON })
    }

    @Test func tooManyLinesAreRefused() throws {
        #expect(try decode(String(repeating: Self.login + "\n\n", count: 5_000), as: .ndjson).events.count == 5_000)
        #expect(throws: BatchError.tooManyEvents(limit: 5_000)) {
            try decode(String(repeating: Self.login + "\n", count: 5_001), as: .ndjson)
        }
        #expect(throws: BatchError.empty) { try decode("\n\r\n", as: .ndjson) }
    }

    @Test func aNestedLineCostsItselfOnly() throws {
        let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
        let batch = try decode("\(Self.login)\n\(deep)\n\(Self.login)", as: .ndjson)
        #expect(batch.events.map(\.index) == [0, 2])
        #expect(batch.rejections.map(\.code) == [.tooLarge])
    }

    // MARK: - Text that is not UTF-8

    private static func damaged(_ text: String) -> [UInt8] {
        text.utf8.map { $0 == UInt8(ascii: "^") ? 0xFF : $0 }
    }

    @Test func anEventThatIsNotUTF8DoesNotTakeItsNeighbours() throws {
        let events = [Self.login, #"{"type":"authentication","user_id":"a^b","event_id":"\#(sampleID)"}"#, Self.login]
        for (body, mediaType) in [
            ("[" + events.joined(separator: ",") + "]", .json),
            (#"{"sent_at":"2026-11-21T12:00:00Z","events":["# + events.joined(separator: ",") + "]}", .json),
            (events.joined(separator: "\n"), .ndjson),
        ] as [(String, BatchDecoder.MediaType)] {
            let batch = try decode(Self.damaged(body), as: mediaType)
            #expect(batch.events.map(\.index) == [0, 2])
            #expect(batch.rejections.map(\.code) == [.invalidText])
            #expect(batch.rejections.map(\.field) == ["user_id"])
            #expect(batch.rejections.map(\.eventID) == [sampleID])
            #expect(batch.rejections[0].redactedEvent.contains("a\u{FFFD}b"))
        }
    }

    @Test func aReplacementThatTheSenderWroteIsText() throws {
        let body = #"[{"type":"authentication","user_id":"a\#u{FFFD}b"},{"type":"authentication","user_id":"^"}]"#
        let batch = try decode(Self.damaged(body))
        #expect(batch.events.map(\.event.userID) == ["a\u{FFFD}b"])
        #expect(batch.rejections.map(\.code) == [.invalidText])
    }

    @Test func anEnvelopeThatIsNotUTF8IsRefused() {
        for body in [
            #"{"ev^":1,"events":[\#(Self.login)]}"#, #"{"events":[\#(Self.login)],"a":"^"}"#, "^[\(Self.login)]",
        ] {
            #expect(throws: BatchError.self) { try decode(Self.damaged(body)) }
        }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]]
    )
    func everyIllFormedSequenceIsFound(_ sequence: [UInt8]) throws {
        let body =
            Array(#"[{"type":"authentication","user_id":"é€😀"#.utf8) + sequence + Array(#""},\#(Self.login)]"#.utf8)
        let batch = try decode(body)
        #expect(batch.events.map(\.index) == [1])
        #expect(batch.rejections.map(\.code) == [.invalidText])
    }

    // MARK: - Forms

    @Test func aFormIsOneEvent() throws {
        let body =
            "url=myapp%3A%2F%2Fx%3Ffb_source%3Dfeed&user_id=u+1&authenticated=1&paid=false&ref=a,b&ref=c"
            + "&properties=%7B%22a%22%3A1%7D&clicked_at="
        let batch = try decode(body + "x", as: .form, impliedType: .inboundLink)
        #expect(batch.rejections.map(\.field) == ["clicked_at"])

        let event = try #require(
            try decode(body + "2026-11-21T11:00:00Z", as: .form, impliedType: .inboundLink).events.first
        ).event
        #expect(event.userID == "u 1")
        #expect(event.properties == #"{"a":1}"#)
        guard case .inboundLink(let touch) = event.content else { throw UnexpectedContent() }
        #expect(touch.link.channel == .storyLinks)
        #expect(touch.link.authenticated)
        #expect(!touch.link.paid)
        #expect(touch.link.refs == ["a", "b", "c"])
    }

    @Test func aFormOfAPostHasItsNumbers() throws {
        let batch = try decode(
            "outcome=failed&error_code=-12&error_message=a%22b%0A",
            as: .form,
            impliedType: .feedPost
        )
        guard case .feedPost(let post) = batch.events.first?.event.content else { throw UnexpectedContent() }
        #expect(post.errorCode == -12)
        #expect(post.errorMessage == "a\"b\n")
    }

    @Test(
        arguments: [
            ("user_id=u", Rejection.Code.missingField, "url"),
            ("url=myapp%3A%2F%2Fx&user_id=", .junkID, "user_id"),
            ("url=myapp%3A%2F%2Fx&user_id=u&paid=maybe", .invalidType, "paid"),
            ("url=myapp%3A%2F%2Fx&user_id=u&properties=7", .invalidType, "properties"),
            ("url=myapp%3A%2F%2Fx&user_id=u&fb_source=feed", .unknownField, "fb_source"),
            ("url=myapp%3A%2F%2Fx&user_id=%FF", .invalidText, "user_id"),
            ("url=myapp%3A%2F%2Fx&user_id=%00", .invalidText, "user_id"),
            ("url", .missingField, "url"),
            ("url=myapp%3A%2F%2Fx&user_id=u&user_id=u", .duplicateField, "user_id"),
            ("url=myapp%3A%2F%2Fx&user_id=u&user_id=", .duplicateField, "user_id"),
            ("url=myapp%3A%2F%2Fx&user_id=100%", .invalidText, "user_id"),
            ("url=myapp%3A%2F%2Fx%zz&user_id=u", .invalidText, "url"),
            ("url=myapp%3A%2F%2Fx&user_id=u&ref=a&ref=%2", .invalidText, "ref"),
            ("=&user_id=u&url=myapp://x", .unknownField, ""),
        ] as [(String, Rejection.Code, String)]
    )
    func aFormIsCheckedLikeAnyEvent(_ body: String, _ code: Rejection.Code, _ field: String) throws {
        let rejection = try rejection(body, as: .form, impliedType: .inboundLink)
        #expect(rejection.code == code, "\(rejection.message)")
        #expect(rejection.field == field)
    }

    @Test func aURLOfAFormMayComeUnencoded() throws {
        let body = "user_id=100%25&url=fb123://authorize#target_url=http%3A%2F%2Fexample.com%2F%253Fa"
        let batch = try decode(body, as: .form, impliedType: .inboundLink)
        #expect(batch.events.first?.event.userID == "100%")
        guard case .inboundLink(let touch) = batch.events.first?.event.content else { throw UnexpectedContent() }
        #expect(touch.link.form == .legacyAuthorize)
    }

    // MARK: - Dead letters

    @Test func aDeadLetterIsTextOfAtMost32KiB() throws {
        let long = #"{"type":"authentication","user_id":"\#(String(repeating: "é", count: 40_000))"}"#
        let event = try rejection(long).redactedEvent
        #expect(event.utf8.count <= 32 * 1_024)
        #expect(event.utf8.count >= 32 * 1_024 - 3)
        #expect(!event.unicodeScalars.contains("\u{FFFD}"))
        let nul = try decode(Array("{\0}\n{}".utf8), as: .ndjson)
        #expect(nul.rejections.map(\.redactedEvent) == ["{\u{FFFD}}", "{}"])
    }

    /// A dead letter keeps the values that the request and the batch gave for its event.
    @Test(arguments: [
        "{}", "{ }", #"{"app_id":null,"type":null}"#, #"{"user_id":"u","name":7}"#, #"{"type":null,"x":1}"#,
    ])
    func aDeadLetterCanBeReadOnItsOwn(_ event: String) throws {
        let batch = try decode(
            #"{"sent_at":"2026-11-21T11:00:00Z","app_id":"app","events":[\(event)]}"#.replacing(
                #"\(event)"#,
                with: event
            ),
            impliedType: .conversion
        )
        let first = try #require(batch.rejections.first)
        let again = try rejection(first.redactedEvent)
        #expect(again.code == first.code)
        #expect(again.field == first.field)
        #expect(again.redactedEvent == first.redactedEvent)
        for member in [#""type":"conversion""#, #""sent_at":"2026-11-21T11:00:00Z""#, #""app_id":"app""#] {
            #expect(first.redactedEvent.contains(member))
        }
    }

    @Test func aFormSaysThatAURLMustBeEncoded() throws {
        let rejection = try rejection(
            "url=myapp://x?a=1&fb_source=feed&user_id=u",
            as: .form,
            impliedType: .inboundLink
        )
        #expect(rejection.message.contains("--data-urlencode"))
    }

    @Test func namesOfTheSenderAreShortenedAndPlain() throws {
        let rejection = try rejection(
            #"{"type":"authentication","user_id":"u","a\u0000\nb\#(String(repeating: "x", count: 99))":1}"#
        )
        #expect(rejection.field?.utf8.count ?? 0 <= 64)
        #expect(rejection.field?.hasPrefix("a\u{FFFD}\u{FFFD}b") == true)
        #expect(!rejection.message.unicodeScalars.contains { $0.value < 0x20 })
    }
}
