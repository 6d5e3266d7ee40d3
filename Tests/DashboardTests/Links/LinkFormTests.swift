import HTTPTypes
import InboundLinks
import Redirects
import Storage
import Testing
import Time

@testable import Dashboard

@Suite("The form for a link")
struct LinkFormTests {
    private static let key = (name: "key", value: StoredDashboard.writeKey)

    @Test func createsALink() async throws {
        let dashboard = StoredDashboard()
        let answer = try await dashboard.post([
            ("target_url", " https://www.example.com/sale "), ("slug", "sale"), ("ref", "gift, spring,,gift"),
            ("app_url", "shop://sale"), ("mobile_url", ""), ("fallback", "web"), ("title", "Sale"),
            ("description", "One\r\ntwo"), ("channel", "other"), ("append_click_id", "1"), ("campaign", "spring"),
            ("expires_at", "2026-12-31T23:00"), ("note", ""), Self.key,
        ])
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/links/link?host=go.example&slug=sale&new=1")
        var expected = Link(host: "go.example", slug: "sale")
        expected.targetURL = "https://www.example.com/sale"
        expected.refs = ["gift", "spring"]
        expected.appURL = "shop://sale"
        expected.fallback = .web
        expected.preview.title = "Sale"
        expected.preview.description = "One\ntwo"
        expected.channel = .other
        expected.forwardQuery = false
        expected.appendClickID = true
        expected.campaign = "spring"
        // 23:00 in Berlin.
        expected.expiresAt = Timestamp(rfc3339: "2026-12-31T22:00:00Z")
        let created = try await dashboard.links.first
        expected.createdAt = created?.createdAt
        expected.updatedAt = created?.updatedAt
        #expect(created == expected)
        #expect(try await dashboard.links.count == 1)
        #expect(try await dashboard.get("/links/link?host=go.example&slug=sale&new=1").body.contains("is created"))
    }

    @Test(arguments: [
        ("", "Enter the app&#39;s write key"), ("trib_r_shop", "only a write key or a manage key may change"),
        ("trib_w_other", "a key of another app"), ("trib_w_nobody", "No app has this key"),
        ("<b>", "not a Tributary key"),
    ])
    func asksForAKeyThatMay(key: String, reason: String) async throws {
        let dashboard = StoredDashboard()
        let answer = try await dashboard.post([("target_url", "https://www.example.com/sale"), ("key", key)])
        #expect(answer.status == 403)
        #expect(answer.body.contains(#"<p class="fault" id="key-problem">"#) && answer.body.contains(reason))
        // What was entered stays, but for the key.
        #expect(answer.body.contains(#"value="https://www.example.com/sale""#))
        #expect(key.isEmpty || !answer.body.contains(key))
        #expect(try await dashboard.links.isEmpty)
    }

