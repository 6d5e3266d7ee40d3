import InboundLinks
import RandomTesting
import Testing

/// docs/links.md, *Login results*: what their outcome is.
@Suite("Callbacks of logins")
struct LoginReaderTests {
    private static let code = "AQDx0123456789abcdefghij"

    @Test(
        arguments: [
            ("fb1://authorize#access_token=T&expires_in=5", .granted),
            ("fb1://authorize?granted_scopes=a&denied_scopes=b", .granted),
            ("fb1://authorize?signed_request=a.b&error_code=0", .granted), ("fb1abc://authorize/?code=C", .granted),
            ("FB1://AUTHORIZE#id_token=J", .granted), ("fbconnect://success#access_token=T", .granted),
            ("https://a.example/cb?code=\(code)&state=S", .granted), ("https://a.example/cb?code=C#_=_", .granted),
            ("https://www.facebook.com/connect/login_success.html#access_token=T&expires_in=5", .granted),
            ("fbconnect://success?error_code=4201", .cancelled),
            ("fb1://authorize?error=access_denied&error_code=4201", .cancelled),
            ("fb1://authorize?error_description=The+user+Canceled+the+login&access_token=T", .cancelled),
            ("fb1://authorize?error=user_cancelled", .cancelled),
            ("fb1://authorize/?error=access_denied&error_code=200&error_reason=user_denied#_=_", .denied),
            ("fb1://authorize?error_reason=user_denied&access_token=T", .denied),
            ("fbconnect://success?error_type=OAuthAccessDeniedException&error_code=190", .denied),
            ("https://a.example/cb?error=access_denied&error_reason=user_denied&state=S#_=_", .denied),
            ("fb1://authorize?error=server_error", .failed), ("fb1://authorize#error_code=190&code=C", .failed),
            ("fb1://authorize?error_code=many", .failed), ("fb1://authorize?error_subcode=3", .failed),
            ("fb1://authorize?error", .failed),
            (appLink(#"{"extras":{"fb_login":{"access_token":"T","graph_domain":"facebook"}}}"#), .granted),
            (appLink(#"{"extras":{"fb_login":"{\"granted_scopes\":\"a\",\"denied_scopes\":\"\"}"}}"#), .granted),
            (appLink(#"{"extras":{"fb_login":"%7B%22signed_request%22%3A%22a.b%22%7D"}}"#), .granted),
            (appLink(#"{"target_url":"x://y","extras":{"fb_login":{"error_code":4201}}}"#), .cancelled),
            (appLink(#"{"extras":{"fb_login":"error=access_denied&error_reason=user_denied"}}"#), .denied),
            (#"x://y?al_applink_data={"extras":{"fb_login":{"error_message":"no"}}}"#, .failed),
        ] as [(String, LoginOutcome)]
    )
    func haveAnOutcome(_ url: String, _ outcome: LoginOutcome) {
        #expect(LoginReader.read(url)?.outcome == outcome)
    }

    @Test(arguments: [
        "", "x", "fb1://authorize", "fb1://authorize?state=S", "fb1://authorize#access_token=&state=S",
        "fb1://authorize#access_token=T&target_url=x", "fbconnect://success?post_id=1_2",
        "fb1://authorize#expires_in=0",
        "https://a.example/?code=SUMMER24", "https://a.example/?code=SUMMER24&state=CA",
        "https://a.example/?fb_source=feed&error=e", "https://a.example/?code=\(code)&state=S&fbclid=F",
        "https://a.example/soup", appLink(#"{"extras":{"fb_login":{"state":"S"}}}"#), appLink(#"{"target_url":"x"}"#),
    ])
    func othersAreNone(_ url: String) {
        #expect(LoginReader.read(url) == nil)
    }

    /// What is rejected as a link because of its outcome can be sent as an authentication.
    @Test(arguments: [
        "fb1://authorize#access_token=T", "fb1abc://authorize/?code=C", "fb1://authorize#authentication_token=J",
        "fb1://authorize?error=access_denied", "fbconnect://cancel?error_reason=user_denied",
        "https://a.example/cb?code=SHORT&state=S#_=_", "myapp://cb?code=\(code)&error=e",
        "/cb?code=SHORT&error_reason=x#_=_",
        #"x://y?al_applink_data={"target_url":"https://a.example/","extras":{"fb_login":{"code":"C"}}}"#,
        appLink(#"{"target_url":null,"extras":{"fb_login":"granted_scopes=a&code=C"}}"#),
    ])
    func areWhatIsNoLink(_ url: String) {
        #expect(LinkReader.read(url).kind == "login_result")
        #expect(LoginReader.read(url) != nil)
    }

    @Test func keepTheErrorWithoutSecrets() throws {
        let reading = try #require(
            LoginReader.read(
                "fb1://authorize?error_code=190&error_message=bad+access_token%3DT0P+EAAB\(String(repeating: "x", count: 30))&code=S3CRET&state=S3CRET"
            )
        )
        #expect(reading.outcome == .failed)
        #expect(reading.errorCode == 190)
        for secret in ["T0P", "EAAB", "S3CRET"] {
            #expect(reading.errorMessage?.contains(secret) == false)
            #expect(!reading.redactedURL.contains(secret))
        }
    }

    @Test func neverTrapOnAnything() {
        var random = SeededRandom(seed: TestSeeds.first)
        let parts = [
            "fb1://authorize", "fbconnect://", "https://a.example/", "?", "#", "&", "=", "error", "error_code", "4201",
            "code", "state", "access_token", "al_applink_data=", "{\"extras\":{\"fb_login\":", "{", "}", "\"", "%7B",
            "%",
            "#_=_", "é", "\u{0}", "target_url=",
        ]
        for _ in 0..<20_000 {
            let url = (0..<Int.random(in: 0...10, using: &random)).map { _ in random.pick(parts) }.joined()
            guard let reading = LoginReader.read(url) else { continue }
            let again = LoginReader.read(reading.redactedURL)?.redactedURL ?? reading.redactedURL
            #expect(again == reading.redactedURL)
        }
    }
}
