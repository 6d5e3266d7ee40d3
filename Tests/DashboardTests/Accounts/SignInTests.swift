import Addresses
import HTTPTypes
import Ingest
@testable import Storage
import Testing
import Time

@testable import Dashboard

@Suite("Signing in as a user")
struct SignInTests {
    private static func dashboard() async throws -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        try await dashboard.add([(DashboardDatabase.app, .analyst)])
        return dashboard
    }

    private static func form(_ password: String, _ email: String = "ann@example.com") -> String {
        FormFields.encode([("email", email), ("password", password), ("then", "/funnels?by=ref")])
    }

    private static func post(
        _ body: String,
        to dashboard: StoredDashboard,
        from address: String = "192.0.2.1"
    ) async throws -> StoredDashboard.Answer {
        try #require(
            try await dashboard.answer(.post, "/sign-in", body, from: PageSender(address: IPAddress(address)))
        )
    }

    /// What a browser sends slowly, or what a proxy holds back.
    @Test func saysThatAFormTookTooLong() async throws {
        let dashboard = try await Self.dashboard()
        let page = try #require(
            try await dashboard.answer(.post, "/sign-in", failing: Problem(.requestTimeout, "The body took too long."))
        )
        #expect(page.status == 408)
        #expect(page.body.contains("The form took too long to arrive. Send it again."))
    }

    @Test func beginsAnotherSession() async throws {
        let dashboard = try await Self.dashboard()
        let answer = try await Self.post(Self.form("correct horse"), to: dashboard)
        #expect(answer.status == 303 && answer.headers[.location] == "/funnels?by=ref")
        #expect(answer.headers[.setCookie]?.hasPrefix("tributary_session=") == true)
        let caller = try await dashboard.caller(of: StoredDashboard.session(begunBy: answer))
        #expect(caller?.user?.email == StoredDashboard.ann && caller?.role == .analyst)
        #expect(answer.headers[.cacheControl] == "private, no-store")
        // The session that the browser came with is over, so that nobody who has planted it goes on with it.
        #expect(try await dashboard.caller(of: DashboardDatabase.session) == nil)
    }

    /// With users, there are two forms; the demo has none, and opens with one paste.
    @Test func offersWhatThereIs() async throws {
        let page = try await Self.dashboard().get("/sign-in?then=/live", isSignedIn: false)
        for text in [
            #"type="email" autocomplete="username""#, #"autocomplete="current-password""#, #"name="key""#,
            #"<label for="email">"#, #"<label for="password">"#,
        ] {
            #expect(page.body.contains(text), "\(text)")
        }
        #expect(page.headers[.cacheControl] == "private, no-store")
        let demo = try await StoredDashboard().get("/sign-in", isSignedIn: false)
        #expect(!demo.body.contains("email") && demo.body.contains("required autofocus>"))
    }

    @Test func answersAnUnknownAddressLikeAWrongPassword() async throws {
        let dashboard = try await Self.dashboard()
        let before = dashboard.work.total
        let wrong = try await Self.post(Self.form("wrong secret"), to: dashboard)
        let unknown = try await Self.post(Self.form("wrong secret", "eve@example.com"), to: dashboard)
        #expect(wrong.status == 401 && unknown.status == 401)
        #expect(wrong.body == unknown.body.replacing("eve@example.com", with: "ann@example.com"))
        #expect(!wrong.body.contains("wrong secret"))
        #expect(dashboard.work.total == before + 2)
    }

    @Test(arguments: ["ann@example.com", "nobody@example.com"])
    func slowsWhoeverTries(email: String) async throws {
        let dashboard = try await Self.dashboard()
        let before = dashboard.work.total
        for number in 0..<10 {
            // From other addresses, the account is slowed.
            let answer = try await Self.post(Self.form("wrong", email), to: dashboard, from: "198.51.100.\(number)")
            #expect(answer.status == 401)
        }
        let answer = try await Self.post(Self.form("wrong", email), to: dashboard, from: "198.51.100.99")
        #expect(answer.status == 429 && answer.headers[.retryAfter] == "6")
        #expect(answer.body.contains("Too many wrong passwords. Try again in 6 seconds."))
        #expect(dashboard.work.total == before + 10)
    }

    /// What strangers try at an account keeps nobody out who signed in before from where they are.
    @Test func locksNobodyOut() async throws {
        let dashboard = try await Self.dashboard()
        #expect(try await Self.post(Self.form("correct horse"), to: dashboard).status == 303)
        for number in 0..<20 {
            _ = try await Self.post(Self.form("wrong"), to: dashboard, from: "198.51.100.\(number)")
        }
        #expect(try await Self.post(Self.form("correct horse"), to: dashboard, from: "198.51.100.99").status == 429)
        #expect(try await Self.post(Self.form("correct horse"), to: dashboard).status == 303)
    }

    /// Nor somebody new, who has only opened a link until now.
    @Test func locksNobodyOutWhoHasJoined() async throws {
        let dashboard = try await Self.dashboard()
        try await dashboard.signIn(as: .manager)
        let (bob, password) = ("bob@example.com", "correct mule cell")
        let page = try await dashboard.post([("email", bob), ("role", "viewer")], to: "/users").body
        let token = try #require(page.firstMatch(of: /\/account\/join\?token=([A-Za-z0-9]+)/)).1
        let form = [(name: "token", value: String(token)), ("password", password)]
        #expect(try await dashboard.post(form, to: "/account/join", isSignedIn: false).status == 303)
        for number in 0..<20 {
            _ = try await Self.post(Self.form("wrong", bob), to: dashboard, from: "198.51.100.\(number)")
        }
        let elsewhere = try await Self.post(Self.form(password, bob), to: dashboard, from: "198.51.100.99")
        #expect(elsewhere.status == 429)
        #expect(try await Self.post(Self.form(password, bob), to: dashboard).status == 303)
    }

    @Test func countsNoPasswordThatCouldNotBeChecked() async throws {
        let dashboard = try await Self.dashboard()
        dashboard.loseAccounts()
        for _ in 0..<12 { #expect(try await Self.post(Self.form("wrong"), to: dashboard).status == 503) }
    }

    /// Otherwise a page of ours would lead to another one.
    @Test(arguments: ["//evil.example", "/\\evil.example", "https://evil.example"])
    func leadsNowhereElse(target: String) async throws {
        let body = FormFields.encode([("email", "ann@example.com"), ("password", "correct horse"), ("then", target)])
        #expect(try await Self.post(body, to: Self.dashboard()).headers[.location] == "/")
    }
}

