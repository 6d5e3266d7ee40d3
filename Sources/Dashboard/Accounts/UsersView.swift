import HTTPTypes
import HummingbirdCore
import Ingest
import Storage

/// Who may do what in an app, for the template `users`.
struct UsersView {
    static let path = "/users"
    static let rolePath = "/users/role"
    static let removalPath = "/users/remove"

    struct Row {
        var email: String
        var roles: [Choice]
        var seen: String
        /// The page that asks whether to remove the user.
        var removal: String
    }

    struct Role {
        var title: String
        var meaning: String
    }

    var appName: String
    var rows: [Row]
    var roles = AppRole.allCases.map { Role(title: $0.rawValue, meaning: $0.meaning) }
    /// Of the form.
    var email: String
    var choices: [Choice]
    /// Who was invited, and the link to send to them.
    var invited: String?
    var link: String?
    var problem: String?
    var path = Self.path
    var rolePath = Self.rolePath
    var account = AccountView.path

    init(_ users: [AppUser], _ form: FormState, _ request: ViewRequest) {
        let fields = form.fields.redacted
        let time = LocalTime(timeZone: request.timeZone)
        appName = request.app.profile.name
        rows = users.map { user in
            Row(
                email: user.email,
                roles: Choice.list(AppRole.allCases.map(\.rawValue), chosen: user.role.rawValue),
                seen: (user.lastSeenAt.map(time.text) ?? "never") + (user.isAccepted ? "" : ", link not opened"),
                removal: Self.removalPath + "?" + FormFields.encode([("email", user.email)])
            )
        }
        email = fields["email"] ?? ""
        choices = Choice.names(
            AppRole.allCases.map(\.rawValue),
            chosen: fields["role"].flatMap(AppRole.init)?.rawValue,
            first: "Choose a role"
        )
        problem = form.problem
    }

    /// Whether the one who asks manages them.
    static var isOffered: Bool { Caller.current?.user != nil && Caller.may(.manager) }
}

extension AppUser {
    /// Whether it is the one who asks.
    fileprivate var isCaller: Bool { email == Caller.current?.user?.email }
}

extension AppRole {
    fileprivate var meaning: String {
        switch self {
        case .viewer: "reports, boards and links; no people"
        case .analyst: "also who the people are, saved questions, what is sent and shared, notes, costs"
        case .manager: "also links, exchange rates, the users of the app and the log of changes"
        }
    }
}

/// `/users`, for managers.
extension Dashboard {
    /// - Returns: nil if there is no such page.
    func respondToUsers(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, UsersView.path), (.head, UsersView.path):
            return await withView(.overview, request) { asked throws(DashboardFailure) in
                try await users(FormState(), asked)
            }
        case (.post, UsersView.path):
            return await changingUsers(request) { email, role, asked throws(DashboardFailure) in
                // Somebody who has not accepted may have lost the link, and gets another one.
                let invited = try await stores.ask { try await $0.users.invite(email, as: role, to: asked.app).token }
                guard let token = invited else {
                    throw .invalid("This is \(role.ofOne) of the app already. The list below changes the role.")
                }
                let known = try await stores.ask { try await $0.users.users(of: asked.app) }
                var view = UsersView(known, FormState(), asked)
                view.invited = email
                view.link = Invitation.link(token, origin: Self.origin(request))
                return users(view, asked)
            }
        case (.post, UsersView.rolePath):
            return await changingUsers(request) { email, role, asked throws(DashboardFailure) in
                try await stores.ask { try await $0.users.setRole(role, of: email, in: asked.app) }
                return redirect(to: UsersView.path)
            }
        case (_, UsersView.removalPath):
            return await confirming(
                request,
                at: path,
                fields: ["email"],
                ask: removal,
                missing: { _, _ in redirect(to: UsersView.path) }
            ) { form, asked throws(DashboardFailure) in
                try await stores.ask { try await $0.users.remove(form["email"] ?? "", from: asked.app) }
                return redirect(to: UsersView.path)
            }
        default: return nil
        }
    }

    /// Answers for a form with an address and a role; a refusal is shown above the list.
    private func changingUsers(
        _ request: Request,
        _ act: (String, AppRole, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        await changing(request, of: .overview, again: users) { form, asked throws(DashboardFailure) in
            guard let role = AppRole(rawValue: form["role"] ?? "") else {
                let names = AppRole.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("Choose a role, one of: \(names).")
            }
            return try await act(form["email"] ?? "", role, asked)
        }
    }

    private func users(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let known = try await stores.ask { try await $0.users.users(of: asked.app) }
        return users(UsersView(known, form, asked), asked, status: form.status)
    }

    private func users(_ view: UsersView, _ asked: ViewRequest, status: HTTPResponse.Status = .ok) -> Response {
        let place = Pages.Place(title: "Users", path: UsersView.path, isOfView: false)
        return page(asked, at: place, view, "users", status: status)
    }

    private func removal(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        try await stores.ask { try await $0.users.users(of: asked.app) }.first { $0.email == fields["email"] }.map {
            user in
            Confirmation(
                title: "Remove \(user.email)?",
                trail: UsersView.path,
                trailTitle: "All users",
                subject: user.email,
                detail: user.role.rawValue,
                consequence: user.isCaller
                    ? "This is you: you leave the app at once, and only another manager can invite you again."
                    : "Their sessions in this app end. A user who has no other app is deleted.",
                button: "Remove the user",
                back: UsersView.path
            )
        }
    }
}
