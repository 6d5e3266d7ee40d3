import Events
import InboundLinks
import Testing

/// Every rule of docs/events.md, *Fields*, with the code and the field of its rejection.
@Suite("Rules of events")
struct EventRuleTests {
    struct Breach: Sendable, CustomTestStringConvertible {
        var body: String
        var code: Rejection.Code
        var field: String?
        var testDescription: String { body.count > 120 ? body.prefix(120) + "…" : body }

        init(_ body: String, _ code: Rejection.Code, _ field: String? = nil) {
            self.body = body
            self.code = code
            self.field = field
        }

        /// A valid conversion with one thing changed or added.
        static func conversion(_ members: String, _ code: Rejection.Code, _ field: String? = nil) -> Breach {
            Breach(#"{"type":"conversion","user_id":"u1","name":"signup",\#(members)}"#, code, field)
        }

        static func link(_ members: String, _ code: Rejection.Code, _ field: String? = nil) -> Breach {
            Breach(#"{"type":"inbound_link","user_id":"u1","channel":"search",\#(members)}"#, code, field)
        }

        static func post(_ members: String, _ code: Rejection.Code, _ field: String? = nil) -> Breach {
            Breach(#"{"type":"feed_post",\#(members)}"#, code, field)
        }

        static func login(_ members: String, _ code: Rejection.Code, _ field: String? = nil) -> Breach {
            Breach(#"{"type":"authentication","user_id":"u1",\#(members)}"#, code, field)
        }

        static func install(_ members: String, _ code: Rejection.Code, _ field: String? = nil) -> Breach {
            Breach(#"{"type":"install","device_id":"d1",\#(members)}"#, code, field)
        }
    }

    @Test(arguments: envelope + ids + times + links + posts + logins + conversions + texts)
    func answersTheBreach(_ breach: Breach) throws {
        let rejection = try rejection(breach.body)
        #expect(rejection.code == breach.code, "\(rejection.message)")
        #expect(rejection.field == breach.field, "\(rejection.message)")
        #expect(rejection.index == 0)
        #expect(!rejection.message.isEmpty)
    }

    static let envelope: [Breach] = [
        Breach("[1]", .notAnObject),
        Breach("[[]]", .notAnObject),
        Breach(#"["text"]"#, .notAnObject),
        Breach("[null]", .notAnObject),
        Breach("{}", .missingField, "type"),
        Breach(#"{"type":null}"#, .missingField, "type"),
        Breach(#"{"type":1}"#, .invalidType, "type"),
        Breach(#"{"type":""}"#, .unknownType, "type"),
        Breach(#"{"type":"purchase"}"#, .unknownType, "type"),
        Breach(#"{"type":"Conversion"}"#, .unknownType, "type"),
        .conversion(#""name":"signup""#, .duplicateField, "name"),
        .conversion(#""user_id":null"#, .duplicateField, "user_id"),
        .conversion(#""usr_id":"u1""#, .unknownField, "usr_id"),
        .conversion(#""":1"#, .unknownField, ""),
        .conversion(#""url":"https://example.com""#, .unknownField, "url"),
        .conversion(#""ref":"a""#, .unknownField, "ref"),
        .conversion(#""outcome":"posted""#, .unknownField, "outcome"),
        .link(#""name":"x""#, .unknownField, "name"),
        .link(#""limit_ad_tracking":true"#, .unknownField, "limit_ad_tracking"),
        .post(#""outcome":"posted","paid":true"#, .unknownField, "paid"),
        .install(#""target_url":"https://example.com""#, .unknownField, "target_url"),
        Breach(#"{"type":"authentication","user_id":"u","target_url":"x"}"#, .unknownField, "target_url"),
        .conversion(#""app_id":"other""#, .appMismatch, "app_id"),
        .conversion(#""app_id":7"#, .invalidType, "app_id"),
        .conversion(#""properties":"{}""#, .invalidType, "properties"),
        .conversion(#""properties":[]"#, .invalidType, "properties"),
        .conversion(#""properties":{"n":1e400}"#, .invalidValue, "properties"),
        .conversion(#""properties":{"n":1e-400}"#, .invalidValue, "properties"),
        .conversion(#""properties":{"n":2e-324}"#, .invalidValue, "properties"),
        .conversion(#""properties":{"n":0e99999}"#, .invalidValue, "properties"),
        .conversion(#""properties":{"t":"\#(String(repeating: "x", count: 4_090))"}"#, .tooLarge, "properties"),
        .conversion(
            #""properties":\#(String(repeating: #"{"a":"#, count: 33))1\#(String(repeating: "}", count: 33))"#,
            .tooLarge,
            "properties"
        ),
        Breach(
            #"{"events":[{"type":"authentication","user_id":"u","sent_at":"2026-11-21T12:00:00Z"}]}"#,
            .unknownField,
            "sent_at"
        ),
    ]

    static let ids: [Breach] = [
        .conversion(#""event_id":"""#, .junkID, "event_id"),
        .install(#""user_id":"Total""#, .junkID, "user_id"), .install(#""click_id":"(others)""#, .junkID, "click_id"),
        .link(#""ref":"a,TOTAL""#, .invalidValue, "ref"), .link(#""ref":["direct"]"#, .invalidValue, "ref"),
        .post(#""post_id":"1_2","ref":" (none) ""#, .invalidValue, "ref"),
        Breach(#"{"type":"conversion","user_id":"u1","name":"(others)"}"#, .invalidValue, "name"),
        Breach(#"{"type":"conversion","user_id":"u1","name":"Direct"}"#, .invalidValue, "name"),
        .conversion(#""event_id":"00000000-0000-0000-0000-000000000000""#, .junkID, "event_id"),
        .conversion(#""event_id":"FFFFFFFF-ffff-ffff-ffff-ffffffffffff""#, .junkID, "event_id"),
        .conversion(#""event_id":"undefined""#, .junkID, "event_id"),
        .conversion(#""event_id":"42-a""#, .invalidValue, "event_id"),
        .conversion(#""event_id":"018f3f5e7c1a7b7e9d2b3f4c5d6e7f80""#, .invalidValue, "event_id"),
        .conversion(#""event_id":17"#, .invalidType, "event_id"),
        .conversion(#""device_id":12"#, .invalidType, "device_id"),
        .conversion(#""device_id":{"id":"x"}"#, .invalidType, "device_id"),
        .conversion(#""device_id":"\#(String(repeating: "d", count: 257))""#, .tooLarge, "device_id"),
        .conversion(#""device_id":"\#(String(repeating: "é", count: 129))""#, .tooLarge, "device_id"),
        .conversion(#""click_id":" ""#, .junkID, "click_id"),
        .conversion(#""click_id":"""#, .junkID, "click_id"),
        Breach(#"{"type":"conversion","name":"x"}"#, .missingField, "user_id"),
        Breach(#"{"type":"conversion","name":"x","user_id":null}"#, .missingField, "user_id"),
        Breach(#"{"type":"inbound_link","channel":"search"}"#, .missingField, "user_id"),
        Breach(#"{"type":"install"}"#, .missingField, "user_id"),
        Breach(#"{"type":"authentication"}"#, .missingField, "user_id"),
        .post(#""post_id":"undefined""#, .junkID, "post_id"),
        .post(#""post_id":"""#, .junkID, "post_id"),
    ]

    static let times: [Breach] = [
        .conversion(#""occurred_at":1795262400"#, .invalidType, "occurred_at"),
        .conversion(#""occurred_at":"""#, .invalidValue, "occurred_at"),
        .conversion(#""occurred_at":"2026-11-21""#, .invalidValue, "occurred_at"),
        .conversion(#""occurred_at":"2026-11-21T12:00:00""#, .invalidValue, "occurred_at"),
        .conversion(#""occurred_at":"2026-02-30T12:00:00Z""#, .invalidValue, "occurred_at"),
        .conversion(#""occurred_at":"2026-11-21T13:00:00.000001Z""#, .inFuture, "occurred_at"),
        .conversion(#""occurred_at":"2025-10-17T11:59:59.999999Z""#, .tooOld, "occurred_at"),
        .conversion(#""occurred_at":"0001-01-01T00:00:00Z""#, .tooOld, "occurred_at"),
        .conversion(#""occurred_at":"9999-12-31T23:59:59Z""#, .inFuture, "occurred_at"),
        .link(#""clicked_at":"2026-11-21T13:00:01Z""#, .inFuture, "clicked_at"),
        .link(#""clicked_at":"yesterday""#, .invalidValue, "clicked_at"),
    ]

    static let links: [Breach] = [
        Breach(#"{"type":"inbound_link","user_id":"u"}"#, .missingField, "url"),
        Breach(#"{"type":"link_click"}"#, .missingField, "url"),
        Breach(#"{"type":"link_click","url":"","target_url":""}"#, .missingField, "url"),
        .link(#""url":7"#, .invalidType, "url"),
        .link(#""url":"https://example.com/\#(String(repeating: "a", count: 8_192))""#, .tooLarge, "url"),
        .link(#""target_url":"\#(String(repeating: "a", count: 8_193))""#, .tooLarge, "target_url"),
        .link(#""url":"fb1://authorize?error=access_denied""#, .loginResult, "url"),
        Breach(#"{"type":"inbound_link","user_id":"u1","channel":"Search"}"#, .invalidValue, "channel"),
        Breach(#"{"type":"inbound_link","user_id":"u1","channel":"direct"}"#, .invalidValue, "channel"),
        .link(#""authenticated":"true""#, .invalidType, "authenticated"),
        .link(#""authenticated":1"#, .invalidType, "authenticated"),
        .link(#""deferred":0"#, .invalidType, "deferred"),
        .link(#""paid":"no""#, .invalidType, "paid"),
        .link(#""ref":7"#, .invalidType, "ref"),
        .link(#""ref":{"a":1}"#, .invalidType, "ref"),
        .link(#""ref":["a",1]"#, .invalidType, "ref"),
        .link(#""ref":"\#(String(repeating: "r", count: 257))""#, .tooLarge, "ref"),
        .link(#""ref":"\#((0..<17).map { "r\($0)" }.joined(separator: ","))""#, .tooLarge, "ref"),
        .link(#""referer_app":"\#(String(repeating: "r", count: 257))""#, .tooLarge, "referer_app"),
        .link(#""referer_url":false"#, .invalidType, "referer_url"),
        .install(#""url":"fb1://authorize?error=access_denied""#, .loginResult, "url"),
        Breach(#"{"type":"install","install_referrer":"utm_medium=organic"}"#, .missingField, "user_id"),
        .link(#""install_referrer":"click_id=c""#, .unknownField, "install_referrer"),
    ]

    static let posts: [Breach] = [
        Breach(#"{"type":"feed_post"}"#, .missingField, "callback_url"),
        .post(#""error_code":4201"#, .missingField, "callback_url"),
        .post(#""callback_url":"fbconnect://success?request=1&to[0]=2""#, .notAFeedPost, "callback_url"),
        .post(#""callback_url":"fb123://bridge/share""#, .invalid, "callback_url"),
        .post(#""callback_url":"fb123://bridge/share","outcome":"posted""#, .invalid, "callback_url"),
        .post(#""callback_url":["x"]"#, .invalidType, "callback_url"),
        .post(
            #""callback_url":"fbconnect://success?post_id=\#(String(repeating: "1", count: 257))""#,
            .tooLarge,
            "callback_url"
        ),
        .post(#""dialog":"Feed","outcome":"posted""#, .invalidValue, "dialog"),
        .post(#""outcome":"success""#, .invalidValue, "outcome"),
        .post(#""outcome":"posted","composer":"dialog""#, .invalidValue, "composer"),
        .post(#""outcome":"failed","error_code":"4201a""#, .invalidValue, "error_code"),
        .post(#""outcome":"failed","error_code":"+4201""#, .invalidValue, "error_code"),
        .post(#""outcome":"failed","error_code":" 1""#, .invalidValue, "error_code"),
        .post(#""outcome":"failed","error_code":true"#, .invalidType, "error_code"),
        .post(#""outcome":"failed","error_code":1.5"#, .invalidValue, "error_code"),
        .post(#""outcome":"failed","error_code":9223372036854775808"#, .invalidValue, "error_code"),
        .post(
            #""outcome":"failed","error_message":"\#(String(repeating: "e", count: 4_097))""#,
            .tooLarge,
            "error_message"
        ),
        .post(#""outcome":"posted","link":"\#(String(repeating: "l", count: 8_193))""#, .tooLarge, "link"),
        .post(#""outcome":"posted","object_id":"\#(String(repeating: "o", count: 257))""#, .tooLarge, "object_id"),
        .post(#""outcome":"posted","action_type":1"#, .invalidType, "action_type"),
    ]

    static let logins: [Breach] = [
        .login(#""url":"https://example.com/?fb_source=feed""#, .notALoginResult, "url"),
        .login(#""url":"fb1://authorize?state=S""#, .notALoginResult, "url"),
        .login(#""url":"x","outcome":"granted""#, .notALoginResult, "url"),
        .login(#""url":7"#, .invalidType, "url"),
        .login(#""outcome":"posted""#, .invalidValue, "outcome"),
        .login(#""outcome":"""#, .invalidValue, "outcome"),
        .login(#""outcome":true"#, .invalidType, "outcome"),
        .login(#""error_code":4201"#, .missingField, "outcome"),
        .login(#""error_message":"no""#, .missingField, "outcome"),
        .login(#""callback_url":"fbconnect://cancel""#, .unknownField, "callback_url"),
        .post(#""outcome":"granted""#, .invalidValue, "outcome"),
        .post(#""outcome":"denied""#, .invalidValue, "outcome"),
    ]

    static let conversions: [Breach] = [
        Breach(#"{"type":"conversion","user_id":"u"}"#, .missingField, "name"),
        Breach(#"{"type":"conversion","user_id":"u","name":" "}"#, .missingField, "name"),
        Breach(#"{"type":"conversion","user_id":"u","name":7}"#, .invalidType, "name"),
        Breach(
            #"{"type":"conversion","user_id":"u","name":"\#(String(repeating: "n", count: 257))"}"#,
            .tooLarge,
            "name"
        ),
        .conversion(#""value":1"#, .missingField, "currency"),
        .conversion(#""currency":"USD""#, .missingField, "value"),
        .conversion(#""value":null,"currency":"USD""#, .missingField, "value"),
        .conversion(#""value":"1,5","currency":"USD""#, .invalidValue, "value"),
        .conversion(#""value":"","currency":"USD""#, .invalidValue, "value"),
        .conversion(#""value":1e13,"currency":"USD""#, .invalidValue, "value"),
        .conversion(#""value":true,"currency":"USD""#, .invalidType, "value"),
        .conversion(#""value":1,"currency":"""#, .invalidValue, "currency"),
        .conversion(#""value":1,"currency":"XXX""#, .invalidValue, "currency"),
        .conversion(#""value":1,"currency":"US""#, .invalidValue, "currency"),
        .conversion(#""value":1,"currency":"ABC""#, .invalidValue, "currency"),
        .conversion(#""value":1,"currency":840"#, .invalidType, "currency"),
    ]

    static let texts: [Breach] = [
        .conversion(#""device_id":"a\u0000b""#, .invalidText, "device_id"),
        .conversion(#""device_id":"\ud800""#, .invalidText, "device_id"),
        Breach(#"{"type":"conversion","user_id":"u1","name":"\udc00x"}"#, .invalidText, "name"),
        .conversion(#""properties":{"a":"\u0000"}"#, .invalidText, "properties"),
        .conversion(#""properties":{"\u0000":1}"#, .invalidText, "properties"),
        .conversion(#""properties":{"a":["\ud800"]}"#, .invalidText, "properties"),
        .conversion(#""properties":{"\ud800":1}"#, .invalidText, "properties"),
        .conversion(#""properties":{"\ud800\"":1}"#, .invalidText, "properties"),
        .conversion(#""event_id":"\ud800""#, .invalidText, "event_id"),
        .conversion(#""event_id":"\u0000""#, .invalidText, "event_id"),
        .conversion(#""occurred_at":"\ud800""#, .invalidText, "occurred_at"),
        .conversion(#""value":"\ud800","currency":"USD""#, .invalidText, "value"),
        .link(#""ref":"a\u0000""#, .invalidText, "ref"),
        .link(#""ref":["\ud800"]"#, .invalidText, "ref"),
        .link(#""url":"https://example.com/\u0000""#, .invalidText, "url"),
    ]

    /// What is not 0 as a double is within its range.
    @Test(arguments: ["5e-324", "-5e-324", "3e-324", "2.2250738585072e-308", "1.7e308", "0e300"])
    func aPropertyMayBeAnyDouble(_ number: String) throws {
        let body = #"{"type":"conversion","user_id":"u","name":"n","properties":{"n":\#(number)}}"#
        #expect(try event(body).properties == #"{"n":\#(number)}"#)
    }

    @Test func anEventMayHave32KiB() throws {
        func body(_ size: Int) -> String {
            let rest = #"{"type":"link_click","properties":{"a":1},"error_message":"","url":"x"}"#
            return String(rest.dropLast()) + String(repeating: " ", count: size - rest.utf8.count) + "}"
        }
        #expect(try rejection(body(32 * 1_024)).code == .unknownField)
        let tooLarge = try rejection(body(32 * 1_024 + 1))
        #expect(tooLarge.code == .tooLarge)
        #expect(tooLarge.field == nil)
        #expect(tooLarge.redactedEvent.utf8.count == 32 * 1_024)
    }

    @Test(arguments: [
        "0", "-1", "null", "NULL", " Null ", "nil", "None", "NaN", "undefined", "anonymous", "ANONYMOUS\\n", "unknown",
        "guest",
        "n/a", "-", "(null)", "<null>", "[object Object]", "true", "False", "\\\"null\\\"", "'undefined'",
        "00000000-0000-0000-0000-000000000000", "000000000000000", "00:00:00:00:00:00",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "9774d56d682e549c", "0.0", "", "  ",
        "\u{200B}", "\u{FEFF}", "\u{A0}\u{3000}", "\u{2060}\u{200D}", "\u{3164}", "\u{2800}", "\u{AD}", "\u{E0020}",
        "\\u0001",
        "\u{200B}null\u{FEFF}", "02:00:00:00:00:00", "02-00-00-00-00-00", "020000000000", "0200.0000.0000",
        "02 00 00 00 00 00",
        "{gps_adid}", "{{user.id}}", "{{ user_id }}", "${USER_ID}", "#{user_id}", "%USER_ID%", "%%user_id%%",
        "__IDFA__", "__ANDROID_ID__", "[[USER_ID]]", "$$user_id$$", "@@USER_ID@@", "@USER_ID@",
        "##USER_ID##", "#user_id#",
        "user-{{id}}", "u-${USER_ID}@example.com", "$(USER_ID)", "%(user_id)s", "*|USER_ID|*", "<user_id>", "[USER_ID]",
        "<%= user.id %>", "$USER_ID", ":user_id", "{0}", "{00000000-0000-0000-0000-000000000000}", "%@", "%s",
        "#REF!", "#NAME?", "#N/A", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#WERT!", "#¡REF!",
        "#ЗНАЧ!", "####",
    ])
    func anIDThatStandsForNobodyIsJunk(_ id: String) throws {
        for field in ["user_id", "device_id", "click_id"] {
            let rejection = try rejection(#"{"type":"authentication","\#(field)":"\#(id)"}"#)
            #expect(rejection.code == .junkID)
            #expect(rejection.field == field)
        }
    }

    @Test(arguments: [
        "test", "nullius", "1", "10", "00a", "anonymous7", "Nan Goldin", "no", "-2", "null-island", "é",
        "none@example.com",
        "مستخدم-🎉", "用户", "👩‍👩‍👧", "❤️", "חבר", "e\u{301}", "a\u{200D}b", "020000000001", "12:00:00:00:00:00", "#1", "#bob",
        "#42!", "#bob#", "$$ave", "$bob$", "@@",
        "[bob]", "<bob>", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}", "{AF2504E0-4F89-11D3-9A0C-0305E82C3301}", "$ave",
        "$david",
        "100%", "%20%", "__proto__", "__BOB_1", "_bob_", "{user:1}", ":bob", "@bob", "50%off", "Müller",
    ])
    func anIDThatMayBeSomebodyIsNot(_ id: String) throws {
        #expect(try event(#"{"type":"authentication","user_id":"\#(id)"}"#).userID == id)
    }

    /// Inputs from public reports, with the code of their rejection; nil if they are accepted.
    @Test(
        arguments: [
            (#"{"type":"authentication","user_id":"\u200b"}"#, .junkID),
            (#"{"type":"authentication","user_id":"\ufeff"}"#, .junkID),
            (#"{"type":"authentication","device_id":"02:00:00:00:00:00"}"#, .junkID),
            (#"{"type":"authentication","device_id":"020000000000"}"#, .junkID),
            (#"{"type":"authentication","device_id":"{gps_adid}"}"#, .junkID),
            (#"{"type":"authentication","user_id":"${USER_ID}"}"#, .junkID),
            (##"{"type":"authentication","user_id":"#REF!"}"##, .junkID),
            (##"{"type":"authentication","user_id":"#NAME?"}"##, .junkID),
            (#"{"type":"authentication","user_id":"مستخدم-🎉"}"#, nil),
            (#"{"type":"conversion","user_id":"u-1","name":"purchase","value":9899,"currency":"JPY"}"#, nil),
            (#"{"type":"track","userId":"a","anonymousId":"b","event":"Order Completed"}"#, .unknownField),
        ] as [(String, Rejection.Code?)]
    )
    func answersAsReported(_ body: String, _ code: Rejection.Code?) throws {
        let batch = try decode(body)
        #expect(batch.rejections.first?.code == code)
        #expect(batch.events.count == (code == nil ? 1 : 0))
    }

    @Test(arguments: [
        ("usr_id", "user_id"), ("userId", "user_id"), ("UserID", "user_id"), ("user-id", "user_id"), ("typ", "type"),
        ("refs", "ref"),
        ("target_ulr", "target_url"), ("occured_at", "occurred_at"), ("timestamp", "occurred_at"),
        ("referrer_url", "referer_url"),
        ("curency", "currency"), ("property", "properties"), ("callback", "callback_url"), ("revenue", "value"),
    ])
    func suggestsTheFieldThatWasMeant(_ key: String, _ meant: String) throws {
        let rejection = try rejection(#"{"type":"conversion","user_id":"u","name":"n","\#(key)":1}"#)
        #expect(rejection.code == .unknownField)
        #expect(rejection.field == key)
        #expect(rejection.message.contains("did you mean \(meant)?"), "\(rejection.message)")
    }

    @Test func suggestsNothingForAStranger() throws {
        let message = try rejection(#"{"type":"conversion","user_id":"u","name":"n","shoe_size_of_aunt":1}"#).message
        #expect(!message.contains("did you mean"))
        #expect(message.contains("properties"))
    }

    @Test func namesTheAllowedWords() throws {
        #expect(try rejection(#"{"type":"link_click","channel":"x"}"#).message.contains("story_attribution"))
        #expect(
            try rejection(#"{"type":"feed_post","outcome":"posted","composer":"tv"}"#).message
                == "composer must be feed_dialog, share_dialog, open_graph, stories or request_dialog"
        )
        #expect(try rejection(#"{"type":"conversions"}"#).message.contains("did you mean conversion?"))
    }

    @Test func namesTheTypesThatAFieldIsFor() throws {
        let rejection = try rejection(#"{"type":"install","user_id":"u","target_url":"x"}"#)
        #expect(rejection.message == "target_url is a field of inbound_link or link_click, not of install")
    }

    @Test func theImpliedTypeCannotBeContradicted() throws {
        #expect(try event(#"{"url":"myapp://x","user_id":"u"}"#, impliedType: .inboundLink).type == .inboundLink)
        #expect(try event(#"{"type":"feed_post","outcome":"posted"}"#, impliedType: .feedPost).type == .feedPost)
        let rejection = try rejection(#"{"type":"install","user_id":"u"}"#, impliedType: .feedPost)
        #expect(rejection.code == .invalidValue)
        #expect(rejection.field == "type")
    }

    @Test func tellsTheEventIDAsSent() throws {
        #expect(try rejection(#"{"event_id":"\#(sampleID.uppercased())","type":"x"}"#).eventID == sampleID.uppercased())
        #expect(try rejection(#"{"event_id":"nonsense","type":"x"}"#).eventID == "nonsense")
        #expect(try rejection(#"{"event_id":7,"type":"x"}"#).eventID == nil)
        #expect(try rejection(#"{"event_id":"\#(String(repeating: "e", count: 999))"}"#).eventID?.utf8.count == 256)
        #expect(try rejection(#"{"event_id":"a\u0000b"}"#).eventID == "a\u{FFFD}b")
    }

    @Test func messagesHoldNoValues() throws {
        for breach in Self.envelope + Self.ids + Self.times + Self.links + Self.posts + Self.conversions {
            let message = try rejection(breach.body).message
            for value in ["u1", "signup", "purchase", "1795262400", "access_denied", "ABC", "rrr", "aaa"] {
                #expect(!message.contains(value), "\(message)")
            }
        }
    }

    @Test(arguments: EventField.allCases) func everyKeyIsFound(_ field: EventField) {
        #expect(EventField(key: field.key) == field)
        #expect(EventField(key: field.key + "s") == nil)
        #expect(EventField.allCases.count <= 64)
    }
}
