import HTTPTypes
import Storage
import Testing

@testable import Dashboard
@testable import Reporting

/// Each form and view asks for its role, in one place, before anything is read.
@Suite("Who may do what in the dashboard")
struct OperationTests {
    enum Asker: CaseIterable {
        case stranger, key, viewer, analyst, manager

        var role: AppRole? {
            switch self {
            case .stranger, .key: nil
            case .viewer: .viewer
            case .analyst: .analyst
            case .manager: .manager
            }
        }
    }

    /// With something in the place of the braces.
    private static func path(of operation: Operation) -> String {
        let path = operation.path.replacing(/\{[a-z]+\}/, with: operation.path.contains("csv") ? "channels" : "weekly")
        return path.hasSuffix("?people") ? path + "=installs" : path
    }

    private static func ask(
        _ operation: Operation,
        as asker: Asker,
        _ dashboard: StoredDashboard
    ) async throws -> StoredDashboard.Answer {
        let asked = dashboard.reports.count
        // Some of the forms end the session.
        if let role = asker.role { try await dashboard.signIn(as: role) } else { try await dashboard.beginWithKey() }
        let answer = try await dashboard.answer(
            operation.method == .get ? .get : .post,
            path(of: operation),
            headers: ["Sec-Fetch-Site": "same-origin", "Accept": "text/html"],
            isSignedIn: asker != .stranger
        )
        let found = try #require(answer, "\(operation.method) \(operation.path)")
        // Whoever is refused has caused nothing to be read.
        if isRefused(found) { #expect(dashboard.reports.count == asked, "\(operation.path)") }
        return found
    }

    private static func isRefused(_ answer: StoredDashboard.Answer) -> Bool {
        answer.status == 403 && answer.body.contains("<h1>Not with your role</h1>")
    }

    @Test(arguments: Asker.allCases) func isDecidedByTheList(asker: Asker) async throws {
        let dashboard = StoredDashboard()
        dashboard.answer { _, _ in nil }
        for operation in Dashboard.operations {
            let answer = try await Self.ask(operation, as: asker, dashboard)
            let what = "\(asker): \(operation.method.rawValue) \(operation.path)"
            if operation.need == .nothing {
                #expect(!Self.isRefused(answer) && !(answer.headers[.location] ?? "").hasPrefix("/sign-in?"), "\(what)")
            } else if asker == .stranger {
                #expect(answer.status == 303 && (answer.headers[.location] ?? "").hasPrefix("/sign-in?"), "\(what)")
            } else {
                #expect(Self.isRefused(answer) == !operation.admits(asker.role), "\(what)")
            }
        }
    }

    /// As docs/access.md has the roles.
    @Test(
        arguments: [
            ("GET", "/", .viewer), ("GET", "/links", .viewer), ("GET", "/links/link", .viewer),
            ("GET", "/questions/board", .viewer), ("GET", "/csv/{report}.csv", .viewer), ("GET", "/people", .analyst),
            ("GET", "/person", .analyst), ("GET", "/csv/{report}.csv?people", .analyst),
            ("POST", "/questions/new", .analyst), ("POST", "/questions/schedule", .analyst),
            ("POST", "/questions/notes", .analyst), ("POST", "/questions/share", .analyst),
            ("POST", "/links/new", .manager), ("GET", "/users", .manager), ("POST", "/users", .manager),
            ("POST", "/users/remove", .manager), ("GET", "/log", .manager),
        ] as [(String, String, AppRole)]
    )
    func needsTheRole(method: String, path: String, least: AppRole) throws {
        let found = Dashboard.operations.filter { $0.method.rawValue == method && $0.path == path }
        let operation = try #require(found.first)
        #expect(found.count == 1)
        for role in AppRole.allCases { #expect(operation.admits(role) == (role >= least)) }
    }

    /// Pages about users are no matter of keys; the rest is, and its forms ask for the write key.
    @Test func takesAReadKey() {
        let refused = Dashboard.operations.filter { !$0.admits(nil) }.map(\.path)
        #expect(refused.allSatisfy { ["/account", "/users", "/log"].contains("/" + $0.split(separator: "/")[0]) })
    }

    /// What is not in the list is not answered, whatever it is called.
    @Test func answersNoOtherForm() async throws {
        let listed = Dashboard.operations.filter { $0.method == .post }.map(\.path)
        let known = Dashboard.operations.map(Self.path)
        let guesses = known + known.map { $0 + "/delete" } + ["/links/delete", "/questions/undo", "/account/email"]
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .manager)
        for path in Set(guesses) where !listed.contains(path) {
            #expect(try await dashboard.answer(.post, path, headers: ["Accept": "text/html"]) == nil, "\(path)")
            #expect(try await dashboard.answer(.put, path, headers: ["Accept": "text/html"]) == nil, "\(path)")
        }
    }

    @Test func refusesEveryFormOfAnotherSite() async throws {
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .manager)
        for operation in Dashboard.operations where operation.method == .post {
            for headers in [["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"], ["Origin": "null"]] {
                let answer = try await dashboard.answer(.post, operation.path, headers: headers)
                #expect(answer?.status == 403 && answer?.body.contains("Another site sent it.") == true)
            }
        }
    }

