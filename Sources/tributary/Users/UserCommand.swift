import ArgumentParser
import InboundLinks
import Postgres
import Reporting
import Storage
import Time

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Invite people to the dashboard, and decide what they may do in an app.",
        discussion: """
            A viewer reads reports, boards and links. An analyst also reads lists of people, and saves questions, \
            schedules, notes and costs. A manager also changes links, keys, webhooks and rules, and invites users. \
            docs/access.md says more.

              tributary user invite ann@example.com --app shop --role analyst
              tributary user list --app shop
            """,
        subcommands: [
            InviteUserCommand.self, ListUsersCommand.self, SetUserRoleCommand.self, RemoveUserCommand.self,
            UserSessionsCommand.self,
        ]
    )
}

/// A user, and the app that a command is about.
struct UserOptions: ParsableArguments {
    static let emailMeaning: ArgumentHelp = "The user's e-mail address."

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var app: AppOption

    @Argument(help: UserOptions.emailMeaning)
    var email: String

    func withUsers<Result>(_ body: (UserStore, App) async throws -> Result) async throws -> Result {
        try await database.withPool { pool in
            try await body(UserStore(pool: pool), try await app.app(on: pool))
        }
    }
}

struct InviteUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Give somebody a role in an app, and print the link by which they accept it.",
        discussion: """
            The link works once, for 24 hours. Give it to this person alone: whoever opens it has the role. Somebody \
            new chooses a password there; somebody who is in another app already enters theirs. Before the link was \
            opened, the role is pending. --new-password makes a link that sets another password, for somebody who has \
            forgotten theirs, or never chose it: whoever opens it may then do what this user may, in each app.

              tributary user invite ann@example.com --app shop --role analyst
              tributary user invite ann@example.com --app shop --role analyst --mail
              tributary user invite ann@example.com --app shop --role analyst --new-password
            """
    )

    @OptionGroup var options: UserOptions

    @Option(help: "What the user may do in the app.")
    var role: AppRole

    @Flag(help: "Make a link that sets another password, also for a user who has accepted the role.")
    var newPassword = false

    @Flag(help: "Mail the link instead of printing it, with the settings by which schedules send mail.")
    var mail = false

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let address = try await DashboardAddress(options.database)
        let mail = try mail ? InvitationMail(address.settings) : nil
        let (user, token, app) = try await options.withUsers { users, app in
            do {
                let invited = try await users.invite(options.email, as: role, to: app, settingPassword: newPassword)
                return (invited.user, invited.token, app)
            } catch let error as UserStoreError {
                guard case .isUser = error else { throw error }
                throw CommandFailure(.usage, "\(error); 'tributary user role' gives another role")
            }
        }
        var fields: [(String, InspectionValue)] = [
            ("email", .string(user.email)), ("app_id", .string(app.profile.id)), ("role", .string(role.rawValue)),
            ("apps", .list(user.roles.map(\.appID))),
        ]
        if let token {
            let link = address.page("/account/join?token=\(token)")
            if let mail {
                try await mail.send(link, to: user.email, app: app.profile, as: role)
                fields.append(("mailed_to", .string(user.email)))
            } else {
                fields.append(("link", .string(link)))
            }
            let end = Timestamp.now.advanced(by: UserStore.invitationLifetime)
            fields.append(("valid_until", .string(end.rfc3339)))
        }
        Record(fields).print(as: format.form)
        if token == nil {
            StandardError.write(
                "'\(user.email)' has accepted this role before; --new-password makes a link that sets another password"
            )
        } else if mail == nil {
            address.remark()
        }
    }
}

struct ListUsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the users, their roles, and when they were seen last.",
        discussion: "  tributary user list --app shop"
    )

    @OptionGroup var database: DatabaseOptions

    @Option(help: ArgumentHelp("Only the users of this app.", valueName: "id"), completion: AppIDs.completion)
    var app: String?

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let users = try await database.withPool(readsOnly: true) { pool in
            let (apps, store) = (AppStore(pool: pool), UserStore(pool: pool))
            var users: [(app: String, user: AppUser)] = []
            for app in try await app != nil ? [apps.app(named: app)] : apps.list() {
                users += try await store.users(of: app).map { (app.profile.id, $0) }
            }
            return users
        }
        Record.print(
            users,
            as: format.form,
            row: { app, user in
                [
                    user.email, app, user.role.rawValue, user.isAccepted ? "" : "link not opened",
                    user.lastSeenAt.map { "seen \($0.rfc3339)" } ?? "never seen",
                ]
            },
            record: { app, user in
                Record([
                    ("email", .string(user.email)), ("app_id", .string(app)), ("role", .string(user.role.rawValue)),
                    ("accepted", .bool(user.isAccepted)), ("last_seen_at", .optional(user.lastSeenAt?.rfc3339)),
                ])
            }
        )
        if users.isEmpty { StandardError.write("there are no users; 'tributary user invite' invites one") }
    }
}

struct SetUserRoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Give a user of an app another role. Sessions that look at this app end.",
        discussion: "  tributary user role ann@example.com --app shop --role manager"
    )

    @OptionGroup var options: UserOptions

    @Option(help: "What the user may do in the app.")
    var role: AppRole

    func run() async throws {
        try await options.withUsers { users, app in
            try await users.setRole(role, of: options.email, in: app)
            print("'\(options.email)' is \(role.rawValue) of '\(app.profile.id)' now")
        }
    }
}

struct RemoveUserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take a user's role in an app, at once. Without any app left, the user is deleted.",
        discussion: """
            Of a deleted user, only the address stays: at pages that they shared until 30 days after these end, and in \
            the log of changes for 400 days (docs/privacy.md).

              tributary user remove ann@example.com --app shop
            """
    )

    @OptionGroup var options: UserOptions

    func run() async throws {
        try await options.withUsers { users, app in
            try await users.remove(options.email, from: app)
            print("'\(options.email)' is no user of '\(app.profile.id)' any more")
        }
    }
}

struct UserSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List where a user is signed in, or end it.",
        discussion: """
              tributary user sessions ann@example.com
              tributary user sessions ann@example.com --end
            """
    )

    @OptionGroup var database: DatabaseOptions

    @Argument(help: UserOptions.emailMeaning)
    var email: String

    @Flag(help: "End all of them: the user has to sign in again.")
    var end = false

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let sessions = try await database.withPool(readsOnly: !end) { pool in
            guard let user = try await UserStore(pool: pool).user(email: email) else {
                throw CommandFailure(.usage, "there is no user '\(email)'; 'tributary user list' lists all")
            }
            let store = SessionStore(pool: pool)
            let sessions = try await store.sessions(of: user)
            if end { try await store.endAll(of: user) }
            return sessions
        }
        Record.print(
            sessions,
            as: format.form,
            row: {
                [
                    "number \($0.number)", "began \($0.beganAt.rfc3339)", "seen \($0.lastSeenAt.rfc3339)",
                    "by \($0.way)", $0.browser,
                ]
            },
            record: {
                Record([
                    ("number", .number($0.number)), ("began_at", .string($0.beganAt.rfc3339)),
                    ("last_seen_at", .string($0.lastSeenAt.rfc3339)), ("signed_in_by", .string($0.way)),
                    ("browser", .string($0.browser)),
                ])
            }
        )
        if sessions.isEmpty {
            StandardError.write("'\(email)' is not signed in anywhere")
        } else if end {
            StandardError.write(sessions.count == 1 ? "one session was ended" : "\(sessions.count) sessions were ended")
        }
    }
}

extension AppRole: ExpressibleByArgument {}
