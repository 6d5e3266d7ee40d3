import InboundLinks
import JSONReading
import Testing

/// docs/links.md, *Secrets*.
@Suite("Redaction")
struct RedactionTests {
    @Test(arguments: [
        ("https://a.example/?access_token=S&b=1", "https://a.example/?access_token=REDACTED&b=1"),
        ("access_token=S", "access_token=REDACTED"), ("a=1&signed_request=a.b#x", "a=1&signed_request=REDACTED#x"),
        ("fb1://authorize#access_token=S&target_url=U", "fb1://authorize#access_token=REDACTED&target_url=U"),
        ("fb1://authorize?access_token=S#target_url=U", "fb1://authorize?access_token=REDACTED#target_url=U"),
        (
            "ACCESS_TOKEN=S&Fb_Access_Token=S&acs_token=S&shared_secret=S",
            "ACCESS_TOKEN=REDACTED&Fb_Access_Token=REDACTED&acs_token=REDACTED&shared_secret=REDACTED"
        ),
        ("access%5Ftoken=S&b=1", "access%5Ftoken=REDACTED&b=1"), ("%61ccess_token=S&b", "%61ccess_token=REDACTED&b"),
        ("access_token%3DS%26b%3D1&c=2", "access_token%3DREDACTED%26b%3D1&c=2"),
        ("u=http%3A%2F%2Fx%3Faccess%255Ftoken%3DS%26b&c", "u=http%3A%2F%2Fx%3Faccess%255Ftoken%3DREDACTED%26b&c"),
        (
            "access_token[0]=S&access_token%5B%5D=S&x[access_token]=S&",
            "access_token[0]=REDACTED&access_token%5B%5D=REDACTED&x[access_token]=REDACTED&"
        ),
        ("access_token=a%26b%23c&d", "access_token=REDACTED&d"), ("access_token=&b=1", "access_token=&b=1"),
        (#"{"access_token":"S","b":1}"#, #"{"access_token":"REDACTED","b":1}"#),
        (#"{"access_token" : "a\"b\\","b":1}"#, #"{"access_token" : "REDACTED","b":1}"#),
        (#"{"access_token":123,"b":1}"#, #"{"access_token":"REDACTED","b":1}"#),
        (#"{"a":{"access_token":-1.5e3}}"#, #"{"a":{"access_token":"REDACTED"}}"#),
        (#"{"access_token":{"a":"}","b":["S"]},"b":1}"#, #"{"access_token":"REDACTED","b":1}"#),
        (#"{"access_token":["S","S"],"b":1}"#, #"{"access_token":"REDACTED","b":1}"#),
        (#"{"access_token":null,"b":1}"#, #"{"access_token":null,"b":1}"#),
        (#"{"\u0061ccess_token":"S"}"#, #"{"\u0061ccess_token":"REDACTED"}"#),
        (
            #"{\u0022access_token\u0022:\u0022S\u0022,\u0022b\u0022:1}"#,
            #"{\u0022access_token\u0022:\u0022REDACTED\u0022,\u0022b\u0022:1}"#
        ),
        (
            #"{"d":"{\"access_token\":\"S\\\"T\",\"b\":1}","e":1}"#,
            #"{"d":"{\"access_token\":\"REDACTED\",\"b\":1}","e":1}"#
        ),
        (#"{"d":"{\"access_token\":123,\"b\":1}"}"#, #"{"d":"{\"access_token\":\"REDACTED\",\"b\":1}"}"#),
        (#"{"url":"http:\/\/x\/?access_token=S","b":1}"#, #"{"url":"http:\/\/x\/?access_token=REDACTED","b":1}"#),
        (
            #"{"d":"{\"url\":\"http://x?access_token=S\",\"b\":1}"}"#,
            #"{"d":"{\"url\":\"http://x?access_token=REDACTED\",\"b\":1}"}"#
        ),
        (
            #"x?al={"url":"http://x?access_token=S","b":1}&c=2"#,
            #"x?al={"url":"http://x?access_token=REDACTED","b":1}&c=2"#
        ),
        (
            "x?al=%7B%22acs_token%22%3A+%22S%22%2C%22b%22%3A1%7D&c",
            "x?al=%7B%22acs_token%22%3A+%22REDACTED%22%2C%22b%22%3A1%7D&c"
        ),
        (
            "x?al=%7B%22acs_token%22%3A5%2C%22b%22%3A1%7D&c",
            "x?al=%7B%22acs_token%22%3A%22REDACTED%22%2C%22b%22%3A1%7D&c"
        ),
        (
            "x?al=%7B%22u%22%3A%22http%3A%5C%2F%5C%2Fx%3Faccess_token%3DS%26b%22%7D",
            "x?al=%7B%22u%22%3A%22http%3A%5C%2F%5C%2Fx%3Faccess_token%3DREDACTED%26b%22%7D"
        ),
        (
            "x?al=%7B%22u%22%3A%22http://x?access_token=S%22%7D&c",
            "x?al=%7B%22u%22%3A%22http://x?access_token=REDACTED%22%7D&c"
        ),
        ("{'access_token': 'S', 'b': 1}", "{'access_token': 'REDACTED', 'b': 1}"),
        (#"{access_token:"S",b:1}"#, #"{access_token:"REDACTED",b:1}"#),
        (#"{"access_token":"S"#, #"{"access_token":"REDACTED"#),
        (#"{"access_token":{"a":"S"#, #"{"access_token":"REDACTED""#),
        ("x=50%access_token=S&b", "x=50%access_token=REDACTED&b"),
        ("x=50%25access_token%3DS%26b", "x=50%25access_token%3DREDACTED%26b"),
        (#"\u00access_token=S&b"#, #"\u00access_token=REDACTED&b"#), ("%2acs_token=S&b", "%2acs_token=REDACTED&b"),
        (#"{"access_token":{},"b":[]}"#, #"{"access_token":{},"b":[]}"#),
        (#"["access_token=S","b"]"#, #"["access_token=REDACTED","b"]"#),
        ("access_token: Bearer S", "access_token: REDACTED"),
        (#"array("access_token"=>"S","b"=>1)"#, #"array("access_token"=>REDACTED"#),
    ])
    func replacesTheValuesOnly(_ text: String, _ expected: String) {
        #expect(Redaction.redact(text) == expected)
        #expect(Redaction.redact(expected) == expected)
    }

    @Test(arguments: [
        "https://a.example/?fb_source=feed&token=T&code=C&state=CA&request_ids=1", "access_token",
        "An access_token must be used",
        "my_token=1&secret=2&request=3", #"{"scope":"access_token,b","code":5}"#, "%", "\\u", "access%20token=1", "",
        "fb1://authorize#state=CA&target_url=http%3A%2F%2Fx&code=5", "https://authorized.example/?code=1",
        "fb1://authorizer?code=1",
    ])
    func leavesAllElseAlone(_ text: String) {
        #expect(Redaction.redact(text) == text)
    }

    @Test(arguments: [
        ("fb1://authorize?code=S&state=S&error_code=5", "fb1://authorize?code=REDACTED&state=REDACTED&error_code=5"),
        (
            #"{"url":"fb1://authorize#state=S&granted_scopes=a","code":"C"}"#,
            #"{"url":"fb1://authorize#state=REDACTED&granted_scopes=a","code":"C"}"#
        ),
        (
            "url=fb1%3A%2F%2Fauthorize%3Fcode%3DS%26state%3DS&code=C",
            "url=fb1%3A%2F%2Fauthorize%3Fcode%3DREDACTED%26state%3DREDACTED&code=C"
        ),
        ("FB1://Authorize/#STATE=S", "FB1://Authorize/#STATE=REDACTED"),
        ("fb1://authorize#state=%7B%22challenge%22%3A%22S%22%7D&x=1", "fb1://authorize#state=REDACTED&x=1"),
        ("fb1%3A//authorize?x=1&code=S&b=2", "fb1%3A//authorize?x=1&code=REDACTED&b=2"),
        ("see fb1%3A%2F%2Fauthorize?x=1&code=S", "see fb1%3A%2F%2Fauthorize?x=1&code=REDACTED"),
        ("fb1%3A%2F%2Fauthorize%3Fx=1&state=S", "fb1%3A%2F%2Fauthorize%3Fx=1&state=REDACTED"),
        ("see fb1%3A%2F%2Fauthorize%3Fx%3D1&code=S", "see fb1%3A%2F%2Fauthorize%3Fx%3D1&code=REDACTED"),
        ("url=fb1%3A//authorize?x=1&code=S", "url=fb1%3A//authorize?x=1&code=REDACTED"),
        (#"{"u":"fb1:\/\/authorize?x=1&code=S"}"#, #"{"u":"fb1:\/\/authorize?x=1&code=REDACTED"}"#),
        (
            "fb1://authorize?u=http%3A%2F%2Fx%3Ftarget_url%3Dy&code=S",
            "fb1://authorize?u=http%3A%2F%2Fx%3Ftarget_url%3Dy&code=REDACTED"
        ),
    ])
    func findsLoginResultsInAnyText(_ text: String, _ expected: String) {
        #expect(Redaction.redact(text) == expected)
    }

    @Test func theNamesOfALoginResultAreWholeNames() {
        #expect(
            Redaction.redact("error_code=1&code=S&zip.code=2&state=S&estate=3&states=4", loginResult: true)
                == "error_code=1&code=REDACTED&zip.code=2&state=REDACTED&estate=3&states=4"
        )
    }

    /// Every way in which inputs wrap a text. The test nests them.
    private static let wrappings: [@Sendable (String) -> String] = [
        { encoded($0) }, { "https://w.example/?a=1&u=\(encoded($0))&z=2" },
        { text in
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return #"{"k":"\#(escaped)","z":2}"#
        },
        { text in
            let escaped = text.replacing("\\", with: "\\u005c").replacing("\"", with: "\\u0022").replacing(
                "/",
                with: "\\/"
            )
            return #"{"k":"\#(escaped)","z":2}"#
        },
    ]

    @Test(arguments: [
        "access_token=TOPSECRET", "x?access_token=TOPSECRET&b=1", #"{"access_token":"TOPSECRET"}"#,
        #"{"signed_request": {"a": ["TOPSECRET"]}}"#, #"{"shared_secret":TOPSECRET}"#, "acs%5Ftoken=TOPSECRET",
        "fb1://authorize?code=TOPSECRET", #"{"url":"fb1://authorize?state=TOPSECRET"}"#,
    ])
    func findsThemAtEveryDepth(_ core: String) throws {
        for first in Self.wrappings {
            for second in Self.wrappings {
                for third in Self.wrappings {
                    for fourth in Self.wrappings {
                        let text = fourth(third(second(first(core))))
                        let redacted = Redaction.redact(text)
                        #expect(!redacted.contains("TOPSECRET"))
                        #expect(redacted.contains("REDACTED"))
                        #expect(Redaction.redact(redacted) == redacted)
                        if text.hasPrefix("{") {
                            let root = try JSONDocument(reading: redacted.utf8).root
                            #expect(root["z"]?.number == "2")
                        } else if text.hasPrefix("https:") {
                            #expect(redacted.hasPrefix("https://w.example/?a=1&u="))
                            #expect(redacted.hasSuffix("&z=2"))
                        }
                    }
                }
            }
        }
    }

    @Test func theRestOfADeepTextStaysByteForByte() {
        for depth in 1...6 {
            var text = #"{"a":"é \" {","access_token":"S","b":[1,2,"%41"]}"#
            var expected = text.replacing(#""S""#, with: #""REDACTED""#)
            for _ in 0..<depth {
                text = "x://y?q=\(encoded(text))&r=%E4%BD%A0"
                expected = "x://y?q=\(encoded(expected))&r=%E4%BD%A0"
            }
            #expect(Redaction.redact(text) == expected)
        }
    }

    @Test(arguments: [
        "{", "%", "%25", "%2525", "access_token", "access_token=", "\"access_token\":", "\\", "\\u005c", "\"", "[", "&",
        "#",
        "://authorize", "://authorize?target_url=", "al_applink_data={", "al_applink_data=%7B", "al_applink_data=%257B",
        "=", "?",
        "%5C%22", "access_token:{", "\\\"access_token\\\":\\\"", "é", "{\"a\":", "access_token \" ",
    ])
    func longRunsOfAnythingAreRead(_ unit: String) {
        let text = String(repeating: unit, count: 8_192 / unit.utf8.count)
        for input in [text, "x://a?" + text, "fb1://authorize#" + text, "fb1://bridge/x?bridge_args=" + text] {
            _ = LinkReader.read(input)
            _ = FeedPostReader.read(input, dialog: .feed)
            _ = StoryLink.normalised(input)
            let redacted = Redaction.redact(input, loginResult: true)
            #expect(redacted.utf8.count <= input.utf8.count * 10)
        }
    }
}
