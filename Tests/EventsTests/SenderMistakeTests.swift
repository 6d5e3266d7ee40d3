import Events
import InboundLinks
import Testing
import Time

/// Mistakes that senders often make, and the message that names each.
@Suite("Mistakes of senders")
struct SenderMistakeTests {
    // MARK: - Bodies

    @Test(arguments: [
        ("{", "line 1, column 2: the text ends where a key in double quotes or } is expected; perhaps it was cut off"),
        ("7", "line 1, column 1: found a single value where an object or an array is expected"),
        ("{\n  \"type\": \"install\",\n}", "line 2, column 20: found a trailing comma before }; remove the comma"),
        (
            "{'type':'install'}",
            "line 1, column 2: found ' where a double quote is expected; "
                + "JSON takes only double quotes around texts and keys"
        ),
        (
            #"{"type":"conversion","value":NaN}"#,
            "line 1, column 30: found NaN, which JSON does not have; send null, or leave the field out"
        ),
        (
            "{\"type\":\"install\"}\n{\"type\":\"install\"}",
            "line 2, column 1: found a second value on a line of its own after the end of the first; "
                + "send lines as application/x-ndjson, or put the events into an array"
        ),
        (
            #"{"type":"authentication"} {}"#,
            "line 1, column 27: found a second value after the end of the first; put the events into an array"
        ),
    ])
    func aBodyThatIsNotJSONHasAPosition(_ body: String, _ reason: String) {
        #expect(throws: BatchError.malformed(reason: "the body is not valid JSON: \(reason)")) { try decode(body) }
    }

    @Test(arguments: [BatchDecoder.MediaType.json, .ndjson, .form])
    func otherEncodingsAreNamed(_ mediaType: BatchDecoder.MediaType) {
        let text = Array(#"{"type":"install"}"#.utf8)
        let utf16 = BatchError.malformed(reason: "the body is UTF-16; encode it as UTF-8")
        let little = text.flatMap { [$0, 0] as [UInt8] }
        let big = text.flatMap { [0, $0] as [UInt8] }
        for body in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big] {
            #expect(throws: utf16) { try decode(body, as: mediaType) }
        }
        let gzip = BatchError.malformed(
            reason: "the body is gzip data; compress it only once, and send Content-Encoding: gzip with it"
        )
        #expect(throws: gzip) { try decode([0x1F, 0x8B, 0x08, 0, 1, 2, 3], as: mediaType) }
    }

    @Test(arguments: [
        ("  {\"a\":1,}", "column 9: found a trailing comma before }; remove the comma"),
        (
            "{",
            "column 2: the text ends where a key in double quotes or } is expected; perhaps it was cut off; "
                + "NDJSON has one whole event on each line"
        ),
        ("{} {}", "column 4: found a second value after the end of the first; put each event on a line of its own"),
    ])
    func aLineThatIsNotJSONHasAColumn(_ line: String, _ reason: String) throws {
        let rejection = try rejection("\n" + line, as: .ndjson)
        #expect(rejection.code == .invalidJSON)
        #expect(rejection.message == "the line is not valid JSON: \(reason)")
    }

    @Test func noMessageEchoesASecret() {
        for body in [
            #"{"access_token":EAACsecret}"#, #"{"access_token":'EAACsecret'}"#, #"{"url":"x" EAACsecret}"#,
            #"[EAACsecret"#, "EAACsecret=1", #"{"a":1EAACsecret}"#, #"{EAACsecret:1}"#, #"{"a":-EAACsecret}"#,
        ] {
            #expect { try decode(body) } throws: { !"\($0)".contains("AAC") }
            let line = try? decode(body, as: .ndjson).rejections.first
            #expect(line?.message.contains("AAC") == false)
        }
    }

    // MARK: - Events

