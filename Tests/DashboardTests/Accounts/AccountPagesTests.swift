import Addresses
import HTTPTypes
import Ingest
import Storage
import Testing
import Time

@testable import Dashboard
@testable import Reporting

@Suite("Accounts, users and invitations")
struct AccountPagesTests {
    private static func dashboard(
        _ role: AppRole = .manager,
        elsewhere other: AppRole? = nil
    ) async throws -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        try await dashboard.signIn(as: role, elsewhere: other)
        return dashboard
    }

    /// Invites somebody to the shop.
    ///
    /// - Returns: the token of the link that the page shows.
    private static func invite(_ email: String, as role: String, by dashboard: StoredDashboard) async throws -> String {
        let page = try await dashboard.post([("email", email), ("role", role)], to: "/users")
        #expect(page.status == 200)
        return String(try #require(page.body.firstMatch(of: /\/account\/join\?token=([A-Za-z0-9]+)/)).1)
    }

    @Test func showWhatTheUserIs() async throws {
        let page = try await Self.dashboard(.viewer, elsewhere: .manager).get("/account")
        #expect(page.status == 200 && page.body.contains("<dt>Shop</dt><dd>viewer</dd>"))
        #expect(page.body.contains("<dt>Other</dt><dd>manager</dd>") && !page.body.contains("href=\"/users\""))
        #expect(
            page.body.contains(#"autocomplete="current-password""#)
                && page.body.contains(#"autocomplete="new-password""#)
        )
        #expect(try await Self.dashboard().get("/account").body.contains("href=\"/users\""))
    }

    @Test func changeThePassword() async throws {
        let dashboard = try await Self.dashboard()
        func change(_ old: String, _ new: String) async throws -> StoredDashboard.Answer {
            try await dashboard.post([("old", old), ("new", new)], to: "/account/password")
        }
        let wrong = try await change("wrong secret", "a new password")
        #expect(
            wrong.status == 403 && wrong.body.contains("This is not your password.") && !wrong.body.contains("secret")
        )
        #expect(try await change("correct horse", "short").status == 422)
        let right = try await change("correct horse", "a new password")
        #expect(right.status == 303 && right.headers[.location] == "/account?changed=1")
        #expect(try await dashboard.get("/account?changed=1").body.contains("The password is changed."))
        // As at the page to sign in.
        for _ in 0..<9 { _ = try await change("wrong", "a new password") }
        let slowed = try await change("a new password", "another password")
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] != nil)
    }

    @Test func endASession() async throws {
        let dashboard = try await Self.dashboard()
        let sessions = try await dashboard.stores().sessions
        let ann = try #require(try await dashboard.caller(of: dashboard.session)?.user)
        let other = try await sessions.begin(user: ann, browser: "another one")
        let number = try #require(try await sessions.sessions(of: ann).first { $0.browser == "another one" }?.number)
        #expect(try await dashboard.get("/account").body.contains("another one"))
        #expect(try await dashboard.post([("number", "\(number)")], to: "/account/session").status == 303)
        let (ended, own) = (try await dashboard.caller(of: other), try await dashboard.caller(of: dashboard.session))
        #expect(ended == nil && own != nil)
        #expect(try await dashboard.post([("number", "x")], to: "/account/session").status == 400)
    }

    /// Whoever has the password of an address may not be its owner, for whom a proxy vouches.
    @Test(arguments: [false, true]) func showNoSessionOfAProxyToAPassword(isVouched: Bool) async throws {
        let dashboard = try await Self.dashboard()
        let sessions = try await dashboard.stores().sessions
        let ann = try #require(try await dashboard.caller(of: dashboard.session)?.user)
        _ = try await sessions.begin(user: ann, browser: "Browser 5")
        _ = try await sessions.begin(user: ann, browser: "Browser 6", isVouched: true)
        if isVouched { dashboard.session = try await sessions.begin(user: ann, browser: "own", isVouched: true) }
        var headers = ["Sec-Fetch-Site": "same-origin"]
        if isVouched { headers["Remote-Email"] = ann.email }
        let sender = PageSender(address: IPAddress("192.0.2.1"), isProxied: isVouched)
        let shown = try await dashboard.answer(.get, "/account", headers: headers, from: sender)
        let page = try #require(shown)
        #expect(page.status == 200 && page.body.contains("Browser 5</td><td>password</td>"))
        #expect(page.body.contains("Browser 6</td><td>proxy</td>") == isVouched)
        #expect(page.body.contains("These are the sessions that began with your password.") == !isVouched)
        let all = try await sessions.sessions(of: ann)
        let number = try #require(all.first { $0.browser == "Browser 6" }?.number)
        let path = "/account/session"
        let ended = try await dashboard.answer(.post, path, "number=\(number)", headers: headers, from: sender)
        #expect(ended?.status == 303)
        let left = try await sessions.sessions(of: ann).contains { $0.number == number }
        #expect(left == !isVouched)
    }

    @Test func changeTheApp() async throws {
        let dashboard = try await Self.dashboard(.viewer, elsewhere: .manager)
        let page = try await dashboard.get("/funnels")
        #expect(page.body.contains(#"<option value="other">Other</option>"#))
        #expect(page.body.contains(#"<input type="hidden" name="then" value="/funnels">"#))
        #expect(try await dashboard.get("/users").status == 403)
        let answer = try await dashboard.post([("app", "other"), ("then", "/funnels")], to: "/account/app")
        #expect(answer.status == 303 && answer.headers[.location] == "/funnels")
        #expect(try await dashboard.get("/funnels").body.contains(#"<option value="other" selected>Other</option>"#))
        // The role is that of the app.
        #expect(try await dashboard.get("/users").status == 200)
        #expect(try await dashboard.post([("app", "third")], to: "/account/app").status == 403)
        let elsewhere = try await dashboard.post([("app", "shop"), ("then", "//evil.example")], to: "/account/app")
        #expect(elsewhere.headers[.location] == "/")
        #expect(try await !Self.dashboard().get("/").body.contains("/account/app"))
    }

    @Test func inviteWithALinkThatIsShownOnce() async throws {
        let dashboard = try await Self.dashboard()
        let form = [(name: "email", value: "bob@example.com"), ("role", "analyst")]
        let page = try await dashboard.post(form, to: "/users")
        #expect(page.status == 200 && page.headers[.cacheControl] == "private, no-store")
        let link = try #require(
            page.body.firstMatch(of: /http:\/\/127.0.0.1:8080\/account\/join\?token=([A-Za-z0-9]+)/)
        )
        let list = try await dashboard.get("/users")
        #expect(list.body.contains("bob@example.com") && !list.body.contains(link.1))
        let wrong = try await dashboard.post([("email", "<bob>"), ("role", "viewer")], to: "/users")
        #expect(wrong.status == 422 && wrong.body.contains("no e-mail address") && !wrong.body.contains("<bob>"))
        #expect(try await dashboard.post([("email", "b@example.com"), ("role", "owner")], to: "/users").status == 422)
    }

    /// Who is in another app accepts with the password that they have, and is not in this app before.
    @Test func inviteWhoeverIsInAnotherAppByALinkToo() async throws {
        let dashboard = try await Self.dashboard()
        let bob = try await dashboard.add([(DashboardDatabase.other, .viewer)], email: "bob@example.com")
        let token = try await Self.invite(bob.email, as: "analyst", by: dashboard)
        let page = try await dashboard.get("/account/join?token=\(token)", isSignedIn: false)
        #expect(page.body.contains("ann@example.com invites you to Shop, as an analyst."))
        #expect(page.body.contains(#"autocomplete="current-password""#) && page.body.contains("--new-password"))
        #expect(!page.body.contains("new-password\"") && !page.body.contains("Choose a password"))
        func join(_ password: String) async throws -> StoredDashboard.Answer {
            try await dashboard.post([("token", token), ("password", password)], to: "/account/join")
        }
        let wrong = try await join("another horse")
        #expect(wrong.status == 403 && wrong.body.contains("This is not your password."))
        #expect(!wrong.body.contains("another horse"))
        let users = try await dashboard.stores().users
        #expect(try await users.user(email: bob.email, password: StoredDashboard.password) == bob)
        let answer = try await join(StoredDashboard.password)
        #expect(answer.status == 303)
        // In the app of the invitation.
        let caller = try await dashboard.caller(of: StoredDashboard.session(begunBy: answer))
        #expect(caller?.role == .analyst && caller?.user?.email == bob.email)
    }

    /// The link must not be a way to guess passwords.
    @Test func slowWrongPasswordsAtAnInvitation() async throws {
        let dashboard = try await Self.dashboard()
        try await dashboard.add([(DashboardDatabase.other, .viewer)], email: "bob@example.com")
        let token = try await Self.invite("bob@example.com", as: "viewer", by: dashboard)
        func join(_ password: String) async throws -> StoredDashboard.Answer {
            try await dashboard.post([("token", token), ("password", password)], to: "/account/join")
        }
        for _ in 0..<10 { #expect(try await join("wrong").status == 403) }
        let slowed = try await join("correct horse")
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] == "6")
    }

    @Test func inviteNobodyWhoIsAUserAlready() async throws {
        let dashboard = try await Self.dashboard()
        let bob = "bob@example.com"
        #expect(try await dashboard.get("/users").body.contains("<option value=\"\" selected>Choose a role</option>"))
        #expect(try await dashboard.post([("email", bob), ("role", "")], to: "/users").status == 422)
        let lost = try await Self.invite(bob, as: "analyst", by: dashboard)
        let other = try await dashboard.post([("email", bob), ("role", "viewer")], to: "/users")
        #expect(other.status == 422 && other.body.contains("is analyst of &#39;shop&#39; already"))
        // The link may be lost.
        let again = try await Self.invite(bob, as: "analyst", by: dashboard)
        #expect(again != lost)
        #expect(try await dashboard.get("/account/join?token=\(lost)", isSignedIn: false).status == 404)
        let own = try await dashboard.post([("email", "ann@example.com"), ("role", "manager")], to: "/users")
        #expect(own.status == 422 && own.body.contains("This is a manager of the app already."))
    }

    @Test func doNotLowerTheirOwnRole() async throws {
        let dashboard = try await Self.dashboard()
        let role = [(name: "email", value: "Ann@example.com"), ("role", "viewer")]
        let refused = try await dashboard.post(role, to: "/users/role")
        #expect(refused.status == 422 && refused.body.contains("Nobody lowers their own role;"))
        #expect(try await dashboard.get("/users/remove?email=ann%40example.com").body.contains("This is you"))
        #expect(try await dashboard.users.map(\.role) == [.manager])
    }

    @Test func changeRolesAndRemove() async throws {
        let dashboard = try await Self.dashboard()
        _ = try await dashboard.post([("email", "bob@example.com"), ("role", "viewer")], to: "/users")
        let role = [(name: "email", value: "bob@example.com"), ("role", "manager")]
        #expect(try await dashboard.post(role, to: "/users/role").status == 303)
        #expect(
            try await dashboard.users.contains {
                $0.email == "bob@example.com" && $0.role == .manager
            }
        )
        let question = try await dashboard.get("/users/remove?email=bob%40example.com")
        #expect(question.body.contains("Remove bob@example.com?") && !question.body.contains("name=\"key\""))
        #expect(try await dashboard.post([("email", "bob@example.com")], to: "/users/remove").status == 303)
        #expect(try await dashboard.users.map(\.email) == ["ann@example.com"])
        #expect(try await dashboard.get("/users/remove?email=bob%40example.com").status == 303)
    }

    @Test func letInWhoeverIsInvited() async throws {
        let dashboard = try await Self.dashboard()
        let (former, token) = (dashboard.session, try await Self.invite("bob@example.com", as: "viewer", by: dashboard))
        let page = try await dashboard.get("/account/join?token=\(token)", isSignedIn: false)
        #expect(page.status == 200 && page.body.contains("bob@example.com"))
        #expect(page.body.contains("ann@example.com invites you to Shop, as a viewer. Choose a password."))
        #expect(page.body.contains(#"autocomplete="new-password""#) && page.body.contains(#"autocomplete="username""#))
        // No other site learns the token from the address.
        let policy = try #require(HTTPField.Name("Referrer-Policy"))
        #expect(page.headers[policy] == "strict-origin" && page.headers[.cacheControl] == "private, no-store")
        func join(_ password: String) async throws -> StoredDashboard.Answer {
            try await dashboard.post([("token", token), ("password", password)], to: "/account/join")
        }
        let weak = try await join("short")
        #expect(
            weak.status == 422 && weak.body.contains("A password has 12 characters or more")
                && weak.headers[policy] == "strict-origin"
        )
        let answer = try await join("several good words")
        #expect(answer.status == 303 && answer.headers[.location] == "/")
        let caller = try await dashboard.caller(of: StoredDashboard.session(begunBy: answer))
        #expect(caller?.user?.email == "bob@example.com" && caller?.role == .viewer)
        #expect(try await dashboard.caller(of: former) == nil)
        let used = try await join("several good words")
        #expect(used.status == 404 && used.body.contains("<a href=\"/sign-in\">Sign in</a>"))
        for path in ["/account/join", "/account/join?token=", "/account/join?token=%3Cscript%3E"] {
            #expect(try await dashboard.get(path, isSignedIn: false).status == 404)
        }
    }
}