    @Test(arguments: [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"]])
    func refusesTheFormsOfOtherSites(headers: [String: String]) async throws {
        let dashboard = StoredDashboard()
        let answer = try await dashboard.post([("target_url", "https://www.example.com"), Self.key], headers: headers)
        #expect(answer.status == 403)
        #expect(try await dashboard.links.isEmpty)
    }

    @Test func takesNothingFromStrangers() async throws {
        let dashboard = StoredDashboard()
        let form = [(name: "target_url", value: "https://www.example.com"), Self.key]
        #expect(try await dashboard.post(form, isSignedIn: false).status == 303)
        #expect(try await dashboard.links.isEmpty)
    }

    @Test func showsAFaultAtItsField() async throws {
        let dashboard = StoredDashboard()
        let title = String(repeating: "Sale ", count: 60)
        let answer = try await dashboard.post([("target_url", "nonsense"), ("title", title), Self.key])
        #expect(answer.status == 422)
        for text in [
            "2 fields need another value", #"<p class="fault" id="target_url-problem">Target "#,
            #"<p class="fault" id="title-problem">Title is longer than 256 bytes.</p>"#, #"value="nonsense""#,
            // The fields of a preview are open, because one of them is at fault.
            "<details open><summary>Preview</summary>", "<details><summary>More</summary>",
            #"aria-describedby="title-hint title-problem""#,
        ] {
            #expect(answer.body.contains(text), "\(text)")
        }
        #expect(answer.body.matches(of: /aria-invalid/).count == 2)
        #expect(!answer.body.contains(StoredDashboard.writeKey))
    }

    @Test(arguments: [
        ("slug", "a/b"), ("slug", "metrics"), ("fallback", "moon"), ("channel", "moon"), ("expires_at", "tomorrow"),
        ("expires_at", "2026-02-30T10:00"),
    ])
    func reportsWhatCannotBeRead(field: String, value: String) async throws {
        let dashboard = StoredDashboard()
        let answer = try await dashboard.post([("target_url", "https://www.example.com"), (field, value), Self.key])
        #expect(answer.status == 422)
        #expect(answer.body.contains("<p class=\"fault\" id=\"\(field)-problem\">"))
        #expect(try await dashboard.links.isEmpty)
    }

    /// What was entered is not lost while the database is away.
    @Test(arguments: ["trib_w_late", StoredDashboard.writeKey])
    func keepsWhatWasEnteredWhileTheDatabaseIsAway(key: String) async throws {
        let dashboard = StoredDashboard()
        dashboard.goAway()
        let answer = try await dashboard.post([("target_url", "https://www.example.com/sale"), ("key", key)])
        #expect(answer.status == 503)
        #expect(answer.body.contains(#"value="https://www.example.com/sale""#))
    }

    @Test func offersTheHostsOfAnAppThatHasSeveral() async throws {
        let one = try await StoredDashboard().get("/links/new")
        #expect(one.status == 200 && !one.body.contains(#"name="host""#))
        let dashboard = StoredDashboard(app: { $0.linkHosts = ["go.example", "s.example"] })
        #expect(try await dashboard.get("/links/new").body.contains(#"<option value="s.example">"#))
        _ = try await dashboard.post([
            ("host", "S.example"), ("slug", "x"), ("target_url", "https://www.example.com"), Self.key,
        ])
        #expect(try await dashboard.links.map(\.host) == ["s.example"])
    }

    @Test func hasEveryFieldOfALinkThatMayBeSet() async throws {
        let page = try await StoredDashboard().get("/links/new").body
        let notSet: Set = ["host", "disabled", "created_at", "updated_at"]
        for name in LinkField.names where !notSet.contains(name) {
            #expect(page.contains("name=\"\(name)\""), "\(name)")
        }
    }

    @Test func refusesAFormThatIsTooLarge() async throws {
        let note = String(repeating: "a", count: 129 << 10)
        let answer = try await StoredDashboard().post([("note", note), Self.key])
        #expect(answer.status == 413)
    }
}

@Suite("Local times")
struct LocalTimeTests {
    @Test(
        arguments: [
            ("2026-07-01T12:30", "2026-07-01T10:30:00Z"), ("2026-01-01T12:30:15", "2026-01-01T11:30:15Z"),
            ("2026-01-01 12:30", nil), ("2026-1-1T12:30", nil), ("2026-01-01T12", nil), ("2026-01-01T25:00", nil),
            ("2026-01-01T12:30Z", nil), ("2026-01-01T1:230", nil), ("1999-01-01T12:30", nil), ("", nil),
            // The clock goes from 2 to 3.
            ("2026-03-29T02:30", nil),
        ] as [(String, String?)]
    )
    func areReadInTheirZone(text: String, time: String?) {
        #expect(LocalTime(timeZone: "Europe/Berlin").time(text) == time.flatMap { Timestamp(rfc3339: $0) })
    }

    @Test func areWrittenInTheirZone() throws {
        let time = try #require(Timestamp(rfc3339: "2026-12-31T23:05:59Z"))
        #expect(LocalTime(timeZone: "Europe/Berlin").text(time) == "2027-01-01 00:05")
        #expect(LocalTime(timeZone: "nonsense").text(time) == "2026-12-31 23:05")
    }
}
