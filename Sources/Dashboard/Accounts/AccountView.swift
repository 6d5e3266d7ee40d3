import Storage

/// The account of the user who is signed in, for the template `account`.
struct AccountView {
    static let path = "/account"
    static let passwordPath = "/account/password"
    static let sessionPath = "/account/session"
    static let appPath = "/account/app"

    struct Role {
        var name: String
        var role: String
    }

    struct Session {
        var number: Int64
        var began: String
        var seen: String
        var browser: String
        var way: String
        var isCurrent: Bool
    }

    var email: String
    var apps: [Role]
    /// The pages of the app's users and of what they changed; nil for somebody who does not manage it.
    var users: String?
    var log = Dashboard.logPath
    var sessions: [Session]
    /// Whether a proxy has named the user, who then sees the sessions of the password as well.
    var isVouched = Caller.current?.isVouched == true
    var hasPassword: Bool
    var isChanged: Bool
    var problem: String?
    var passwordPath = Self.passwordPath
    var sessionPath = Self.sessionPath

    /// - Parameters:
    ///   - id: of the session that asks.
    ///   - problem: why the password was not changed.
    init(
        _ user: User,
        _ sessions: [UserSession],
        id: String?,
        _ request: ViewRequest,
        isChanged: Bool = false,
        problem: String? = nil
    ) {
        let time = LocalTime(timeZone: request.timeZone)
        email = user.email
        apps = user.roles.map { Role(name: $0.appName, role: $0.role.rawValue) }
        users = UsersView.isOffered ? UsersView.path : nil
        self.sessions = sessions.map { session in
            Session(
                number: session.number,
                began: time.text(session.beganAt),
                seen: time.text(session.lastSeenAt),
                browser: session.browser.isEmpty ? "unknown" : session.browser,
                way: session.way,
                isCurrent: id.map(session.isCurrent) ?? false
            )
        }
        hasPassword = user.hasPassword
        self.isChanged = isChanged
        self.problem = problem
    }

    /// The apps of a user who has several.
    static func apps(at app: App) -> [Choice] {
        let roles = Caller.current?.user?.roles ?? []
        guard roles.count > 1 else { return [] }
        return Choice.list(roles.map { ($0.appID, $0.appName) }, chosen: app.profile.id)
    }
}

/// The page on which somebody who is invited chooses a password.
enum Invitation {
    static let path = "/account/join"

    /// Where it is, as the manager sends it.
    ///
    /// - Parameter origin: where people reach the daemon.
    static func link(_ token: String, origin: String?) -> String {
        (origin ?? "") + path + "?" + FormFields.encode([("token", token)])
    }
}
