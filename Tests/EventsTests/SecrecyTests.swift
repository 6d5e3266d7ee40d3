import EventTesting
import Events
import InboundLinks
import Testing
import RandomTesting

/// No token of docs/links.md, *Secrets*, ever leaves the decoder, wherever and however it is encoded in the input.
@Suite("Secrecy")
struct SecrecyTests {
    private static let token = "EAABsbCS1iHgBAKq"

    private static let names = [
        "access_token", "fb_access_token", "signed_request", "acs_token", "shared_secret", "long_lived_token",
        "accessToken", "id_token", "authentication_token", "client_secret", "password", "appsecret_proof", "fbsr_1",
        "session_key", "authCode", "jwt",
    ]

    /// The spellings of a token in a text: as parameter, as member, encoded, in a link, in JSON in a link …
    private static func spellings(of name: String) -> [String] {
        let pair = "\(name)=\(token)"
        let member = #"{"\#(name)":"\#(token)"}"#
        let upper = name.uppercased()
        return [
            pair, "\(upper)=\(token)", member, #"{"a":[\#(member)]}"#, #"{"\#(name)" : "\#(token)", "b":1}"#,
            "a=1&\(pair)&b=2", "https://example.com/?\(pair)",
            "fb123://authorize#\(pair)&target_url=http%3A%2F%2Fexample.com",
            "https://example.com/?next=\(encoded("https://example.com/?\(pair)"))",
            "https://example.com/?next=\(encoded(encoded("https://example.com/?\(pair)")))",
            "myapp://x?al_applink_data=\(encoded(#"{"target_url":"x://y?\#(pair)","extras":{"\#(name)":"\#(token)"}}"#))",
            #"myapp://x?al_applink_data={"target_url":"x:\/\/y","extras":{"\#(name)":"\#(token)"}}"#,
            "myapp://x?fb_applink_args=\(encoded(#"{"method_args":{"ref":"r","target_url":"x://y?\#(pair)"}}"#))",
            "fbconnect://success?post_id=1_2&\(pair)",
            "fb123://bridge/share?bridge_args=\(encoded(#"{"action_id":"1","\#(name)":"\#(token)"}"#))&method_results=\(encoded(member))",
            name.replacing("_", with: "%5F") + "=" + token,
            #"{"\#(name.replacing("_", with: "\\u005f"))":"\#(token)"}"#,
            #"{"x":"{\"\#(name)\":\"\#(token)\"}"}"#,
        ]
    }

    private static let loginResults = [
        "fb123://authorize?code=\(token)&state=1", "fb123://authorize#granted_scopes=x&state=\(token)",
        "fb123://authorize/?error=access_denied&state=\(token)", "fb123://authorize.?code=\(token)",
        "fb123://user@authorize?code=\(token)&x=a@b", "FBCONNECT://success?code=\(token)",
        "https://example.com/?u=\(encoded("fb1://authorize?code=\(token)&state=2"))",
        "https://example.com/cb?code=\(token)&state=1#_=_",
        "https://example.com/cb?state=\(token)&code=\(token)0123456789",
        "fbconnect://success?code=\(token)", "wrong token \(token)0123456789 sent", "Authorization: Bearer \(token)",
        "https://user:\(token)@example.com/", "eyJhbGciOiJI.eyJ\(token).\(token)",
        #"[{"name":"access_token","value":"\#(token)"}]"#, #"[{"value":"\#(token)","key":"client_secret"}]"#,
    ]

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._~".unicodeScalars.contains(scalar)
            if byte < 0x80, isPlain { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }

    /// Each event as members, with a secret in place of the field: every field of every type, and one that is none.
    private static let fields: [(field: String, members: [(key: String, json: String)])] =
        FieldUse.all.map { ($0.field.key, $0.members()) }
        + EventType.allCases.map {
            let use = FieldUse(type: $0, field: .eventID)
            return ("unheard_of", use.members(without: [.eventID]) + [("unheard_of", "1")])
        }

