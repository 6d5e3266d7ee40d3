import HTTPTypes
import HummingbirdCore
package import Storage

/// Something that the dashboard does: a page, a file or a form. ``Dashboard/operations`` has all of them, and each
/// request is checked there before anything is read.
package struct Operation: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    /// What somebody needs who may do it.
    package enum Need: Equatable, Sendable {
        case nothing
        /// To be signed in as a user.
        case user
        /// At least this role in the app. A session of a read key may do it too; its forms ask for the write key.
        case role(AppRole)
        /// At least this role in the app, and no key.
        case userRole(AppRole)
    }

    package let method: Method
    /// A part in braces stands for any text without `/`. After `?` stands a field that the query has.
    package let path: String
    /// In words, for a table.
    package let what: String
    package let need: Need
    let answer: @Sendable (Dashboard, String, Request) async -> Response?

    init(
        _ method: Method,
        _ path: String,
        _ need: Need,
        _ what: String,
        _ answer: @escaping @Sendable (Dashboard, String, Request) async -> Response?
    ) {
        self.method = method
        self.path = path
        self.need = need
        self.what = what
        self.answer = answer
    }

    /// Whether a user with this role in the app may do it; nil: a session of a read key.
    package func admits(_ role: AppRole?) -> Bool {
        switch need {
        case .nothing: true
        case .user: role != nil
        case .role(let least): role.map { $0 >= least } ?? true
        case .userRole(let least): role.map { $0 >= least } ?? false
        }
    }

    func admits(_ caller: Caller) -> Bool { admits(caller.user == nil ? nil : caller.role) }

    /// The path up to its braces, and what follows them; nil if it has none.
    var ends: (prefix: Substring, suffix: Substring)? {
        let bare = path.prefix { $0 != "?" }
        guard let open = bare.firstIndex(of: "{"), let close = bare.firstIndex(of: "}") else { return nil }
        return (bare[..<open], bare[bare.index(after: close)...])
    }

    private func matches(_ path: String, _ query: String) -> Bool {
        if let field = self.path.split(separator: "?").dropFirst().first {
            // A query that cannot be read is refused later, whatever it asks for.
            guard (try? FormFields(query))?.fields.contains(where: { $0.name == field }) == true else { return false }
        }
        guard let (prefix, suffix) = ends else { return path == self.path.prefix { $0 != "?" } }
        return path.count > prefix.count + suffix.count && path.hasPrefix(prefix) && path.hasSuffix(suffix)
            && !path.dropFirst(prefix.count).contains("/")
    }

    /// The first one of a request; nil if nothing is there.
    static func find(_ request: Request) -> Operation? {
        let method: Method? =
            switch request.method {
            case .get, .head: .get
            case .post: .post
            default: nil
            }
        let (path, query) = (request.uri.path, request.uri.query ?? "")
        return Dashboard.operations.first { $0.method == method && $0.matches(path, query) }
    }
}

extension Dashboard {
    /// Everything that the dashboard does. What is not here is not answered.
    package static let operations: [Operation] =
        signingIn + accounts
        + View.allCases.map { view in
            Operation(.get, view.path, .role(.viewer), "the view ‘\(view.rawValue)’") { dashboard, _, request in
                await dashboard.show(view, request)
            }
        } + people + links + questions

    /// Every path that is answered, but those below ``folders``. The proxies in `deploy` pass both lists.
    static let paths = Set(operations.filter { $0.ends == nil }.map { String($0.path.prefix { $0 != "?" }) })
    static let folders = Set(operations.compactMap { $0.ends.map { String($0.prefix) } })

    private static let signingIn = [
        Operation(.get, "/assets/style.css", .nothing, "the style of all pages") { dashboard, _, request in
            dashboard.asset(PageFiles.styleCSS, contentType: "text/css; charset=utf-8", request)
        },
        Operation(.get, "/assets/dashboard.js", .nothing, "the script of all pages") { dashboard, _, request in
            dashboard.asset(PageFiles.dashboardJS, contentType: "text/javascript; charset=utf-8", request)
        },
        Operation(.get, "/sign-in", .nothing, "the page to sign in") { dashboard, _, request in
            await dashboard.signInPage(request)
        },
        Operation(.post, "/sign-in", .nothing, "sign in") { dashboard, _, request in await dashboard.signIn(request) },
        Operation(.post, "/sign-out", .nothing, "sign out") { dashboard, _, request in
            await dashboard.signOut(request)
        },
        Operation(.get, Invitation.path, .nothing, "the page of an invitation") { dashboard, _, request in
            await dashboard.showInvitation(request)
        },
        Operation(.post, Invitation.path, .nothing, "accept an invitation, with a password") { dashboard, _, request in
            await dashboard.join(request)
        },
        Operation(.get, SharedView.folder + "{secret}", .nothing, "a question or a board that was shared") {
            await $0.showShared($1, $2)
        },
    ]

