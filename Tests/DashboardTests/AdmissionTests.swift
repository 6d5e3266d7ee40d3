import HTTPTypes
import HummingbirdCore
import NIOCore
import Storage
import Testing
import Time

@testable import Dashboard

@Suite("Who is let in")
struct AdmissionTests {
    private static let browser = ["Accept": "text/html,*/*;q=0.8"]
    private static let form = #"<input id="key" name="key""#

    private static func dashboard() -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        return dashboard
    }

    @Test(arguments: [
        ("/nothing", ""), ("/questions/a.b", ""), ("/funnel", "Did you mean /funnels?"), ("/links/a/b", ""),
        ("/links/longer-than-questions", ""), ("/assets/none.css", ""),
    ])
    func somebodySignedInGetsAPageAtAWrongAddress(path: String, hint: String) async throws {
        let page = try await Self.dashboard().get(path, headers: Self.browser)
        #expect(page.status == 404)
        #expect(page.body.contains("<h1>Page not found</h1>") && page.body.contains("Shop"))
        #expect(page.body.contains("There is no page at this address: \(path).") && page.body.contains(hint))
        #expect(page.body.contains(#"<a href="/live""#) && page.body.contains("class=\"dot unknown\""))
        #expect(!page.body.contains("aria-current=\"page\""))
        #expect(!page.body.contains(Self.form))
        let stranger = try await Self.dashboard().get(path, headers: Self.browser, isSignedIn: false)
        #expect(stranger.status == 404 && stranger.body.contains(Self.form) && !stranger.body.contains("Shop"))
    }

    /// Whatever is asked for, nobody is told to sign in who is signed in.
    @Test(arguments: [
        "/", "/funnels?by=ref&where=channel%3Dsearch", "/posts?from=nonsense", "/questions", "/questions/new",
        "/questions/question?name=weekly", "/links", "/links/new", "/links/link?host=a&slug=b", "/csv/channels.csv",
        "/?by=a&by=b",
    ])
    func aLostDatabaseIsSaid(path: String) async throws {
        let dashboard = Self.dashboard()
        #expect(try await dashboard.get("/live").status == 200)
        dashboard.loseAccounts()
        let page = try await dashboard.get(path, headers: Self.browser)
        #expect(page.status == 503)
        #expect(page.body.contains("The database is away") && !page.body.contains(Self.form))
        #expect(page.body.contains(#"<a href="/live"#) && page.body.contains("Shop"))
        #expect(page.body.contains("\(path.replacing("&", with: "&amp;"))\">Try again</a>"))
        let missing = try await dashboard.get("/nothing", headers: Self.browser)
        #expect(missing.status == 404 && !missing.body.contains(Self.form))
    }

    @Test func liveNeedsNoDatabase() async throws {
        let dashboard = Self.dashboard()
        _ = try await dashboard.get("/")
        dashboard.loseAccounts()
        let live = try await dashboard.get("/live")
        #expect(live.status == 200 && live.body.contains("Events per second"))
    }

    /// A daemon that has not seen a session cannot know whose it is.
    @Test(arguments: ["/live", "/", "/nothing", "/csv/channels.csv"])
    func aSessionThatWasNeverSeenShowsNothing(path: String) async throws {
        let dashboard = Self.dashboard()
        dashboard.loseAccounts()
        let page = try await dashboard.get(path, headers: Self.browser)
        #expect(page.status == 503)
        #expect(page.body.contains("<h1>The database is away</h1>") && page.body.contains("You stay signed in."))
        #expect(page.body.contains("<a href=\"\(path)\">Try again</a>"))
        #expect(!page.body.contains(Self.form) && !page.body.contains("Shop"))
    }

    @Test func aSessionThatWasEndedIsForgotten() async throws {
        let dashboard = Self.dashboard()
        _ = try await dashboard.get("/")
        #expect(try await dashboard.post([], to: "/sign-out").status == 303)
        dashboard.loseAccounts()
        #expect(try await !dashboard.get("/live").body.contains("Shop"))
    }

    @Test func sessionsAreRememberedForTheirLifetime() {
        let (sessions, now) = (SeenSessions(), StoredDashboard.now)
        let caller = Caller(app: StoredDashboard().app, holder: .key(prefix: "trib_r_sh"), role: .viewer)
        sessions.remember("abc", caller, now: now)
        sessions.remember("abc", caller, now: now.advanced(by: .seconds(11 * 3_600)))
        #expect(sessions.caller(of: "abc", now: now.advanced(by: .seconds(12 * 3_600 - 1))) == caller)
        #expect(sessions.caller(of: "abc", now: now.advanced(by: .seconds(12 * 3_600))) == nil)
        for number in 0..<2_000 { sessions.remember("\(number)", caller, now: now) }
        #expect((0..<2_000).count { sessions.caller(of: "\($0)", now: now) != nil } <= 1_000)
    }

    @Test func compressesPagesForBrowsersThatTakeGzip() async throws {
        let dashboard = Self.dashboard()
        for (accepted, encoding) in [("gzip, deflate", "gzip"), ("br, gzip;q=0", nil), ("", nil)] {
            let headers = Self.browser.merging(["Accept-Encoding": accepted]) { $1 }
            for path in ["/live", "/assets/style.css"] {
                let page = try await dashboard.get(path, headers: headers)
                #expect(page.headers[.contentEncoding] == encoding && page.headers[.vary] == "Accept-Encoding")
            }
        }
    }

    /// Somebody opens the address that programs read.
    @Test func aQuestionsAddressLeadsPeopleToItsPage() async throws {
        for isSignedIn in [true, false] {
            let path = "/questions/weekly"
            let answer = try await Self.dashboard().get(path, headers: Self.browser, isSignedIn: isSignedIn)
            #expect(answer.status == 303 && answer.headers[.location] == "/questions/question?name=weekly")
        }
    }

    /// The API then answers, or says what the key lacks.
    @Test(
        arguments: [
            ("/questions/weekly", "*/*", "/v1/questions/weekly.csv"),
            ("/questions/question?name=weekly", "", "/v1/questions/weekly.csv"),
            ("/questions/weekly", "application/json", "/v1/questions/weekly.json"),
            ("/questions/weekly.json", "*/*", "/v1/questions/weekly.json"), ("/questions", "*/*", "/v1/questions"),
            ("/questions/weekly", "text/html,*/*", nil), ("/questions/a/b", "*/*", nil), ("/funnels", "*/*", nil),
            ("/questions/question?name=a%20b", "*/*", nil),
        ] as [(String, String, String?)]
    )
    func programsGetTheAPIAtAQuestionsAddress(path: String, accept: String, answer: String?) async throws {
        let stored = StoredDashboard()
        let dashboard = try Dashboard(
            authenticator: stored,
            stores: try await stored.stores(isOwn: false),
            live: LiveIngest(),
            readiness: stored
        )
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:8080", path: path)
        if !accept.isEmpty { head.headerFields[.accept] = accept }
        func asked() -> String? {
            dashboard.programPath(of: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
        }
        #expect(asked() == answer)
        head.headerFields[.cookie] = "tributary_session=abc"
        #expect(asked() == nil)
    }
}
