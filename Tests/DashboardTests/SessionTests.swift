import HTTPTypes
import Testing

@testable import Dashboard

@Suite("The session")
struct SessionTests {
    @Test(
        arguments: [
            ("tributary_read_key=trib_r_abc", "trib_r_abc"),
            ("theme=dark; tributary_read_key=trib_r_abc; x=y", "trib_r_abc"),
            ("theme=dark", nil),
            ("tributary_read_key=", nil),
            ("tributary_read_key=a b", nil),
            ("tributary_read_key=<script>", nil),
            ("xtributary_read_key=trib_r_abc", nil),
            ("", nil),
        ] as [(String, String?)]
    )
    func isReadFromTheCookie(cookie: String, key: String?) {
        #expect(Session.key(of: [.cookie: cookie]) == key)
    }

    @Test func isKeptFromScriptsAndOtherSites() {
        let cookie = Session.cookie(key: "trib_r_abc", isSecure: true)
        for part in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] { #expect(cookie.contains(part)) }
        #expect(!Session.cookie(key: "trib_r_abc", isSecure: false).contains("Secure"))
    }

    /// Signing in must not send anybody elsewhere.
    @Test(arguments: [
        ("/funnels?by=ref", "/funnels?by=ref"), ("//evil.example", "/"), ("https://evil.example", "/"),
        ("/\\evil", "/"),
        ("", "/"), ("/a\r\nSet-Cookie: x", "/"), ("javascript:alert(1)", "/"),
    ])
    func leadsBackToOwnPagesOnly(target: String, expected: String) {
        #expect(Dashboard.localTarget(target) == expected)
    }
}