    private static let accounts =
        [
            Operation(.get, AccountView.path, .user, "the own account: apps, sessions, password") { dashboard, _, _ in
                await dashboard.showAccount()
            },
            Operation(.post, AccountView.passwordPath, .user, "change the own password") { dashboard, _, request in
                await dashboard.changePassword(request)
            },
            Operation(.post, AccountView.sessionPath, .user, "end an own session") { dashboard, _, request in
                await dashboard.endSession(request)
            },
            Operation(.post, AccountView.appPath, .user, "change to another app") { dashboard, _, request in
                await dashboard.chooseApp(request)
            },
        ]
        + [
            (.get, UsersView.path, "who may do what in the app"), (.post, UsersView.path, "invite a user"),
            (.post, UsersView.rolePath, "give a user another role"),
            (.get, UsersView.removalPath, "the question whether to remove a user from the app"),
            (.post, UsersView.removalPath, "remove a user from the app"),
        ]
        .map { (method: Operation.Method, path: String, what: String) in
            Operation(method, path, .userRole(.manager), what) { await $0.respondToUsers($1, $2) }
        }
        + [
            Operation(.get, logPath, .userRole(.manager), "who changed what in the app") { dashboard, _, request in
                await dashboard.respondToLog(request)
            }
        ]

    private static let people = [
        Operation(.get, PeopleView.path, .role(.analyst), "the people behind a figure") {
            await $0.respondToPeople($1, $2)
        },
        Operation(.get, PersonView.path, .role(.analyst), "one person's timeline") {
            await $0.respondToPeople($1, $2)
        },
        Operation(.get, "/csv/{report}.csv?people", .role(.analyst), "the people behind a figure, as CSV") {
            await $0.csv($1, $2)
        },
        Operation(.get, "/csv/{report}.csv", .role(.viewer), "a report as CSV") { await $0.csv($1, $2) },
    ]

    /// Operations that one function answers.
    private static func operations(
        _ entries: [(method: Operation.Method, path: String, role: AppRole, what: String)],
        _ answer: @escaping @Sendable (Dashboard, String, Request) async -> Response?
    ) -> [Operation] {
        entries.map { Operation($0.method, $0.path, .role($0.role), $0.what, answer) }
    }

    private static let links = operations([
        (.get, "/links/new", .manager, "the form for a link"), (.post, "/links/new", .manager, "create a link"),
        (.get, Link.pagePath, .viewer, "a link, with its figures"),
        (.get, "/links/qr.svg", .viewer, "the QR code of a link, as SVG"),
        (.get, "/links/qr.png", .viewer, "the QR code of a link, as PNG"),
    ]) { await $0.respondToLinks($1, $2) }

    private static let questions =
        operations([
            (.get, SavedQuestion.pagePath, .viewer, "the answer to a saved question"),
            (.get, ReportAddress.newQuestion, .analyst, "the form that saves a question"),
            (.post, ReportAddress.newQuestion, .analyst, "save a question, or replace one"),
            (.get, questionDeletionPath, .analyst, "the question whether to delete a question or a board"),
            (.post, questionDeletionPath, .analyst, "delete a question or a board"),
            (.get, questionRestorationPath, .analyst, "the question whether to restore a question or a board"),
            (.post, questionRestorationPath, .analyst, "restore a question or a board"),
        ]) { await $0.respondToQuestions($1, $2) }
        + operations([
            (.get, SavedQuestion.boardPath, .viewer, "a board"),
            (.get, BoardForm.path, .analyst, "the form of a board"),
            (.post, BoardForm.path, .analyst, "make a board, or change one"),
        ]) { await $0.respondToBoards($1, $2) }
        + operations([
            (.get, ScheduleForm.path, .analyst, "the form that has a question sent or watched"),
            (.post, ScheduleForm.path, .analyst, "have a question sent or watched"),
            (.get, scheduleDeletionPath, .analyst, "the question whether to end a schedule or a watch"),
            (.post, scheduleDeletionPath, .analyst, "end a schedule or a watch"),
        ]) { await $0.respondToSchedules($1, $2) }
        + operations([
            (.get, ShareForm.path, .analyst, "the form that shares a question or a board"),
            (.post, ShareForm.path, .analyst, "share a question or a board with whoever has the address"),
            (.get, ShareForm.endPath, .analyst, "the question whether to end a share"),
            (.post, ShareForm.endPath, .analyst, "end a share"),
        ]) { await $0.respondToShares($1, $2) }
        + operations([
            (.get, notesPath, .analyst, "the notes of days"), (.post, notesPath, .analyst, "add a note"),
            (.get, noteDeletionPath, .analyst, "the question whether to delete a note"),
            (.post, noteDeletionPath, .analyst, "delete a note"),
        ]) { await $0.respondToNotes($1, $2) }
        + [
            // Where programs get the answer of a question. It says nothing of the question.
            Operation(.get, "/questions/{name}", .nothing, "a way to the page of a question") {
                await $0.respondToQuestions($1, $2)
            }
        ]
}