@Suite("What is shared with strangers")
struct SharedPagesTests {
    /// - Returns: also the paths of the shared pages, by their questions.
    private static func dashboard() async throws -> (dashboard: StoredDashboard, pages: [String: String]) {
        let dashboard = StoredDashboard()
        var pages: [String: String] = [:]
        dashboard.answer { name, _ in
            let columns = ReportCatalogue.columns(of: name)
            let cells: [ReportCell] = columns.map { $0.kind == .text ? .text("search") : .integer(9) }
            return ReportTable(columns: columns, rows: [cells])
        }
        let questions: [(name: String, report: String, parameters: [(name: String, value: String)])] = [
            ("by-channel", "channels", [("from", "7days"), ("where", "channel=search")]), ("list", "channels", []),
            ("week", "board", [("question", "by-channel"), ("question", "list"), ("from", "last-week")]),
        ]
        for (name, report, parameters) in questions {
            try await dashboard.saveQuestion(name, report: report, parameters: parameters)
        }
        // No board gets a list of people, but a question of one can become one.
        let people = [(name: "people", value: "installs")]
        try await dashboard.saveQuestion("list", report: "channels", parameters: people, replacing: true)
        for name in ["by-channel", "list", "week"] { pages[name] = try await dashboard.share(name) }
        return (dashboard, pages)
    }