    private static func body(_ members: [(key: String, json: String)], _ field: String, _ secret: String) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.key == field ? secret : $0.json)" }.joined(separator: ",") + "}"
    }

    private func expectSecrecy(
        _ body: String,
        as mediaType: BatchDecoder.MediaType = .json,
        impliedType: EventType? = nil
    ) {
        do {
            let batch = try decode(body, as: mediaType, impliedType: impliedType)
            #expect(batch.count == 1)
            for rejection in batch.rejections {
                #expect(!String(describing: rejection).contains(Self.token), "\(body)")
            }
            for decoded in batch.events {
                #expect(!String(describing: decoded).contains(Self.token), "\(body)")
                #expect(!EventJSON.encode(decoded.event).contains(Self.token))
            }
        } catch {
            #expect(!"\(error)\(String(reflecting: error))".contains(Self.token), "\(body)")
        }
    }

    /// A third of the spellings in each field, others in the next field and on the next day; all of them with
    /// `TRIBUTARY_TEST_SAMPLES`.
    @Test(arguments: names)
    func noFieldKeepsAToken(_ name: String) {
        var spelling = JSONSpelling(random: SeededRandom(seed: TestSeeds.first))
        let (shares, first) = (TestSeeds.samples > 1 ? 1 : 3, Int(TestSeeds.first % 3))
        let spellings = Array(Self.spellings(of: name).enumerated())
        for (number, (field, members)) in Self.fields.enumerated() {
            for (position, secret) in spellings where (position + number + first) % shares == 0 {
                expectSecrecy(Self.body(members, field, spelling.string(secret)))
            }
        }
    }

    @Test func noFieldKeepsTheCodeOfALogin() {
        var spelling = JSONSpelling(random: SeededRandom(seed: 78))
        for (field, members) in Self.fields {
            for secret in Self.loginResults {
                expectSecrecy(Self.body(members, field, spelling.string(secret)))
            }
        }
    }

    @Test(arguments: names)
    func propertiesKeepNoTokenAndStayJSON(_ name: String) throws {
        let token = Self.token
        var properties = [
            #"{"\#(name)":"\#(token)"}"#, #"{"a":{"b":[{"\#(name)":["\#(token)",{"x":"\#(token)"}]}]}}"#,
            #"{"\#(name)":{"value":"\#(token)"},"b":1}"#, #"{"\#(name.uppercased())":"\#(token)"}"#,
            #"{"\#(name)[]":"\#(token)"}"#, #"{"\#(name.replacing("_", with: "\\u005f"))":"\#(token)"}"#,
            #"{"\#(name)=\#(token)":1}"#, #"{"\#(name)":17,"b":[true]}"#, #"{"\#(name)":null}"#,
        ]
        var spelling = JSONSpelling(random: SeededRandom(seed: 79))
        properties += Self.spellings(of: name).map { #"{"text":\#(spelling.string($0)),"after":1}"# }
        properties += Self.loginResults.map { #"{"text":\#(spelling.string($0)),"after":1}"# }
        for text in properties {
            let body = #"{"type":"authentication","user_id":"u","properties":\#(text)}"#
            expectSecrecy(body)
            let kept = try #require(try event(body).properties)
            #expect(
                try event(#"{"type":"authentication","user_id":"u","properties":\#(kept)}"#).properties == kept,
                "\(kept)"
            )
            if text.contains("after") { #expect(kept.contains(#""after""#), "\(kept)") }
        }
    }

    @Test(arguments: names)
    func keysAndEnvelopesKeepNoToken(_ name: String) {
        var spelling = JSONSpelling(random: SeededRandom(seed: 80))
        for secret in Self.spellings(of: name) {
            expectSecrecy(#"{"type":"authentication","user_id":"u",\#(spelling.string(secret)):1}"#)
            expectSecrecy(#"{"events":[{"type":"x"}],\#(spelling.string(secret)):1}"#)
            expectSecrecy(#"{"events":[{"type":"x"}],"sent_at":\#(spelling.string(secret))}"#)
            expectSecrecy("[\(spelling.string(secret))]")
        }
        expectSecrecy(#"{"type":"authentication","user_id":"u","\#(name)":"\#(Self.token)"}"#)
        expectSecrecy(#"{"type":"authentication","user_id":"u","\#(name)":{"a":["\#(Self.token)"]}}"#)
    }

    @Test(arguments: names)
    func brokenTextKeepsNoToken(_ name: String) {
        for secret in Self.spellings(of: name) + Self.loginResults {
            expectSecrecy(secret.replacing("\n", with: " "), as: .ndjson)
            expectSecrecy(#"{"type":"authentication","user_id":"\#(secret)"#, as: .ndjson)
            expectSecrecy("url=\(Self.encoded(secret))", as: .form, impliedType: .inboundLink)
            expectSecrecy("user_id=u&url=\(secret)", as: .form, impliedType: .inboundLink)
            expectSecrecy("callback_url=\(Self.encoded(secret))", as: .form, impliedType: .feedPost)
        }
        expectSecrecy("\(name)=\(Self.token)", as: .form, impliedType: .feedPost)
    }

    /// A secret may contain the separator of refs, or of the pairs of a form.
    @Test(arguments: names)
    func noSeparatorBaresAToken(_ name: String) throws {
        let token = Self.token
        for list in [#"{"\#(name)":["a","\#(token)"]}"#, #"{"\#(name)":{"a":1,"b":"\#(token)"}}"#] {
            var spelling = JSONSpelling(random: SeededRandom(seed: 81))
            expectSecrecy(#"{"type":"link_click","channel":"search","ref":\#(spelling.string(list))}"#)
            expectSecrecy(#"{"type":"link_click","channel":"search","ref":[\#(spelling.string(list))]}"#)
            expectSecrecy(#"{"type":"link_click","url":\#(spelling.string("x://y?fb_ref=\(Self.encoded(list))"))}"#)
        }
        for text in [#"{"\#(name)":["a=","\#(token)"]}"#, #"{"\#(name)":["a=&","\#(token)"]}"#] {
            expectSecrecy(text, as: .form, impliedType: .inboundLink)
            expectSecrecy("url=x&\(text)", as: .form, impliedType: .inboundLink)
        }
        expectSecrecy(
            #"user_id=u&url=x://y?a={"\#(name)":"a&\#(token)=b"}"#,
            as: .form,
            impliedType: .inboundLink
        )
        let form = "user_id=u&url=fb1://authorize%23\(name)=\(token)%26target_url=x://y"
        let link = try #require(try decode(form, as: .form, impliedType: .inboundLink).events.first).event
        guard case .inboundLink(let touch) = link.content else { throw BatchError.empty }
        #expect(touch.link.authenticated == (name == "access_token"))
        #expect(touch.link.targetURL == "x://y")
    }

    /// JSON that is spread over lines and sent as one event a line.
    @Test(arguments: names)
    func noLineBreakBaresAToken(_ name: String) throws {
        let token = Self.token
        for value in ["\n\"\(token)\"", " [\n\"a\",\n\"\(token)\"\n]", "{\n\"a\":1,\n\"b\":\n\"\(token)\"\n}"] {
            let text = "{\n\"type\":\"install\",\n\"\(name)\":\(value),\n\"user_id\":\n\"u\"\n}"
            let batch = try decode(
                "{\"type\":\"install\",\"user_id\":\"u\"}\n\(text)\n{\"type\":\"install\",\"user_id\":\"u\"}",
                as: .ndjson
            )
            #expect(batch.events.count == 2)
            #expect(batch.rejections.allSatisfy { !$0.redactedEvent.contains(token) }, "\(batch.rejections)")
            #expect(batch.rejections.contains { $0.redactedEvent == "\"u\"" })
        }
    }

    /// A long event is cut: the cut may fall into the token or its name.
    @Test func theCutOfADeadLetterBaresNoToken() throws {
        for fill in stride(from: 32_600, to: 32_800, by: 7) {
            let secret = String(repeating: Self.token, count: 20)
            let body = #"{"type":"x","user_id":"\#(String(repeating: "a", count: fill))","access_token":"\#(secret)"}"#
            expectSecrecy(body)
        }
        let secrets = (0..<9_000).map { #""access_token\#($0)":"\#(Self.token)""# }.joined(separator: ",")
        expectSecrecy("{\(secrets)}")
    }
}