    @Test(
        arguments: [
            (
                #"{"event":{"type":"install","user_id":"u"}}"#, Rejection.Code.unknownField, "event",
                "unknown field event; send the event itself, without an object around it"
            ),
            (
                #"{"batch":[{"type":"install","user_id":"u"}],"sentAt":"x"}"#, .unknownField, "batch",
                "unknown field batch; a list of events belongs in events, or is sent as a bare array"
            ),
            (
                #"{"batch":[]}"#, .unknownField, "batch",
                "unknown field batch; a list of events belongs in events, or is sent as a bare array"
            ),
            (
                #"[{"events":[{"type":"install","user_id":"u"}]}]"#, .unknownField, "events",
                "unknown field events; a list of events cannot be inside another list, or on a line; "
                    + "send it as application/json"
            ),
            (
                #"{"type":"conversion","user_id":"u","name":"n","cart":{"name":"x"}}"#, .unknownField, "cart",
                "unknown field cart; put your own data into properties"
            ),
            (
                #"{"sentAt":"x","data":[{"type":"install","user_id":"u"}]}"#, .unknownField, "data",
                "unknown field data; a list of events belongs in events, or is sent as a bare array"
            ),
            (
                #"{"type":"install","user_id":7}"#, .invalidType, "user_id",
                "user_id must be a string; found a number: put it in double quotes"
            ),
            (
                #"{"type":"install","user_id":{"a":1}}"#, .invalidType, "user_id",
                "user_id must be a string; found an object"
            ),
            (
                #"{"type":"install","user_id":["a"]}"#, .invalidType, "user_id",
                "user_id must be a string; found an array"
            ),
            (
                #"{"type":"link_click","url":"x","paid":"true"}"#, .invalidType, "paid",
                "paid must be true or false; found a string"
            ),
            (
                #"{"type":"install","user_id":"u","properties":"{}"}"#, .invalidType, "properties",
                "properties must be an object; found a string"
            ),
            (
                #"{"type":"link_click","url":"x","ref":["a",1]}"#, .invalidType, "ref",
                "ref must be a string or an array of strings; found a number: put it in double quotes"
            ),
            (
                #"{"type":"conversion","user_id":"u","name":"n","value":true}"#, .invalidType, "value",
                "value must be a decimal number, or a string that contains one; found a truth value"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"2026-02-30T12:00:00Z"}"#, .invalidValue, "occurred_at",
                "occurred_at has a day that does not exist; check its year, month and day"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"2026-13-01T12:00:00Z"}"#, .invalidValue, "occurred_at",
                "occurred_at has a day that does not exist; check its year, month and day"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"2026-11-20T25:00:00Z"}"#, .invalidValue, "occurred_at",
                "occurred_at has a time of day that does not exist; hours go to 23, minutes and seconds to 59"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"2026-11-20T12:00:00"}"#, .invalidValue, "occurred_at",
                "occurred_at has no offset; add Z if it is UTC, else an offset such as +01:00"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"2026-11-20"}"#, .invalidValue, "occurred_at",
                "occurred_at has no time of day; write it like 2026-01-31T12:00:00Z"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":1795262400}"#, .invalidType, "occurred_at",
                "occurred_at must be a string with an RFC 3339 time; found a number: "
                    + "it looks like seconds since 1970, so write 2026-11-21T12:00:00Z"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"1764190000000"}"#, .invalidValue, "occurred_at",
                "occurred_at must be an RFC 3339 time; found a number in quotes: "
                    + "it looks like milliseconds since 1970, so write 2025-11-26T20:46:40Z"
            ),
            (
                #"{"type":"install","user_id":"u","sent_at":1764190000.25}"#, .invalidType, "sent_at",
                "sent_at must be a string with an RFC 3339 time; found a number: "
                    + "it looks like seconds since 1970, so write 2025-11-26T20:46:40.250000Z"
            ),
            (
                #"{"type":"link_click","url":"x","clicked_at":"1764190000123456"}"#, .invalidValue, "clicked_at",
                "clicked_at must be an RFC 3339 time; found a number in quotes: "
                    + "it looks like microseconds since 1970, so write 2025-11-26T20:46:40.123456Z"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"1764190000123456789"}"#, .invalidValue, "occurred_at",
                "occurred_at must be an RFC 3339 time; found a number in quotes: "
                    + "it looks like nanoseconds since 1970, so write 2025-11-26T20:46:40.123456Z"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"20261121"}"#, .invalidValue, "occurred_at",
                "occurred_at must be an RFC 3339 time; found a number in quotes: "
                    + "write seconds since 1970 as a time such as 2026-01-31T12:00:00Z"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"Sat Nov 21 2026 10:00:00 GMT+0100 (CET)"}"#,
                .invalidValue, "occurred_at",
                "occurred_at must be an RFC 3339 time; found a date in words: in JavaScript, send date.toISOString()"
            ),
            (
                #"{"type":"install","user_id":"u","event_id":"{018F3F5E-7C1A-7B7E-9D2B-3F4C5D6E7F80}"}"#,
                .invalidValue, "event_id",
                "event_id must be a UUID with hyphens; did you mean 018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80?"
            ),
            (
                #"{"type":"install","user_id":"u","event_id":"018f3f5e7c1a7b7e9d2b3f4c5d6e7f80"}"#, .invalidValue,
                "event_id",
                "event_id must be a UUID with hyphens; did you mean 018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f80?"
            ),
            (
                #"{"type":"conversion","user_id":"u","name":"n","value":1,"currency":"hrk"}"#, .invalidValue,
                "currency",
                "currency must be an ISO 4217 code, such as EUR; this one has ended: did you mean EUR?"
            ),
            (
                #"{"type":"conversion","user_id":"u","name":"n","value":1,"currency":"RUR"}"#, .invalidValue,
                "currency",
                "currency must be an ISO 4217 code, such as EUR; this one has ended: did you mean RUB?"
            ),
            (
                #"{"type":"authentication","user_id":"u","outcome":"Canceled"}"#, .invalidValue, "outcome",
                "outcome must be granted, cancelled, denied or failed; did you mean cancelled?"
            ),
            (
                #"{"type":"install","user_id":"u","occurred_at":"soon"}"#, .invalidValue, "occurred_at",
                "occurred_at must be an RFC 3339 time with an offset, such as 2026-01-31T12:00:00.000000Z"
            ),
            (
                #"{"type":"purchase","user_id":"u"}"#, .unknownType, "type",
                "type must be inbound_link, feed_post, link_click, install, authentication, conversion or app_open; "
                    + "if it is a goal, send type conversion with the goal in name"
            ),
            (
                #"{"type":"login","user_id":"u"}"#, .unknownType, "type",
                "type must be inbound_link, feed_post, link_click, install, authentication, conversion or app_open; "
                    + "did you mean authentication?"
            ),
        ] as [(String, Rejection.Code, String, String)]
    )
    func areNamed(_ body: String, _ code: Rejection.Code, _ field: String, _ message: String) throws {
        let rejection = try rejection(body)
        #expect(rejection.code == code)
        #expect(rejection.field == field)
        #expect(rejection.message == message)
    }

    @Test(
        arguments: [
            ("19,90", "19.90"), ("-19,9", "-19.9"), ("1.249,00", "1249.00"), ("1,249.00", "1249.00"),
            ("1.249.000", "1249000"),
            ("1 249,00", "1249.00"), ("1'249.00", "1249.00"),
            ("\u{20AC} 19.90", "19.90"), ("19,90 EUR", "19.90"),
            ("$5", "5"), ("-$5.20", "-5.20"), ("+5", "5"), (".5", "0.5"), (",50", "0.50"), ("5,-", "5"), ("Fr.20", nil),
            ("1,249", nil), ("12.34.5", nil), ("1,2,3", nil), ("20-", nil), ("(5.00)", nil), ("5 %", nil),
            ("1e15", nil),
            ("order 12345", nil), ("", nil), ("--", nil), ("9999999999999,50", nil), ("five", nil),
        ] as [(String, String?)]
    )
    func aDecimalInAnotherSpellingIsNamed(_ value: String, _ meant: String?) throws {
        let body = #"{"type":"conversion","user_id":"u","name":"n","currency":"EUR","value":"\#(value)"}"#
        let rejection = try rejection(body)
        let hint = meant.map { "; did you mean \($0)?" } ?? ""
        #expect(rejection.code == .invalidValue)
        #expect(
            rejection.message == "value must be a decimal number such as 12.50, between -10^12 and 10^12" + hint
        )
    }

    /// A list of events under the wrong key is longer than an event may be. That is not the sender's mistake.
    @Test func aLongListUnderAWrongKeyIsNamed() throws {
        let login = #"{"type":"authentication","user_id":"u"}"#
        let list = [String](repeating: login, count: 1_000).joined(separator: ",")
        let rejection = try rejection(#"{"batch":[\#(list)]}"#)
        #expect(rejection.code == .unknownField)
        #expect(rejection.field == "batch")
    }

    // MARK: - Repeated keys

    @Test(arguments: [
        #""user_id":"u","user_id":"v""#, #""user_id":"u","user_id":"u""#, #""user_id":null,"user_id":"u""#,
        #""user_id":"u","\u0075ser_id":null"#, #""user_id":"u","device_id":"d","user_id":7"#,
    ])
    func aFieldOfAnEventIsThereOnce(_ fields: String) throws {
        let body = #"{"type":"authentication",\#(fields)}"#
        for (body, mediaType) in [(body, .json), ("[\(body)]", .json), (body, .ndjson)]
            as [(String, BatchDecoder.MediaType)]
        {
            let rejection = try rejection(body, as: mediaType)
            #expect(rejection.code == .duplicateField)
            #expect(rejection.field == "user_id")
            #expect(rejection.message == "user_id is there twice, and it is unclear which one counts; send it once")
        }
    }

    @Test func everyFieldIsThereOnce() throws {
        for field in EventField.allCases {
            let rejection = try rejection(#"{"\#(field.key)":null,"\#(field.key)":null}"#)
            #expect(rejection.code == .duplicateField)
            #expect(rejection.field == field.key)
        }
    }

    @Test func dataOfTheSenderMayRepeatAKey() throws {
        let body = #"{"type":"authentication","user_id":"u","properties":{"a":1,"a":2}}"#
        #expect(try event(body).properties == #"{"a":1,"a":2}"#)
    }

    // MARK: - Forms

    @Test(arguments: [
        (
            "%7B%22a%22:1,%7D",
            "properties is not valid JSON: line 1, column 7: found a trailing comma before }; remove the comma"
        ),
        ("7", "properties must be an object; found a string"),
        ("%5B1%5D", "properties must be an object; found a string"),
    ])
    func propertiesOfAFormHaveAPosition(_ properties: String, _ message: String) throws {
        let body = "url=myapp%3A%2F%2Fx&user_id=u&properties=" + properties
        let rejection = try rejection(body, as: .form, impliedType: .inboundLink)
        #expect(rejection.code == .invalidType)
        #expect(rejection.message == message)
    }

    @Test func aRefOfAFormMayBeRepeated() throws {
        let batch = try decode("url=myapp%3A%2F%2Fx&user_id=u&ref=a&ref=b", as: .form, impliedType: .inboundLink)
        guard case .inboundLink(let touch) = batch.events.first?.event.content else { throw UnexpectedContent() }
        #expect(touch.link.refs == ["a", "b"])
    }

    @Test func aBadPercentSignIsNamed() throws {
        let rejection = try rejection("url=myapp%3A%2F%2Fx&user_id=%zz", as: .form, impliedType: .inboundLink)
        #expect(rejection.code == .invalidText)
        #expect(rejection.field == "user_id")
        #expect(
            rejection.message == "user_id has a % without two hexadecimal digits after it; write a plain % as %25"
        )
        #expect(rejection.redactedEvent == #"{"url":"myapp://x","user_id":"%zz","type":"inbound_link"}"#)
    }

    /// A `+` that is not escaped arrives as a blank.
    @Test(arguments: [
        ("2026-11-21T10:30:00+01:00", "2026-11-21T09:30:00Z"), ("2026-11-21T10:30:00+0100", "2026-11-21T09:30:00Z"),
        ("2026-11-21+10:30:00.5+01:00", "2026-11-21T09:30:00.500000Z"),
        ("2026-11-21T10:30:00%2B01:00", "2026-11-21T09:30:00Z"),
        ("2026-11-21T10:30:00%2001:00", "2026-11-21T09:30:00Z"),
    ])
    func theOffsetOfATimeKeepsItsPlus(_ text: String, _ time: String) throws {
        let times = "&occurred_at=\(text)&clicked_at=\(text)&sent_at=2026-11-21T13:00:00+01:00"
        let body = "url=myapp%3A%2F%2Fx&user_id=u" + times
        let event = try #require(try decode(body, as: .form, impliedType: .inboundLink).events.first).event
        #expect(event.occurredAt.rfc3339 == time)
        guard case .inboundLink(let touch) = event.content else { throw UnexpectedContent() }
        #expect(touch.link.clickedAt?.rfc3339 == time)
    }

    @Test(arguments: ["2026-11-21T10:30:00+", "2026-11-21T10:30+01:00", "2026-11-21T10:30:00+1:00", "+", "a+b"])
    func noOtherBlankOfATimeBecomesAPlus(_ text: String) throws {
        let body = "url=myapp%3A%2F%2Fx&user_id=u&occurred_at=\(text)"
        #expect(try rejection(body, as: .form, impliedType: .inboundLink).field == "occurred_at")
    }

    @Test(arguments: ["user_id", "device_id", "click_id", "post_id"])
    func anIDThatLostItsPlusIsNamed(_ field: String) throws {
        for id in ["+4917000", "a+", "%20a"] {
            let rejection = try rejection("url=myapp%3A%2F%2Fx&\(field)=\(id)", as: .form, impliedType: .inboundLink)
            #expect(rejection.code == .invalidValue)
            #expect(rejection.field == field)
            #expect(
                rejection.message == "\(field) begins or ends with a blank; "
                    + "in a form or a query + means a blank, so write a plus sign as %2B"
            )
        }
        let blank = try rejection("url=myapp%3A%2F%2Fx&\(field)=+", as: .form, impliedType: .inboundLink)
        #expect(blank.code == .junkID)
        let kept = try decode("url=myapp%3A%2F%2Fx&user_id=a+b&device_id=%2B49", as: .form, impliedType: .inboundLink)
        #expect(kept.events.first?.event.userID == "a b")
        #expect(kept.events.first?.event.deviceID == "+49")
    }

    @Test(arguments: ["%", "%4", "%zz", "%4g", "%%41", "a%"])
    func everyBadPercentSignIsFound(_ text: String) throws {
        for body in ["url=myapp%3A%2F%2Fx&user_id=\(text)", "user_id=\(text)&url=myapp%3A%2F%2Fx", "a\(text)=1"] {
            #expect(try rejection(body, as: .form, impliedType: .inboundLink).code == .invalidText)
        }
    }

    @Test func aSecretOfABadFormIsNotKept() throws {
        for body in [
            "url=fb123://authorize#access_token=EAACsecret%zz&url=b", "access_token=EAACsecret%zz",
            #"{"access_token":"EAACsecret%zz"}"#, "user_id=a&user_id=b&access_token=EAACsecret",
            "url=a&url=b#access_token=EAACsecret",
        ] {
            let rejection = try rejection(body, as: .form, impliedType: .inboundLink)
            for text in [rejection.message, rejection.field, rejection.redactedEvent] {
                #expect(text?.contains("EAAC") != true, "\(text ?? "")")
            }
        }
    }
}