    @Test(arguments: ["by-channel", "week"]) func leadNowhere(name: String) async throws {
        let (dashboard, pages) = try await Self.dashboard()
        let path = try #require(pages[name])
        // Whoever is signed in sees the same.
        for isSignedIn in [false, true] {
            let page = try await dashboard.get(path, isSignedIn: isSignedIn)
            #expect(page.status == 200 && page.body.contains("search") && page.body.contains("<h1>\(name)</h1>"))
            let links = page.body.matches(of: /(href|src|action)="([^"]*)"/).map { String($0.2) }
            #expect(links.allSatisfy { $0.hasPrefix("data:") || $0.hasPrefix("/assets/style.css") }, "\(links)")
            for text in ["<form", "<script", "<input", "/people", path] {
                #expect(!page.body.contains(text), "\(text)")
            }
            let robots = try #require(HTTPField.Name("X-Robots-Tag"))
            let policy = try #require(HTTPField.Name("Referrer-Policy"))
            #expect(page.headers[robots] == "noindex" && page.headers[policy] == "strict-origin")
            #expect(page.headers[.cacheControl] == "private, no-store")
        }
    }

    @Test func sayTheirDaysAndConditionsInWords() async throws {
        let (dashboard, pages) = try await Self.dashboard()
        let page = try await dashboard.get(try #require(pages["by-channel"]), isSignedIn: false)
        #expect(page.body.contains("<p class=\"hint\">2026-11-19 to 2026-11-25, channel is search</p>"))
        #expect(!page.body.contains("7days"))
        let board = try await dashboard.get(try #require(pages["week"]), isSignedIn: false)
        #expect(board.body.contains("<p class=\"hint\">2026-11-16 to 2026-11-25</p>"))
    }

    /// Nothing in the address changes what is seen.
    @Test func keepTheirDaysAndConditions() async throws {
        let (dashboard, pages) = try await Self.dashboard()
        let (question, week) = (try #require(pages["by-channel"]), try #require(pages["week"]))
        _ = try await dashboard.get("\(question)?from=2020-01-01&where=&by=poster", isSignedIn: false)
        let asked = try #require(dashboard.reports.last)
        #expect(asked["from"] == "7days" && asked["where"] == "channel=search" && asked["by"] == nil)
        _ = try await dashboard.get("\(week)?from=2020-01-01", isSignedIn: false)
        #expect(dashboard.reports.last?["from"] == "last-week")
    }

    @Test func haveNoPeople() async throws {
        let (dashboard, pages) = try await Self.dashboard()
        let page = try await dashboard.get(try #require(pages["list"]), isSignedIn: false)
        #expect(page.status == 403 && page.body.contains("lists people") && page.body.contains("<h1>Not shown</h1>"))
        #expect(!page.body.contains("Try again"))
        let board = try await dashboard.get(try #require(pages["week"]), isSignedIn: false)
        #expect(board.body.contains("This question lists people, who are not shown here."))
        #expect(!dashboard.reports.contains { $0["people"] != nil })
        try await dashboard.signIn(as: .analyst)
        for name in ["list", "week"] {
            let answer = try await dashboard.post([("name", name), ("days", "7")], to: "/questions/share")
            #expect(answer.status == 422 && answer.body.contains("lists people"))
        }
    }

    @Test(arguments: ["/shared/nothing", "/shared/a%2Fb", "deleted", "/shared/%3Cscript%3E"])
    func areNotFoundAlike(path: String) async throws {
        let (dashboard, pages) = try await Self.dashboard()
        let path = path == "deleted" ? try #require(pages["by-channel"]) : path
        try await dashboard.stores().questions.delete("by-channel", of: dashboard.app)
        let page = try await dashboard.get(path, headers: ["Accept": "text/html"], isSignedIn: false)
        #expect(page.status == 404 && !page.body.contains("<script>") && !page.body.contains("Shop"))
        #expect(!page.body.contains("<a "))
    }

    @Test func beginAndEndOnThePageOfTheQuestion() async throws {
        // Pages end by the clock of the database.
        let dashboard = StoredDashboard(clock: { .now })
        dashboard.answer { _, _ in nil }
        try await dashboard.saveQuestion("by-channel", report: "channels", parameters: [])
        try await dashboard.signIn(as: .analyst)
        let page = try await dashboard.get("/questions/question?name=by-channel")
        #expect(
            page.body.contains("href=\"/questions/share?name=by-channel\"") && !page.body.contains("by ann@example.com")
        )
        #expect(try await dashboard.get("/questions/share?name=by-channel").body.contains("name=\"days\""))
        let shared = try await dashboard.post([("name", "by-channel"), ("days", "7")], to: "/questions/share")
        let address = /http:\/\/127.0.0.1:8080(\/shared\/[A-Za-z0-9]+)/
        let path = String(try #require(shared.body.firstMatch(of: address)).1)
        #expect(try await dashboard.get(path, isSignedIn: false).status == 200)
        #expect(try await dashboard.get("/questions/question?name=by-channel").body.contains("by ann@example.com"))
        for (days, problem) in [("0", "1 to 366 days"), ("367", "1 to 366 days"), ("x", "‘x’ is no number of days.")] {
            let answer = try await dashboard.post([("name", "by-channel"), ("days", days)], to: "/questions/share")
            #expect(answer.status == 422 && answer.body.contains(problem), "\(days)")
        }
        let pages = try await dashboard.stores().shares.pages(of: dashboard.app)
        let number = try #require(pages.first?.number)
        let fields = [(name: "name", value: "by-channel"), ("number", "\(number)")]
        let question = try await dashboard.get("/questions/unshare?" + FormFields.encode(fields))
        #expect(question.body.contains("Share by-channel no more?"))
        #expect(try await dashboard.post(fields, to: "/questions/unshare").status == 303)
        #expect(try await dashboard.get(path, isSignedIn: false).status == 404)
    }

    /// As every form of a read key.
    @Test func needTheWriteKeyWithAReadKey() async throws {
        let dashboard = try await Self.dashboard().dashboard
        let form = [(name: "name", value: "by-channel"), ("days", "7")]
        #expect(try await dashboard.post(form, to: "/questions/share").status == 403)
        let answer = try await dashboard.post(form + [("key", StoredDashboard.writeKey)], to: "/questions/share")
        #expect(answer.status == 200 && answer.body.contains("http://127.0.0.1:8080/shared/"))
    }

    @Test func areHiddenFromViewers() async throws {
        let dashboard = try await Self.dashboard().dashboard
        try await dashboard.signIn(as: .viewer)
        for path in ["/questions/question?name=by-channel", "/questions/board?name=week"] {
            let page = try await dashboard.get(path)
            #expect(page.status == 200)
            for text in ["/questions/share", "/questions/schedule", "/questions/delete", "/questions/new"] {
                #expect(!page.body.contains(text), "\(text)")
            }
        }
    }
}
