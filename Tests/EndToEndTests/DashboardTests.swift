import AsyncHTTPClient
import Foundation
import JSONReading
import NIOCore
import NIOHTTP1
import Postgres
import PostgresTesting
import Testing

/// The dashboard of the real daemon, as a browser without scripts sees it. `scripts/check-dashboard` uses a real one.
@Suite("The dashboard, end to end")
struct DashboardTests {
    private struct Fixture: Sendable {
        let daemon: RunningDaemon
        let database: TestDatabase
        let readKey: String
        let writeKey: String
        /// A session of somebody who has signed in with the read key.
        let session: [(String, String)]
    }

    private static func with(_ body: @Sendable (Fixture) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            let made = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop <b>", "--format", "json"],
                database: database.address
            )
            let keys = try JSONDocument(reading: made.output.utf8).root
            let readKey = try #require(keys["read_key"]?.string)
            let writeKey = try #require(keys["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                let events = [
                    #"{"type":"feed_post","user_id":"p","outcome":"posted","post_id":"7_<b>","link":"https://x.example/"}"#,
                    #"{"type":"link_click","user_id":"u","post_id":"7_<b>","url":"https://x.example/?ref=<i>"}"#,
                ]
                let batch = "{\"events\":[\(events.joined(separator: ","))]}"
                #expect(try await daemon.post("/v1/events", key: writeKey, batch).status == 200)
                let cookie = try #require(try await signIn(daemon, key: readKey))
                let session = [("cookie", String(cookie.prefix { $0 != ";" }))]
                try await body(
                    Fixture(
                        daemon: daemon,
                        database: database,
                        readKey: readKey,
                        writeKey: writeKey,
                        session: session
                    )
                )
            }
        }
    }

    /// - Returns: the value of `Set-Cookie`.
    private static func signIn(
        _ daemon: RunningDaemon,
        key: String,
        headers: [(String, String)] = []
    ) async throws -> String? {
        var request = HTTPClientRequest(url: daemon.baseURL + "/sign-in")
        request.method = .POST
        request.headers = HTTPHeaders(headers)
        request.body = .bytes(ByteBuffer(string: "key=\(key)&then=%2Flive"))
        // A redirect comes with the cookie.
        let response = try await RunningDaemon.stayingClient.execute(request, timeout: .seconds(60))
        #expect(response.status == .seeOther)
        return response.headers.first(name: "set-cookie")
    }

    private static func isSignedIn(_ daemon: RunningDaemon, _ session: [(String, String)]) async throws -> Bool {
        let answer = try await daemon.send("GET", "/live", headers: session)
        #expect(answer.status == 200)
        return answer.body.contains("Shop")
    }

    @Test func keepsTheKeyOutOfTheCookie() async throws {
        try await Self.with { fixture in
            let plain = try #require(try await Self.signIn(fixture.daemon, key: fixture.readKey))
            #expect(plain.hasPrefix("tributary_session=") && !plain.contains("Secure"))
            let secure = try #require(
                try await Self.signIn(fixture.daemon, key: fixture.readKey, headers: [("x-forwarded-proto", "https")])
            )
            #expect(secure.hasPrefix("__Host-tributary_session=") && secure.hasSuffix("; Secure"))
            let random = String(fixture.readKey.dropFirst("trib_r_".count))
            for cookie in [plain, secure] { #expect(!cookie.contains(random)) }
            let stored = try await fixture.database.pool.withConnection { connection in
                try connection.query("select session_hash::text from dashboard_session").map { try $0.text(0) }
            }
            #expect(stored.count == 3)
            for hash in stored { #expect(!plain.contains(hash) && hash.utf8.count == 2 + 64) }
        }
    }

    /// Balancers send the requests of one browser to any daemon.
    @Test func beginsAndEndsASessionOnEveryDaemon() async throws {
        try await Self.with { fixture in
            try await RunningDaemon.with(database: fixture.database.address) { other in
                let others = try #require(try await Self.signIn(fixture.daemon, key: fixture.readKey))
                #expect(try await Self.isSignedIn(other, fixture.session))
                #expect(try await other.send("POST", "/sign-out", headers: fixture.session).status == 200)
                for daemon in [fixture.daemon, other] {
                    #expect(try await !Self.isSignedIn(daemon, fixture.session))
                    // The same person's session in another browser goes on.
                    let session = [("cookie", String(others.prefix { $0 != ";" }))]
                    #expect(try await Self.isSignedIn(daemon, session))
                }
            }
        }
    }

    @Test func endsTheFormerSessionOfABrowserThatSignsInAgain() async throws {
        try await Self.with { fixture in
            _ = try await Self.signIn(fixture.daemon, key: fixture.readKey, headers: fixture.session)
            #expect(try await !Self.isSignedIn(fixture.daemon, fixture.session))
        }
    }

    @Test(arguments: [
        "update dashboard_session set created_at = now() - interval '12 hours'",
        "update api_key set revoked_at = now() where scope = 'read'",
        "update api_key set expires_at = now() where scope = 'read'",
        "delete from api_key where scope = 'read'",
    ])
    func endsASession(reason: String) async throws {
        try await Self.with { fixture in
            #expect(try await Self.isSignedIn(fixture.daemon, fixture.session))
            _ = try await fixture.database.pool.withConnection { try $0.execute(reason) }
            #expect(try await !Self.isSignedIn(fixture.daemon, fixture.session))
        }
    }

    @Test func removesOldSessionsWhenSomebodySignsIn() async throws {
        try await Self.with { fixture in
            let count = try await fixture.database.pool.withConnection { connection in
                try connection.execute("update dashboard_session set created_at = now() - interval '12 hours'")
            }
            #expect(count == 1)
            _ = try await Self.signIn(fixture.daemon, key: fixture.readKey)
            let rest = try await fixture.database.pool.withConnection { connection in
                try connection.query("select count(*) from dashboard_session")[0].int(0)
            }
            #expect(rest == 1)
        }
    }

    @Test func refusesAmbiguousParameters() async throws {
        try await Self.with { fixture in
            for query in ["app=%00", "by=ref&by=channel", "by=ref&%62y=ref", "by=%FF"] {
                for path in ["/", "/funnels", "/live", "/csv/channels.csv", "/sign-in"] {
                    for headers in [fixture.session, []] {
                        let answer = try await fixture.daemon.send("GET", "\(path)?\(query)", headers: headers)
                        #expect(answer.status == 400, "\(path)?\(query)")
                        #expect(answer.body.contains("role=\"alert\""), "\(path)?\(query)")
                    }
                }
            }
            let form = "application/x-www-form-urlencoded"
            let body = Array("key=\(fixture.writeKey)&key=\(fixture.readKey)".utf8)
            #expect(try await fixture.daemon.send("POST", "/sign-in", type: form, body: body).status == 400)
        }
    }

    @Test func asksStrangersToSignIn() async throws {
        try await Self.with { fixture in
            let daemon = fixture.daemon
            for path in [
                "/", "/posts", "/viral", "/funnels?by=ref", "/attribution", "/paths", "/retention", "/activity",
                "/compare",
                "/overlap", "/changes", "/links",
                "/links/new", "/live",
                "/csv/channels.csv",
            ] {
                for cookie in ["", "tributary_session=nonsense", "tributary_session=\(fixture.readKey)"] {
                    let headers = cookie.isEmpty ? [] : [("cookie", cookie)]
                    let answer = try await daemon.send("GET", path, headers: headers)
                    #expect(answer.status == 303 || answer.body.contains("Sign in"), "\(path)")
                    #expect(!answer.body.contains("Shop"))
                }
            }
        }
    }

    @Test func refusesTheFormsOfOtherSites() async throws {
        let headers = [
            ("sec-fetch-site", "cross-site", true), ("sec-fetch-site", "same-site", true),
            ("origin", "https://evil.example", true), ("origin", "null", true),
            ("sec-fetch-site", "same-origin", false), ("origin", "http://127.0.0.1:1", false),
            ("accept", "text/html", false),
        ]
        try await Self.with { fixture in
            let (daemon, body) = (fixture.daemon, Array("key=\(fixture.readKey)".utf8))
            let form = "application/x-www-form-urlencoded"
            for (header, value, isRefused) in headers {
                for path in ["/sign-in", "/sign-out"] {
                    let answer = try await daemon.send("POST", path, type: form, headers: [(header, value)], body: body)
                    // The client follows the redirect of a form that is taken.
                    #expect(answer.status == (isRefused ? 403 : 200), "\(path), \(header): \(value)")
                    #expect(answer.headers.first(name: "set-cookie") == nil, "\(path), \(header): \(value)")
                }
            }
        }
    }

    @Test func showsAPageAtAWrongAddress() async throws {
        try await Self.with { fixture in
            let daemon = fixture.daemon
            let page = try await daemon.send("GET", "/funnel", headers: [("accept", "text/html,*/*")])
            #expect(page.status == 404 && page.body.contains("no page at this address"))
            for (path, accept) in [("/funnel", "*/*"), ("/v1/event", "text/html")] {
                let problem = try await daemon.send("GET", path, headers: [("accept", accept)])
                #expect(problem.status == 404 && problem.body.contains("not_found"), "\(path)")
            }
        }
    }

    @Test func showsEveryViewInsideItsPolicy() async throws {
        try await Self.with { fixture in
            let (daemon, readKey) = (fixture.daemon, fixture.readKey)
            for path in [
                "/", "/posts", "/posts?each=true&sort=touches:reverse", "/viral", "/viral?by=platform",
                "/retention?by=ref&at=1,2", "/breakdown?by=weekday,hour", "/funnels?by=ref", "/funnels?by=day",
                "/funnels?steps=touch%5Bref%3Da%5D,conversion&order=any&exclude=install&matured=on",
                "/compare?by=platform", "/goals", "/breakdown?by=page&rates=off",
                "/attribution?by=ref&event=conversion",
                "/paths", "/retention", "/compare", "/compare?by=channel&a=search", "/compare?by=range", "/breakdown",
                "/logins", "/logins?by=platform",
                "/activity?by=ref", "/activity?period=month", "/overlap?by=channel", "/?columns=touches,people",
                "/breakdown?by=post,poster&sort=installs", "/?where=channel%3Dsearch&where=ref%21%3D%3Ci%3E", "/links",
                "/links/new", "/live",
            ] {
                let answer = try await daemon.send("GET", path, headers: fixture.session)
                #expect(answer.status == 200, "\(path)")
                #expect(answer.body.contains("Shop &lt;b&gt;"))
                // Nothing inline: the content security policy would block it.
                #expect(
                    !answer.body.contains("<b>") && !answer.body.contains("<i>") && !answer.body.contains(" style=")
                )
                #expect(!answer.body.contains(readKey))
                let policy = answer.headers.first(name: "content-security-policy") ?? ""
                #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
                #expect(answer.headers.first(name: "cache-control") == "private, no-store")
            }
        }
    }

    @Test func showsWhatASinglePostBrought() async throws {
        try await Self.with { fixture in
            for path in ["/posts?each=true", "/breakdown?by=post", "/breakdown?by=post,poster"] {
                let page = try await fixture.daemon.send("GET", path, headers: fixture.session)
                #expect(page.status == 200, "\(path)")
                #expect(
                    page.body.contains(">7_&lt;b&gt;<") && page.body.contains("https://<wbr>x.<wbr>example/<"),
                    "\(path)"
                )
            }
        }
    }

    @Test func givesTheReportsOwnBytesAsCSV() async throws {
        try await Self.with { fixture in
            let (daemon, readKey) = (fixture.daemon, fixture.readKey)
            let range = "from=2026-01-01&to=2100-01-01"
            for report in [
                "channels", "refs", "posts", "viral", "funnel", "installs", "attribution", "paths", "retention",
                "breakdown", "overlap", "changes",
            ] {
                let shown = try await daemon.send("GET", "/csv/\(report).csv?\(range)", headers: fixture.session)
                let asked = try await daemon.send("GET", "/v1/reports/\(report)?format=csv&\(range)", key: readKey)
                #expect(shown.status == 200)
                #expect(shown.body == asked.body)
            }
        }
    }

    @Test func saysWhatTheAddressBarHasWrong() async throws {
        try await Self.with { fixture in
            let daemon = fixture.daemon
            for (path, reason) in [
                ("/?from=nonsense", "must be a date"), ("/funnels?steps=install,nonsense", "nonsense"),
                ("/attribution?by=moon", "moon"), ("/retention?period=century", "century"),
                ("/compare?by=moon", "range"), ("/viral?by=moon", "moon"), ("/paths?limit=0", "limit"),
                // A misspelt parameter would otherwise be taken for the default.
                ("/funnels?bye=ref", "Did you mean ‘by’?"), ("/?form=2026-01-01", "Did you mean ‘from’?"),
                ("/live?window=3d", "no parameter ‘window’"), ("/links/new?slug=a", "no parameter ‘slug’"),
            ] {
                let answer = try await daemon.send("GET", path, headers: fixture.session)
                #expect(answer.status == 400, "\(path)")
                #expect(answer.body.contains("role=\"alert\"") && answer.body.contains(reason), "\(path)")
            }
            #expect(try await daemon.send("GET", "/nothing", headers: fixture.session).status == 404)
            #expect(try await daemon.send("GET", "/csv/nothing.csv", headers: fixture.session).status == 400)
        }
    }

    @Test func warnsOfAValueThatOccursNowhere() async throws {
        let questions = [
            ("/?where=ref%3Dhut", "where: the ref &#39;hut&#39;"),
            ("/?goal=premuim", "goal: the goal &#39;premuim&#39;"),
            ("/funnels?steps=touch,conversion:premuim", "steps: the goal &#39;premuim&#39;"),
            ("/breakdown?where=target_url%3Dhttps%3A%2F%2Fno.example%2F%2A", "where: the target_url &#39;https:"),
            ("/compare?a=hat&b=hut", "b: the ref &#39;hut&#39;"),
            ("/viral?where=ref%21%3Dhut", "where: the ref &#39;hut&#39;"),
            ("/retention?cohort=conversion:premuim", "cohort: the goal &#39;premuim&#39;"),
            ("/paths?goal=premuim", "goal: the goal &#39;premuim&#39;"),
        ]
        try await Self.with { fixture in
            let click = #"{"type":"link_click","user_id":"v","url":"https://x.example/?ref=hat"}"#
            #expect(try await fixture.daemon.post("/v1/events", key: fixture.writeKey, click).status == 200)
            for (path, warning) in questions {
                let page = try await fixture.daemon.send("GET", path, headers: fixture.session)
                #expect(page.status == 200, "\(path)")
                #expect(page.body.contains("<p class=\"problem\" role=\"status\">\(warning)"), "\(path)")
                #expect(page.body.ranges(of: warning).count == 1, "\(path)")
                #expect(!warning.contains("ref") || page.body.contains("did you mean &#39;hat&#39;"), "\(path)")
            }
        }
    }

    @Test func savesATableAsAQuestion() async throws {
        try await Self.with { fixture in
            let daemon = fixture.daemon
            @Sendable func save(_ name: String) async throws -> RunningDaemon.Answer {
                let query = "report%3Dchannels%26from%3D2026-01-01%26to%3D2100-01-01%26where%3Dchannel%253Dother"
                return try await daemon.send(
                    "POST",
                    "/questions/new",
                    type: "application/x-www-form-urlencoded",
                    headers: fixture.session + [("sec-fetch-site", "same-origin")],
                    body: Array("name=\(name)&query=\(query)".utf8),
                    followsRedirects: false
                )
            }
            #expect(try await save("others").status == 303)
            #expect(try await save("others").status == 422)
            #expect(try await save("No Name").status == 422)
            let page = try await daemon.send("GET", "/questions/question?name=others", headers: fixture.session)
            #expect(page.status == 200 && page.body.contains("/v1/questions/others.csv"))
            let answer = try await daemon.send("GET", "/v1/questions/others.csv", key: fixture.readKey)
            let report = "/v1/reports/channels?format=csv&from=2026-01-01&to=2100-01-01&where=channel%3Dother"
            #expect(try await daemon.send("GET", report, key: fixture.readKey).body == answer.body)
            #expect(answer.status == 200)
        }
    }

    /// Returns when the daemon knows a new link: within a second, or later if the machine is busy.
    private static func waitUntilServed(_ path: String, by daemon: RunningDaemon) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        let headers = [("host", "go.example"), ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0")]
        while ContinuousClock.now < deadline {
            let answer = try await daemon.send("HEAD", path, headers: headers, followsRedirects: false)
            if answer.status == 302 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the link \(path) is not served")
    }

    @Test func createsAndShowsALink() async throws {
        try await Self.with { fixture in
            let (daemon, form) = (fixture.daemon, "application/x-www-form-urlencoded")
            let update = ["app", "update", "shop", "--link-host", "go.example"]
            _ = try await Programs.tributary(update, database: fixture.database.address)
            @Sendable func create(_ slug: String, key: String) async throws -> RunningDaemon.Answer {
                let target = "target_url=https%3A%2F%2Fwww.example.com%2Fsale&note=for%20Ann"
                let body = Array("slug=\(slug)&\(target)&key=\(key)".utf8)
                return try await daemon.send(
                    "POST",
                    "/links/new",
                    type: form,
                    headers: fixture.session + [("sec-fetch-site", "same-origin")],
                    body: body,
                    followsRedirects: false
                )
            }
            #expect(try await create("sale", key: fixture.readKey).status == 403)
            let created = try await create("sale", key: fixture.writeKey)
            #expect(created.status == 303)
            let place = try #require(created.headers.first(name: "location"))
            let new = try await daemon.send("GET", place, headers: fixture.session)
            for text in ["The link is created", "https://go.example/sale", "for Ann", "HTTPS://GO.EXAMPLE/SALE"] {
                #expect(new.body.contains(text), "\(text)")
            }
            let again = try await create("sale", key: fixture.writeKey)
            #expect(again.status == 422)
            #expect(again.body.contains(#"<p class="fault" id="slug-problem">another link has this slug"#))
            // In another case, so that capital letters would lead to either.
            #expect(try await create("SALE", key: fixture.writeKey).status == 303)
            let other = try await daemon.send("GET", "/links/link?host=go.example&slug=SALE", headers: fixture.session)
            #expect(other.body.contains(">https://go.example/SALE</p>"))
            for (search, count) in [("", 2), ("?text=ann", 2), ("?text=bob", 0)] {
                let list = try await daemon.send("GET", "/links\(search)", headers: fixture.session)
                #expect(list.status == 200)
                #expect(list.body.matches(of: /<th scope="row"><a href="\/links\/link/).count == count, "\(search)")
            }
            let query = "host=go.example&slug=sale"
            try await Self.waitUntilServed("/sale", by: daemon)
            let properties = #""properties":{"link":"sale","host":"go.example"}"#
            let click = #"{"type":"link_click","click_id":"c","channel":"other",\#(properties)}"#
            #expect(try await daemon.post("/v1/events", key: fixture.writeKey, click).status == 200)
            let page = try await daemon.send("GET", "/links/link?\(query)", headers: fixture.session)
            #expect(
                page.body.contains("<dt>Clicks</dt><dd>1</dd>") && page.body.contains("<dt>Installs</dt><dd>0</dd>")
            )
            #expect(!page.body.contains("role=\"alert\""))
            // The form of the days leads to the same link.
            #expect(page.body.contains(#"<input type="hidden" name="slug" value="sale">"#))
            let days = "from=2020-01-01&through=2020-01-02"
            let before = try await daemon.send("GET", "/links/link?\(query)&\(days)", headers: fixture.session)
            #expect(before.body.contains("<dt>Clicks</dt><dd>0</dd>"))
            let wrong = try await daemon.send("GET", "/links/link?\(query)&from=nonsense", headers: fixture.session)
            #expect(wrong.status == 400 && wrong.body.contains("must be a date"))
            let code = try await daemon.send("GET", "/links/qr.svg?\(query)", headers: fixture.session)
            #expect(code.status == 200 && code.body.hasPrefix("<svg"))
        }
    }
}
