import HTTPTypes
import Testing

@testable import Dashboard

@Suite("The session")
struct SessionTests {
    @Test(
        arguments: [
            ("tributary_session=abc", "abc"),
            ("theme=dark; tributary_session=abc; x=y", "abc"),
            ("theme=dark", nil),
            ("tributary_session=", nil),
            ("tributary_session=a b", nil),
            ("tributary_session=<script>", nil),
            ("xtributary_session=abc", nil),
            // A read key is no session.
            ("tributary_read_key=trib_r_abc", nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func isReadFromTheCookie(cookie: String, id: String?) {
        #expect(Session.id(of: [.cookie: cookie]) == id)
    }

    @Test(
        arguments: [
            ("https", "__Host-tributary_session=abc", "abc"),
            ("HTTPS, http", "__Host-tributary_session=abc", "abc"),
            // A neighbour without TLS could have planted it.
            ("https", "tributary_session=abc", nil),
            ("http, https", "__Host-tributary_session=abc", nil),
        ] as [(String, String, String?)]
    )
    func hasAnotherNameWithTLS(scheme: String, cookie: String, id: String?) throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-Proto"))
        #expect(Session.id(of: [.cookie: cookie, forwarded: scheme]) == id)
    }

    @Test func isKeptFromScriptsAndOtherSites() {
        let cookie = Session.cookie(id: "abc", isSecure: true)
        #expect(cookie == "__Host-tributary_session=abc; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure")
        let plain = Session.cookie(id: nil, isSecure: false)
        #expect(plain == "tributary_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
    }

    /// Signing in must not send anybody elsewhere.
    @Test(arguments: [
        ("/funnels?by=ref", "/funnels?by=ref"), ("//evil.example", "/"), ("https://evil.example", "/"),
        ("/\\evil", "/"),
        ("/refs?goal=access_token%3DT&a=b", "/refs?goal=access_token%3DREDACTED&a=b"),
        ("", "/"), ("/a\r\nSet-Cookie: x", "/"), ("javascript:alert(1)", "/"),
    ])
    func leadsBackToOwnPagesOnly(target: String, expected: String) {
        #expect(Dashboard.localTarget(target) == expected)
    }
}