    @Test func saysWhichRoleMay() async throws {
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .viewer)
        let page = try await dashboard.get("/links/new")
        #expect(page.body.contains("This is for managers: the form for a link. You are a viewer of this app"))
        #expect(try await StoredDashboard().get("/users").body.contains("You are signed in with a read key."))
    }

    /// Of a user, the role decides: no form asks for a key, and the log names the user.
    @Test func asksNoUserForAKey() async throws {
        let dashboard = StoredDashboard()
        try await dashboard.signIn(as: .manager)
        for path in ["/links/new", "/questions/notes", "/questions/new?report=channels"] {
            #expect(try await !dashboard.get(path).body.contains("name=\"key\""), "\(path)")
        }
        #expect(
            try await dashboard.post([("text", "out"), ("day", "2026-11-24")], to: "/questions/notes").status == 303
        )
        #expect(try await dashboard.post([("target_url", "https://shop.example/"), ("fallback", "web")]).status == 303)
        #expect(try await dashboard.links.count == 1)
        #expect(try await dashboard.notes.count == 1)
        let changes = try await dashboard.changes.prefix(2)
        #expect(changes.map(\.what) == ["link.create", "note.add"])
        #expect(changes.allSatisfy { $0.who == StoredDashboard.ann })
    }
}

@Suite("People, hidden from viewers")
struct HiddenPeopleTests {
    private static func dashboard() -> StoredDashboard {
        let dashboard = StoredDashboard()
        dashboard.answer { name, parameters in
            switch name {
            case "posts" where parameters.contains(where: { $0.name == "each" }):
                return ReportTable(
                    columns: [.text("ref", ""), .text("poster", "")],
                    rows: [[.text("mail"), .text("poster-7")]]
                )
            case "breakdown":
                let key = parameters.first { $0.name == "by" }?.value ?? "channel"
                let cells: [ReportCell] = [
                    .text("search"), .integer(9), .integer(4), .integer(2), .decimal(millionths: 2_000_000),
                    .decimal(millionths: 0), .integer(0), .decimal(millionths: 0), .fraction(millionths: 1_000_000),
                ]
                return ReportTable(
                    columns: [ReportColumn.text(key, "")] + BreakdownReport.columns.dropFirst(),
                    rows: [cells]
                )
            default: return nil
            }
        }
        dashboard.receive(
            [
                NewestEvent(type: "install", time: StoredDashboard.now, person: PersonKey(.user, "person-7"))
            ],
            at: nil
        )
        return dashboard
    }

    @Test(arguments: View.allCases) func leadNowhere(view: View) async throws {
        let dashboard = Self.dashboard()
        try await dashboard.signIn(as: .viewer)
        let page = try await dashboard.get(view.path)
        for text in [
            "/people?", "/person?", "poster-7", "person-7", "by=poster", "value=\"poster\"", "/questions/new",
            "/questions/delete", "/links/new", "name=\"below\"",
        ] {
            #expect(!page.body.contains(text), "\(text)")
        }
    }

    @Test func areSeenByOthers() async throws {
        let dashboard = Self.dashboard()
        for role in [nil, AppRole.analyst] {
            if let role { try await dashboard.signIn(as: role) }
            #expect(try await dashboard.get("/live").body.contains("person-7"))
            #expect(try await dashboard.get("/breakdown?by=channel").body.contains("/people?"))
            #expect(try await dashboard.get("/csv/posts.csv?each=true").body.contains("poster-7"))
            #expect(try await dashboard.get("/breakdown?by=poster").status == 200)
            #expect(try await dashboard.get("/generations").body.contains("name=\"below\""))
        }
    }

    @Test(arguments: [
        "/breakdown?by=poster", "/breakdown?by=channel%2Cposter", "/csv/breakdown.csv?by=channel,%20poster",
        "/csv/viral.csv?by=poster", "/csv/channels.csv?people=installs", "/csv/channels.csv?people=",
        "/questions/question?name=list", "/viral?where=poster%3Dsomebody", "/?card=poster", "/people?report=channels",
        "/generations?below=zz", "/csv/generations.csv?below=zz",
    ])
    func areRefused(path: String) async throws {
        let dashboard = Self.dashboard()
        try await dashboard.saveQuestion(
            "list",
            report: "channels",
            parameters: [("people", "installs")]
        )
        try await dashboard.signIn(as: .viewer)
        let page = try await dashboard.get(path)
        #expect(page.status == 403 && !page.body.contains("poster-7"))
        #expect(!dashboard.reports.contains { People.areAsked(by: $0.parameters) })
    }

    @Test func areNotInTheListOfQuestions() async throws {
        let dashboard = Self.dashboard()
        try await dashboard.saveQuestion(
            "tree",
            report: "generations",
            parameters: [("below", "poster-7")]
        )
        #expect(try await dashboard.get("/questions").body.contains("below=poster-7"))
        try await dashboard.signIn(as: .viewer)
        let list = try await dashboard.get("/questions")
        #expect(list.body.contains(">tree</a>") && !list.body.contains("poster-7"))
    }

    /// Whatever report names a person who is unknown.
    @Test func areNotNamedByWarnings() async throws {
        let dashboard = Self.dashboard()
        let poster = NamedValue(parameter: "p", kind: .poster, text: "zz")
        let ref = NamedValue(parameter: "where", kind: .key(.ref), text: "gfit")
        dashboard.warn(
            [ReportWarning(poster, among: ["poster-7"]), ReportWarning(ref, among: ["gift"])],
            of: "channels"
        )
        #expect(try await dashboard.get("/").body.contains("poster-7"))
        try await dashboard.signIn(as: .viewer)
        let page = try await dashboard.get("/").body
        #expect(page.contains("the poster &#39;zz&#39; occurs in no event of the app.") && !page.contains("poster-7"))
        #expect(page.contains("did you mean &#39;gift&#39;?"))
    }

    @Test func areNoColumnsOfAFile() async throws {
        let dashboard = Self.dashboard()
        try await dashboard.signIn(as: .viewer)
        let file = try await dashboard.get("/csv/posts.csv?each=true")
        #expect(file.status == 200 && !file.body.contains("poster"))
    }
}
