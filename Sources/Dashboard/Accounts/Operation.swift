import HTTPTypes
import HummingbirdCore
import Ingest
import Redirects
import Reporting
package import Storage

/// Something that the dashboard does: a page, a file or a form. ``Dashboard/operations`` has all of them, and each
/// request is checked there before anything is read.
package struct Operation: Sendable {
    /// Of a request; HEAD is GET.
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
    /// The keys that a form takes in a session of a read key.
    let keys: [KeyScope]
    let answer: @Sendable (Dashboard, String, Request) async -> Response?

    /// What the request that this task answers does; nil outside of one.
    @TaskLocal static var current: Operation?

    /// Whether forms take a write key. Else they take a manage key alone.
    static var takesWriteKey: Bool { current?.keys.contains(.write) ?? true }

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
    package static let operations: [Operation] = [
        signingIn, accounts, users, views, people, links, money, questions, boards, schedules, shares, notes, ways,
    ].flatMap(\.self)

    /// Every path that is answered, but those below ``folders``. The proxies in `deploy` pass both lists.
    static let paths = Set(operations.filter { $0.ends == nil }.map { String($0.path.prefix { $0 != "?" }) })
    static let folders = Set(operations.compactMap { $0.ends.map { String($0.prefix) } })

    /// Operations that one function answers.
    private static func operations(
        _ entries: [(method: Operation.Method, path: String, need: Operation.Need, what: String)],
        keys: [KeyScope] = [.write, .manage],
        _ answer: @escaping @Sendable (Dashboard, String, Request) async -> Response?
    ) -> [Operation] {
        entries.map { entry in
            Operation(
                method: entry.method,
                path: entry.path,
                what: entry.what,
                need: entry.need,
                keys: keys,
                answer: answer
            )
        }
    }

    private static let signingIn: [Operation] = [
        operations([
            (.get, "/assets/style.css", .nothing, "the style of all pages"),
            (.get, "/assets/dashboard.js", .nothing, "the script of all pages"),
        ]) { $0.asset($1, $2) },
        operations([(.get, "/sign-in", .nothing, "the page to sign in")]) { await $0.signInPage($2) },
        operations([(.post, "/sign-in", .nothing, "sign in")]) { await $0.signIn($2) },
        operations([(.post, "/sign-out", .nothing, "sign out")]) { await $0.signOut($2) },
        operations([(.get, Invitation.path, .nothing, "the page of an invitation")]) { await $0.showInvitation($2) },
        operations([(.post, Invitation.path, .nothing, "accept an invitation")]) { await $0.join($2) },
        operations([(.get, SharedView.folder + "{secret}", .nothing, "a question or a board that was shared")]) {
            await $0.showShared($1, $2)
        },
    ].flatMap(\.self)

    private static let accounts: [Operation] = operations([
        (.get, AccountView.path, .user, "the own account: apps, sessions, password"),
        (.post, AccountView.passwordPath, .user, "change the own password"),
        (.post, AccountView.sessionPath, .user, "end an own session"),
        (.post, AccountView.appPath, .user, "change to another app"),
    ]) { await $0.respondToAccount($1, $2) }

    private static let users: [Operation] =
        operations([
            (.get, UsersView.path, .userRole(.manager), "who may do what in the app"),
            (.post, UsersView.path, .userRole(.manager), "invite a user"),
            (.post, UsersView.rolePath, .userRole(.manager), "give a user another role"),
            (.get, UsersView.removalPath, .userRole(.manager), "the question whether to remove a user from the app"),
            (.post, UsersView.removalPath, .userRole(.manager), "remove a user from the app"),
        ]) { await $0.respondToUsers($1, $2) }
        + operations([(.get, logPath, .userRole(.manager), "who changed what in the app")]) {
            await $0.respondToLog($2)
        }

    private static let views: [Operation] = View.allCases.flatMap { view in
        operations([(.get, view.path, .role(.viewer), "the view ‘\(view.rawValue)’")]) { await $0.show(view, $2) }
    }

    private static let people: [Operation] =
        operations([
            (.get, PeopleView.path, .role(.analyst), "the people behind a figure"),
            (.get, PersonView.path, .role(.analyst), "one person's timeline"),
        ]) { await $0.respondToPeople($1, $2) }
        + operations([
            (.get, "/csv/{report}.csv?people", .role(.analyst), "the people behind a figure, as CSV"),
            (.get, "/csv/{report}.csv", .role(.viewer), "a report as CSV"),
        ]) { await $0.csv($1, $2) }

    private static let links: [Operation] = operations([
        (.get, "/links/new", .role(.manager), "the form for a link"),
        (.post, "/links/new", .role(.manager), "create a link"),
        (.get, Link.pagePath, .role(.viewer), "a link, with its figures"),
        (.get, "/links/qr.svg", .role(.viewer), "the QR code of a link, as SVG"),
        (.get, "/links/qr.png", .role(.viewer), "the QR code of a link, as PNG"),
    ]) { await $0.respondToLinks($1, $2) }

    private static let money: [Operation] =
        operations([
            (.post, View.money.path, .role(.analyst), "add a cost"),
            (.get, costImportPath, .role(.analyst), "the form that imports costs"),
            (.post, costImportPath, .role(.analyst), "import costs"),
            (.get, costRemovalPath, .role(.analyst), "the question whether to remove a cost"),
            (.post, costRemovalPath, .role(.analyst), "remove a cost"),
        ]) { await $0.respondToMoney($1, $2) }
        + operations(
            [
                (.get, ratesPath, .role(.viewer), "what other currencies are worth"),
                (.post, ratesPath, .role(.manager), "import exchange rates"),
                (.get, rateClearingPath, .role(.manager), "the question whether to remove the rates of a currency"),
                (.post, rateClearingPath, .role(.manager), "remove the rates of a currency"),
            ],
            keys: [.manage]
        ) { await $0.respondToMoney($1, $2) }

    private static let questions: [Operation] = operations([
        (.get, SavedQuestion.pagePath, .role(.viewer), "the answer to a saved question"),
        (.get, ReportAddress.newQuestion, .role(.analyst), "the form that saves a question"),
        (.post, ReportAddress.newQuestion, .role(.analyst), "save a question, or replace one"),
        (.get, questionDeletionPath, .role(.analyst), "the question whether to delete a question or a board"),
        (.post, questionDeletionPath, .role(.analyst), "delete a question or a board"),
        (.get, questionRestorationPath, .role(.analyst), "the question whether to restore a question or a board"),
        (.post, questionRestorationPath, .role(.analyst), "restore a question or a board"),
    ]) { await $0.respondToQuestions($1, $2) }

    private static let boards: [Operation] = operations([
        (.get, SavedQuestion.boardPath, .role(.viewer), "a board"),
        (.get, BoardForm.path, .role(.analyst), "the form of a board"),
        (.post, BoardForm.path, .role(.analyst), "make a board, or change one"),
    ]) { await $0.respondToBoards($1, $2) }

    private static let schedules: [Operation] = operations([
        (.get, ScheduleForm.path, .role(.analyst), "the form that has a question sent or watched"),
        (.post, ScheduleForm.path, .role(.analyst), "have a question sent or watched"),
        (.get, scheduleDeletionPath, .role(.analyst), "the question whether to end a schedule or a watch"),
        (.post, scheduleDeletionPath, .role(.analyst), "end a schedule or a watch"),
    ]) { await $0.respondToSchedules($1, $2) }

    private static let shares: [Operation] = operations([
        (.get, ShareForm.path, .role(.analyst), "the form that shares a question or a board"),
        (.post, ShareForm.path, .role(.analyst), "share a question or a board with whoever has the address"),
        (.get, ShareForm.endPath, .role(.analyst), "the question whether to end a share"),
        (.post, ShareForm.endPath, .role(.analyst), "end a share"),
    ]) { await $0.respondToShares($1, $2) }

    private static let notes: [Operation] = operations([
        (.get, notesPath, .role(.analyst), "the notes of days"), (.post, notesPath, .role(.analyst), "add a note"),
        (.get, noteDeletionPath, .role(.analyst), "the question whether to delete a note"),
        (.post, noteDeletionPath, .role(.analyst), "delete a note"),
    ]) { await $0.respondToNotes($1, $2) }

    /// Where programs get the answer of a question. It says nothing of the question, and other paths come first.
    private static let ways: [Operation] = operations([
        (.get, "/questions/{name}", .nothing, "the way to the page of a question")
    ]) { await $0.respondToQuestions($1, $2) }
}
