import InboundLinks
import JSONReading
import Testing

/// docs/links.md, *Secrets*.
@Suite("Redaction")
struct RedactionTests {
    @Test(arguments: [
        ("authorization=Basic%20dTpw&b=1", "authorization=REDACTED&b=1"),
        (#"{"Authorization":"Basic dTpw","b":1}"#, #"{"Authorization":"REDACTED","b":1}"#),
        ("tracking_authorization=denied", "tracking_authorization=denied"),
        ("key trib_w_0123456789abcdefghij, x", "key REDACTED, x"),
        ("https://a.example/?k=trib%5Fr_0123456789abcdefghij&b", "https://a.example/?k=REDACTED&b"),
        ("trib_w_0123", "trib_w_0123"), ("distributed_workload", "distributed_workload"),
        ("a=123456789|0123456789abcdef0123456789abcdef&b", "a=123456789|REDACTED&b"),
        ("a=123456789%7C0123456789abcdef0123456789abcdef&b", "a=123456789%7CREDACTED&b"),
        (#"{"a":"123456789\u007cAbc_0123456789-abcdefgh"}"#, #"{"a":"123456789\u007cREDACTED"}"#),
        ("install|authentication", "install|authentication"), ("12345|short", "12345|short"),
    ])
    func knowsKeysByTheirShape(text: String, expected: String) {
        #expect(Redaction.redact(text) == expected)
        #expect(Redaction.redact(expected) == expected)
    }

    /// Messages that name a redacted field keep their advice when they are redacted as a whole.
    @Test(arguments: [
        "unknown field access_token=REDACTED; put your own data into properties",
        "unknown field jwt: REDACTED; put your own data into properties",
        "unknown key 'access_token=REDACTED' (did you mean 'refs'?)",
    ])
    func keepsSentencesAroundRedactedNames(text: String) {
        #expect(Redaction.redact(text) == text)
    }

    @Test(arguments: [
        ("access_token=REDACTED;S", "access_token=REDACTED"), ("access_token=REDACTEDS; a", "access_token=REDACTED"),
        ("access_token=REDACTED; token=S", "access_token=REDACTED; token=REDACTED"),
    ])
    func goesOnAfterWhatIsRedacted(text: String, expected: String) {
        #expect(Redaction.redact(text) == expected)
    }

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
        // A secret in the name of a user, and a password after the name of a secret.
        (
            "fb1://b%253Fsigned_request%253DS%2523r:P@C",
            "fb1://b%253Fsigned_request%253DREDACTED%2523r:REDACTED@C"
        ),
        ("https://a%26access_token%3DS:P@h/", "https://a%26access_token%3DREDACTED"),
        (
            "https://a//u%2Faccess_token%3DS%26b//x%3DS:P@h",
            "https://a//u%2Faccess_token%3DREDACTED%26b//x%3DS:REDACTED@h"
        ),
        ("x://u,access_token:P,a@h", "x://u,access_token:REDACTED@h"),
        // JSON whose slashes are not encoded, as JavaScript's `encodeURI` and Apple's `urlQueryAllowed` write it.
        (
            "x://o?d=%7B%22u%22:%22https://e.example%22,%22password%22:%22p@S%22%7D",
            "x://o?d=%7B%22u%22:%22https://e.example%22,%22password%22:%22REDACTED%22%7D"
        ),
        (
            "e.example%22,%22u%22:%22https://e.example%22,%22access_token%22:%22p@S%22,%22b%22:%22c@d%22%7D",
            "e.example%22,%22u%22:%22https://e.example%22,%22access_token%22:%22REDACTED%22,%22b%22:%22c@d%22%7D"
        ),
        (
            "https://e.example%22,%22password%22:%22p@S%22,%22b%22:1%7D",
            "https://e.example%22,%22password%22:%22REDACTED%22,%22b%22:1%7D"
        ),
        (
            "x://o?d=%7B%27u%27:%27https://e.example%27,%27password%27:%27p@S%27%7D",
            "x://o?d=%7B%27u%27:%27https://e.example%27,%27password%27:%27REDACTED%27%7D"
        ),
        (
            #"x://o?d={\"u\":\"https://e.example\",\"name\":\"token\",\"value\":\"p@S\"}"#,
            #"x://o?d={\"u\":\"https://e.example\",\"name\":\"token\",\"value\":\"REDACTED\"}"#
        ),
        (#"array("access_token"=>"S","b"=>1)"#, #"array("access_token"=>REDACTED"#),
    ])
    func replacesTheValuesOnly(_ text: String, _ expected: String) {
        #expect(Redaction.redact(text) == expected)
        #expect(Redaction.redact(expected) == expected)
    }

    @Test(arguments: [
        "https://a.example/?fb_source=feed&tokens=T&code=C&state=CA&request_ids=1", "access_token",
        "An access_token must be used",
        "my_tokens=1&secrets=2&request=3", #"{"scope":"access_token,b","code":5}"#, "%", "\\u", "access%20tokens=1", "",
        "https://authorized.example/?code=1", "https://a.example/?code=SUMMER24", "tokens=5&t=EAA",
        "nonce=1&fbclid=IwAR0",
        "Error validating access token: Session has expired on Wednesday", "imtoken://open?a=1", "zip_code=1&jwts=2",
        "google:bob@example.com", "mailto:bob@example.com", "https://a.example/@bob", "a bearer of news", "Bearer",
        "https://a.example:8080?x=a@b", "app://item:a?fb_ref=sale@home", "postgres://h/d?x=1:a@b",
        "https://a.example:8080/x@y", "EAAtooShort", "eyJ.eyJ", "%4eyJ.eyJ",
        "session_keys=1&my_session_key_id=2&authcodes=1",
        #"{"name":"token_count","value":5}"#, #"{"name":"tokens","value":"x"}"#, "令牌：五 tokens＝5", "a&amp;b=1;c",
        "https://a.example/?code=SUMMER24&state=CA", "response_type=token&v=3&data=4", "name=tokens&value=5",
        "name=ann&value=access_token",
        "https://a.example/?code=AQDx0123456789abcdefghij&state=S&fb_ref=1",
        "fb1://authorizer?code=1", "fb1://authorize..?code=1", "fb1://authorize.example?code=1",
        "fb1://a@authorizer?code=1", "https://a.example//authorize?code=1", "https://a.example/@authorize?code=1",
        "https://e.example/?next=https%3A%2F%2Fshop.example&utc=12:30&fb_ref=sale@home&fb_source=feed",
        "https://e.example/?next=https%3A%2F%2Fshop.example%3A8443&utc=12:30&fb_ref=sale@home",
        "https://e.example/?next=https://shop.example&utc=12:30&fb_ref=sale@home&fb_source=feed",
        "x://o?d=%7B%22u%22:%22https://e.example%22,%22at%22:%2212:30%22,%22mail%22:%22bob@e.example%22%7D",
        #"x://o?d={\"a\":[\"https://e.example\" ],\"at\":\"12:30\",\"mail\":\"bob@e.example\"}"#,
        "x://o?a=%22https://e.example%22&at=12:30&mail=bob@e.example",
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
        ("fb1://authorize.?code=S&b=2", "fb1://authorize.?code=REDACTED&b=2"),
        ("x://o?u=fb1%3A%2F%2Fauthorize.%3Fcode%3DS&b", "x://o?u=fb1%3A%2F%2Fauthorize.%3Fcode%3DREDACTED&b"),
        ("//authorize?code=S", "//authorize?code=REDACTED"),
        (
            "x://o?u=%2F%2Fauthorize%3Fcode%3DS%26state%3DS&code=C",
            "x://o?u=%2F%2Fauthorize%3Fcode%3DREDACTED%26state%3DREDACTED&code=C"
        ),
        ("fb1://user@authorize?code=S", "fb1://user@authorize?code=REDACTED"),
        ("see FB1://a@b@Authorize.:80/#state=S", "see FB1://a@b@Authorize.:80/#state=REDACTED"),
        ("x?u=fb1%3A//user%40authorize%3Fcode%3DS&m=a@b", "x?u=fb1%3A//user%40authorize%3Fcode%3DREDACTED&m=a@b"),
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

    @Test(arguments: [
        "token", "long_lived_token", "accessToken", "id_token", "authentication_token", "refresh-token", "X-Auth-Token",
        "secret", "client_secret", "appSecret", "password", "userPassword", "signed_request", "signedRequest",
        "appsecret_proof", "appsecretProof", "fbsr_123456", "session_key", "sessionKey", "authCode", "auth_code", "jwt",
        "JWT",
        "fb_exchange_token", "t_o-k[e]n", "PASS_WORD", "credentials[token]", "token[0]", "token[]", "user[jwt]",
    ])
    func aNameIsSecretByRuleInEverySpelling(_ name: String) {
        func spelled(_ spell: (UInt8) -> String) -> [String] {
            // Each letter of the name alone, and all together.
            let bytes = Array(name.utf8)
            let all = bytes.map(spell).joined()
            return [all]
                + bytes.indices.map { index in
                    bytes.indices.map { $0 == index ? spell(bytes[$0]) : String(UnicodeScalar(bytes[$0])) }.joined()
                }
        }
        func hex(_ byte: UInt8, _ width: Int) -> String {
            let digits = String(byte, radix: 16)
            return String(repeating: "0", count: width - digits.utf8.count) + digits
        }
        let base: [String] = [name, name.uppercased()]
        var names: [String] = base
        names += spelled { "%" + hex($0, 2) } + spelled { "%25" + hex($0, 2) } + spelled { "%u" + hex($0, 4) }
        names += spelled { "\\u" + hex($0, 4) } + spelled { "&#\($0);" } + spelled { "&#x" + hex($0, 2) + ";" }
        names += spelled { "&amp;#\($0);" }
        names += spelled { String(UnicodeScalar(UInt32($0) + 0xFEE0) ?? " ") }
        names += ["\u{1}", "\u{7F}", "%00", "%0A", "\\u0001", "\u{200B}", "\\n", "%E2%80%8B", "&#0;"].flatMap {
            control in
            name.indices.dropFirst().map { name[..<$0] + control + name[$0...] }
        }
        for name in names {
            for text in [
                "\(name)=TOPSECRET", "https://a.example/?a=1&\(name)=TOPSECRET&b=2", #"{"\#(name)":"TOPSECRET"}"#,
                #"{"a":1,"\#(name)" : {"b":"TOPSECRET"}}"#, "see \(name): TOPSECRET", #"{"\#(name)":TOPSECRET1,"b":2}"#,
            ] {
                let redacted = Redaction.redact(text)
                #expect(!redacted.contains("TOPSECRET"), "\(text)")
                #expect(Redaction.redact(redacted) == redacted)
            }
        }
    }

    @Test(arguments: [
        (
            #"[{"name":"access_token","value":"S"},{"name":"b","value":"c"}]"#,
            #"[{"name":"access_token","value":"REDACTED"},{"name":"b","value":"c"}]"#
        ),
        ("name=access_token&value=S&b=1", "name=access_token&value=REDACTED&b=1"),
        ("name=access_token&amp;value=S", "name=access_token&amp;value=REDACTED"),
        ("name=access_token;value=S", "name=access_token;value=REDACTED"),
        (
            "https://a.example/?value=S&a=1&key=client_secret#x",
            "https://a.example/?value=REDACTED&a=1&key=client_secret#x"
        ),
        ("p[0][name]=id_token&p[0][value]=S", "p[0][name]=id_token&p[0][value]=REDACTED"),
        (
            "u=https%3A%2F%2Fa%3Fname%3Daccess_token%26value%3DS&value=b",
            "u=https%3A%2F%2Fa%3Fname%3Daccess_token%26value%3DREDACTED&value=b"
        ),
        (
            #"{"q":"name=access_token\u0026value=S","value":"b"}"#,
            #"{"q":"name=access_token\u0026value=REDACTED","value":"b"}"#
        ),
        (#"{"value":"S","name":"client_secret"}"#, #"{"value":"REDACTED","name":"client_secret"}"#),
        (#"{"key":"jwt", "value" : {"a":"S"}, "x":1}"#, #"{"key":"jwt", "value" : "REDACTED", "x":1}"#),
        (
            #"{"d":"[{\"name\":\"password\",\"value\":\"S\"}]"}"#,
            #"{"d":"[{\"name\":\"password\",\"value\":\"REDACTED\"}]"}"#
        ),
        (
            "d=%7B%22name%22%3A%22token%22%2C%22value%22%3A%22S%22%7D&e",
            "d=%7B%22name%22%3A%22token%22%2C%22value%22%3A%22REDACTED%22%7D&e"
        ),
    ])
    func theNameMayStandBesideTheValue(_ text: String, _ expected: String) {
        #expect(Redaction.redact(text) == expected)
        #expect(Redaction.redact(expected) == expected)
    }

    @Test(arguments: [
        ("Malformed access token EAABsbCS1iHgBAKq01234567 here", "Malformed access token REDACTED here"),
        ("/v1/EAABsbCS1iHgBAKq01234567/me", "/v1/REDACTED/me"), ("x=50%EAABsbCS1iHgBAKq01234567", "x=50REDACTED"),
        ("t=%45AABsbCS1iHgBAKq01234567&u=1", "t=REDACTED&u=1"),
        (#"["\u0045AABsbCS1iHgBAKq01234567"]"#, #"["REDACTED"]"#),
        ("got eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJ-_ now", "got REDACTED now"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.", "REDACTED"),
        ("Authorization: Bearer abc.def-1~+/=, x", "Authorization: REDACTED, x"),
        ("sent Bearer abc.def-1~+/=, x", "sent Bearer REDACTED, x"),
        ("Bearer%20S&a", "Bearer%20REDACTED&a"), ("Bearer%C2%A0S&a", "Bearer%C2%A0REDACTED&a"),
        ("Bearer\u{A0}S, x", "Bearer\u{A0}REDACTED, x"), ("bearer\u{2003} abcdefg123", "bearer\u{2003} REDACTED"),
        (#"["Bearer\u00a0S"]"#, #"["Bearer\u00a0REDACTED"]"#), ("Bearer&nbsp;S, x", "Bearer&nbsp;REDACTED, x"),
        ("Bearer\u{3000}S, x", "Bearer\u{3000}REDACTED, x"), (#"["u:S\u00a0T@h/"]"#, #"["u:REDACTED@h/"]"#),
        ("100%4eyJhbGciOiJI.eyJzdWIiOiIx.S b", "100REDACTED b"), ("5%4EAABsbCS1iHgBAKq01234567", "5REDACTED"),
        ("bearer abcdefg123", "bearer REDACTED"),
        ("bearer+bearer+ abcdefg123", "bearer+bearer+ REDACTED"), ("bearer bearer+abcdefg123", "bearer REDACTED"),
        ("bearer+bearer+bearer a Bearer+S", "bearer+bearer+bearer a Bearer+REDACTED"),
        ("https://user:S@a.example/?b=1", "https://user:REDACTED@a.example/?b=1"),
        ("postgres://u:a#S?S@h:5432/?b=c@d", "postgres://u:REDACTED@h:5432/?b=c@d"),
        ("d=postgresql%3A%2F%2Fu%3Aa%23S%40h%2Fb&c", "d=postgresql%3A%2F%2Fu%3AREDACTED%40h%2Fb&c"),
        ("redis://:S@h", "redis://:REDACTED@h"), ("to u-:S@h.example/a", "to u-:REDACTED@h.example/a"),
        ("https://a.example/?u=https://user:S&T@h/&b=1", "https://a.example/?u=https://user:REDACTED@h/&b=1"),
        ("u=https%3A%2F%2Fuser%3AS%26T%40h%2F&b", "u=https%3A%2F%2Fuser%3AREDACTED%40h%2F&b"),
        ("https://user:S%22,T@h/", "https://user:REDACTED@h/"), ("https://user:S&a=T@h/", "https://user:REDACTED@h/"),
        (#"{"u":"https:\/\/user:S&T@a.example\/"}"#, #"{"u":"https:\/\/user:REDACTED@a.example\/"}"#),
        ("u=https%3A%2F%2Fuser%3AS%2540%40a.example%2F&b", "u=https%3A%2F%2Fuser%3AREDACTED%40a.example%2F&b"),
        (#"{"u":"https:\/\/user:S@a.example\/"}"#, #"{"u":"https:\/\/user:REDACTED@a.example\/"}"#),
        ("connect to user:S@db:5432 failed", "connect to user:REDACTED@db:5432 failed"),
        (
            "https://a.example/cb?code=AQDx0123456789abcdefghij&state=S1&x=2",
            "https://a.example/cb?code=REDACTED&state=REDACTED&x=2"
        ),
        (
            #"{"u":"https://a.example/cb?x=1&code=C&error_reason=e#_=_","code":"C"}"#,
            #"{"u":"https://a.example/cb?x=1&code=REDACTED&error_reason=e#_=_","code":"C"}"#
        ),
        (
            "u=https%3A%2F%2Fa.example%3Fcode%3DC%26state%3DS%23_%3D_&code=C",
            "u=https%3A%2F%2Fa.example%3Fcode%3DREDACTED%26state%3DREDACTED%23_%3D_&code=C"
        ),
        (
            "fb1://authorize#state=CA&target_url=http%3A%2F%2Fx&code=5",
            "fb1://authorize#state=REDACTED&target_url=http%3A%2F%2Fx&code=REDACTED"
        ),
        ("fbconnect://success?code=C&state=S", "fbconnect://success?code=REDACTED&state=REDACTED"),
    ])
    func aShapeIsSecretWithoutAName(_ text: String, _ expected: String) {
        #expect(Redaction.redact(text) == expected)
        #expect(Redaction.redact(expected) == expected)
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
        "my-jwt-is Bearer TOPSECRET", "https://user:TOPSECRET@a.example/", #"[{"name":"token","value":"TOPSECRET"}]"#,
        "clientSecret=TOPSECRET", "name=token&value=TOPSECRET", "EAATOPSECRET0123456789abc",
        "x://y?code=TOPSECRET0123456789abc&state=a",
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
        "%5C%22", "EAA", "EAAaaaaaaaaaaaaaaaaaaaaaaa.", "eyJ", "eyJ.", "Bearer ", "//a:b@", "//", "a:", "token[",
        "token ",
        "?code=", "?code=a&state=b#", "&#95;", "&amp;", "%u005f", "fbsr", "{\"name\":\"token\",", "{\"token\",",
        "\"value\":{", "%EA",
        "access_token:{", "\\\"access_token\\\":\\\"", "é", "{\"a\":", "access_token \" ", "bearer+", "bearer ",
        "Bearer+",
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

    /// Inside of a value, the scan looks only at the first 64 secrets.
    @Test func manySecretsInAValueHideNoPassword() {
        let many = "x://o?access_token=" + String(repeating: "token=a;", count: 100)
        let redacted = Redaction.redact(many + "//u&b:S@h/&c=1")
        #expect(redacted == "x://o?access_token=REDACTED&b:REDACTED@h/&c=1")
        #expect(Redaction.redact(redacted) == redacted)
        #expect(Redaction.redact(many + "//u:S&b@h/&c=1") == "x://o?access_token=REDACTED@h/&c=1")
    }

    /// A form may be this long. If each unit cost a search to the end, these would take minutes.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "bearer+", "bearer++a", "a+bearer=", "eyJ", "eyJ.eyJ", "EAA", "//a:b@", "a:b@", "://authorize", "token[a",
        ]
    )
    func theTimeGrowsWithTheText(_ unit: String) {
        let text = String(repeating: unit, count: 512 * 1_024 / unit.utf8.count)
        let redacted = Redaction.redact(text)
        #expect(Redaction.redact(redacted) == redacted)
    }
}