@Suite("Wrong passwords")
struct WrongPasswordsTests {
    private static let now = StoredDashboard.now
    private static func address(_ number: Int) -> IPAddress? { IPAddress("10.0.\(number / 256).\(number % 256)") }

    @Test func areFreeAgainWithTime() {
        let wrong = WrongPasswords()
        for _ in 0..<10 { #expect(wrong.take(account: "a", address: Self.address(1), at: Self.now) == nil) }
        #expect(wrong.take(account: "a", address: Self.address(1), at: Self.now) == .seconds(6))
        // Spelt in another way, it is the same account.
        #expect(wrong.take(account: " A", address: Self.address(2), at: Self.now) == .seconds(6))
        let later = Self.now.advanced(by: .seconds(6))
        #expect(wrong.take(account: "a", address: Self.address(1), at: later) == nil)
        #expect(wrong.take(account: "a", address: Self.address(1), at: later) == .seconds(6))
        // A clock that goes back frees nothing, and locks nobody.
        #expect(wrong.take(account: "a", address: Self.address(1), at: Self.now) == .seconds(6))
    }

    @Test func slowTheirAddress() {
        let wrong = WrongPasswords()
        for number in 0..<10 { #expect(wrong.take(account: "\(number)", address: nil, at: Self.now) == nil) }
        #expect(wrong.take(account: "x", address: nil, at: Self.now) == .seconds(6))
        #expect(wrong.take(account: "x", address: Self.address(1), at: Self.now) == nil)
    }

    /// Whoever has a /48 has 65,536 networks that count as one visitor each.
    @Test func slowTheNetworkOfACustomer() {
        let wrong = WrongPasswords()
        func tries(_ address: String, _ count: Int, after seconds: Int = 0) -> Int {
            let now = Self.now.advanced(by: .seconds(seconds))
            return (0..<count).count {
                wrong.take(account: "\(address) \($0)", address: IPAddress(address)?.visitor, at: now) == nil
            }
        }
        #expect(tries("2001:db8:1::1", 20) == 10)
        #expect((1..<20).reduce(0) { $0 + tries("2001:db8:1:\($1)::1", 20) } == 90)
        #expect(tries("2001:db8:1:99::1", 20, after: 3) == 5)
        #expect(tries("2001:db8:2::1", 20) == 10)
        #expect((1..<20).reduce(0) { $0 + tries("192.0.2.\($1)", 20) } == 190)
        // A right one is given back everywhere.
        wrong.wasRight(account: "x", address: IPAddress("2001:db8:1:99::1")?.visitor, at: Self.now)
        #expect(tries("2001:db8:1:98::1", 20) == 1)
    }

    /// A flood of names takes no more memory, and hides no account at which somebody tries on.
    @Test func areBounded() {
        let wrong = WrongPasswords()
        for _ in 0..<10 { _ = wrong.take(account: "a", address: Self.address(1), at: Self.now) }
        for number in 0..<WrongPasswords.limit {
            _ = wrong.take(account: "name \(number)", address: Self.address(number % 60_000 + 2), at: Self.now)
        }
        #expect(wrong.count <= WrongPasswords.limit)
        #expect(wrong.take(account: "a", address: Self.address(1), at: Self.now) != nil)
    }
}

@Suite("Signing in through a proxy")
struct ProxySignInTests {
    private static let proxy = PageSender(address: IPAddress("192.0.2.1"), isProxied: true)
    private static let ann = ["Remote-Email": "Ann@example.com"]

    /// - Parameter password: nil: the role is pending, which is enough for whom the proxy vouches for.
    private static func dashboard(password: String? = nil) async throws -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        try await dashboard.add([(DashboardDatabase.app, .viewer)], password: password)
        return dashboard
    }

    @Test func letsInWhomTheProxyNames() async throws {
        let dashboard = try await Self.dashboard()
        let first = try await dashboard.answer(.get, "/", headers: Self.ann, isSignedIn: false, from: Self.proxy)
        let page = try #require(first)
        #expect(page.status == 200 && page.body.contains("Account</a>"))
        let cookie = try #require(page.headers[.setCookie]).prefix { $0 != ";" }
        let headers = Self.ann.merging(["Cookie": String(cookie)]) { $1 }
        let next = try await dashboard.answer(.get, "/", headers: headers, isSignedIn: false, from: Self.proxy)
        // The session goes on.
        #expect(next?.status == 200 && next?.headers[.setCookie] == nil)
    }

    /// Anybody can send a header.
    @Test func believesNobodyElse() async throws {
        for headers in [Self.ann, ["Remote-Email": "ann@example.com", "X-Forwarded-For": "127.0.0.1"]] {
            let answer = try await Self.dashboard().answer(.get, "/", headers: headers, isSignedIn: false)
            #expect(answer?.status == 303 && answer?.headers[.location]?.hasPrefix("/sign-in") == true)
        }
    }

    @Test(arguments: ["eve@example.com", "ann@example.com, eve@example.com", "an n@example.com", "<script>"])
    func invitesNobody(email: String) async throws {
        let headers = ["Remote-Email": email]
        let answer = try await Self.dashboard().answer(.get, "/", headers: headers, isSignedIn: false, from: Self.proxy)
        #expect(answer?.status == 403 && answer?.headers[.setCookie] == nil)
        #expect(answer?.body.contains("Nobody has invited") == true && answer?.body.contains("<script>") == false)
    }

    @Test func endsTheSessionOfSomebodyElse() async throws {
        let dashboard = try await Self.dashboard()
        try await dashboard.begin(
            try await dashboard.add([(DashboardDatabase.app, .manager)], email: "eve@example.com")
        )
        #expect(try await dashboard.get("/users").status == 200)
        let answer = try await dashboard.answer(.get, "/users", headers: Self.ann, from: Self.proxy)
        #expect(answer?.status == 403 && answer?.headers[.setCookie] != nil)
        #expect(try await dashboard.caller(of: dashboard.session) == nil)
    }

    /// A session that began with a password has fewer apps than the proxy vouches for.
    @Test func takesTheSessionOfAPasswordOver() async throws {
        let dashboard = try await Self.dashboard(password: StoredDashboard.password)
        try await dashboard.signIn(as: .viewer)
        #expect(try await dashboard.caller(of: dashboard.session)?.isVouched == false)
        let answer = try await dashboard.answer(.get, "/", headers: Self.ann, from: Self.proxy)
        #expect(answer?.status == 200)
        #expect(try await dashboard.caller(of: dashboard.session) == nil)
        let caller = try await dashboard.caller(of: StoredDashboard.session(begunBy: answer))
        #expect(caller?.isVouched == true && caller?.user?.email == StoredDashboard.ann)
    }

    @Test func leavesASessionOfAKey() async throws {
        let answer = try await Self.dashboard().answer(.get, "/", headers: Self.ann, from: Self.proxy)
        #expect(answer?.status == 200 && answer?.headers[.setCookie] == nil)
        #expect(answer?.body.contains("Account</a>") == false)
    }

    /// A cookie alone shows nothing, neither from elsewhere nor without the header, also while the database is away.
    @Test(arguments: [false, true]) func vouchesInEachRequest(isAway: Bool) async throws {
        let dashboard = try await Self.dashboard()
        let first = try await dashboard.answer(.get, "/", headers: Self.ann, isSignedIn: false, from: Self.proxy)
        let cookie = ["Cookie": String(try #require(first?.headers[.setCookie]).prefix { $0 != ";" })]
        func live(_ headers: [String: String], from sender: PageSender) async throws -> StoredDashboard.Answer? {
            let headers = headers.merging(cookie) { $1 }
            return try await dashboard.answer(.get, "/live", headers: headers, isSignedIn: false, from: sender)
        }
        #expect(try await live(Self.ann, from: Self.proxy)?.status == 200)
        if isAway {
            dashboard.loseAccounts()
            #expect(try await live(Self.ann, from: Self.proxy)?.status == 200)
        }
        let others: [([String: String], PageSender)] = [
            ([:], Self.proxy), (Self.ann, PageSender(address: IPAddress("192.0.2.1"))),
            (["Remote-Email": ""], Self.proxy), (["Remote-Email": "eve@example.com"], Self.proxy),
        ]
        for (headers, sender) in others {
            let answer = try await live(headers, from: sender)
            #expect(answer?.status != 200 && answer?.body.contains("Shop") == false, "\(headers)")
        }
        guard !isAway else { return }
        #expect(try await live(Self.ann, from: Self.proxy)?.headers[.setCookie] == nil, "the session goes on")
    }

    @Test func needsNoHeader() async throws {
        let answer = try await Self.dashboard().answer(.get, "/", isSignedIn: false, from: Self.proxy)
        #expect(answer?.status == 303)
    }
}
