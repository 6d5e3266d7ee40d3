import HTTPTypes
import HummingbirdCore
import InboundLinks
import Ingest
import Storage

/// `/account`: what belongs to a user in every app.
extension Dashboard {
    // MARK: Invitations

    func showInvitation(_ request: Request) async -> Response {
        let token = (try? FormFields(request.uri.query ?? ""))?["token"] ?? ""
        return await withInvitation(token) { invitation(token, $0) }
    }

    /// Signs somebody in who is invited. They choose a password, or enter the one that they have from another app.
    func join(_ request: Request) async -> Response {
        let form: FormFields
        do throws(DashboardFailure) {
            form = try await self.form(request, upTo: Self.formLimit)
        } catch {
            return plainPage(status: error.status, title: "Not joined", problem: "\(error)", target: nil)
        }
        let (token, password) = (form["token"] ?? "", form["password"] ?? "")
        return await withInvitation(token) { invited async throws(DashboardFailure) in
            do throws(DashboardFailure) {
                let address = Self.sender.address
                if invited.asksPassword,
                    let wait = wrongPasswords.take(account: invited.email, address: address, at: now())
                {
                    let problem = Self.problem(afterWhich: wait)
                    return limited(invitation(token, invited, status: .tooManyRequests, problem: problem), for: wait)
                }
                switch try await accept(token, invited, password) {
                case .unknown: return nil
                case .wrongPassword:
                    return invitation(token, invited, status: .forbidden, problem: "This is not your password.")
                case .accepted(let user, let app):
                    let browser = Self.browser(request)
                    let id = try await stores.ask {
                        try await $0.sessions.begin(user: user, browser: browser, isVouched: false)
                    }
                    _ = try await stores.ask { try await $0.sessions.choose(app, in: id) }
                    return await enter(id, request, target: "/")
                }
            } catch .invalid(let problem) {
                return invitation(token, invited, status: .unprocessableContent, problem: problem)
            }
        }
    }

    private func accept(
        _ token: String,
        _ invited: UserInvitation,
        _ password: String
    ) async throws(DashboardFailure) -> Acceptance {
        guard invited.asksPassword else {
            let answer = try await stores.ask { try await $0.users.accept(token, password: password) }
            if case .accepted(let user, _) = answer {
                wrongPasswords.remember(account: user.email, address: Self.sender.address, at: now())
            }
            return answer
        }
        var answer = Acceptance.unknown
        _ = try await checked(account: invited.email) { () async throws(DashboardFailure) in
            answer = try await stores.ask { try await $0.users.accept(token, password: password) }
            return if case .accepted(let user, _) = answer { user } else { nil }
        }
        return answer
    }

    private func withInvitation(
        _ token: String,
        _ answer: (UserInvitation) async throws(DashboardFailure) -> Response?
    ) async -> Response {
        do throws(DashboardFailure) {
            if Session.isPlausible(token), let invited = try await stores.ask({ try await $0.users.invitation(token) }),
                let response = try await answer(invited)
            {
                return response
            }
            let problem = "The invitation is unknown, used already, or older than 24 hours. Ask for another one."
            return plainPage(
                status: .notFound,
                title: "No invitation",
                problem: problem,
                target: "/sign-in",
                link: "Sign in"
            )
        } catch {
            let target = error.mayPass ? Invitation.link(token, origin: nil) : nil
            return hidingAddress(
                plainPage(status: error.status, title: "Not joined", problem: "\(error)", target: target)
            )
        }
    }

    private func invitation(
        _ token: String,
        _ invited: UserInvitation,
        status: HTTPResponse.Status = .ok,
        problem: String = ""
    ) -> Response {
        hidingAddress(page(status: status, pages.join(invited, token: token, problem: problem)))
    }

    // MARK: The account

    /// The sessions that the one who asks may see and end. Somebody else may have chosen the password of an address
    /// before its owner: whoever has it learns nothing of those for whom a proxy vouches.
    private func sessions(of user: User) async throws(DashboardFailure) -> [UserSession] {
        let seesAll = Caller.current?.isVouched == true
        return try await stores.ask { try await $0.sessions.sessions(of: user) }.filter { seesAll || !$0.isVouched }
    }

    private func account(
        _ request: Request,
        others: [String] = [],
        isChanged: Bool = false,
        _ refusal: (status: HTTPResponse.Status, problem: String)? = nil
    ) async -> Response? {
        await withView(.overview, request, others: others) { asked throws(DashboardFailure) in
            guard let user = Caller.current?.user else { throw .internalError }
            let view = AccountView(
                user,
                try await sessions(of: user),
                id: Session.id(of: request.headers),
                asked,
                isChanged: isChanged,
                problem: refusal?.problem
            )
            let place = Pages.Place(title: "Account", path: AccountView.path, isOfView: false)
            return page(asked, at: place, view, "account", status: refusal?.status ?? .ok)
        }
    }

    /// - Returns: nil if there is no such page.
    func respondToAccount(_ path: String, _ request: Request) async -> Response? {
        switch path {
        case AccountView.path: await showAccount(request)
        case AccountView.passwordPath: await changePassword(request)
        case AccountView.sessionPath: await endSession(request)
        case AccountView.appPath: await chooseApp(request)
        default: nil
        }
    }

    private func showAccount(_ request: Request) async -> Response? {
        let isChanged = (try? FormFields(request.uri.query ?? ""))?["changed"] != nil
        return await account(request, others: ["changed"], isChanged: isChanged)
    }

    private func changePassword(_ request: Request) async -> Response? {
        guard let user = Caller.current?.user else { return nil }
        do throws(DashboardFailure) {
            let form = try await form(request, upTo: Self.formLimit)
            let address = Self.sender.address
            if let wait = wrongPasswords.take(account: user.email, address: address, at: now()) {
                let refusal = (HTTPResponse.Status.tooManyRequests, Self.problem(afterWhich: wait))
                return await account(request, refusal).map { limited($0, for: wait) }
            }
            let isRight = try await checked(account: user.email) { () async throws(DashboardFailure) in
                try await stores.ask {
                    try await $0.users.changePassword(
                        of: user,
                        from: form["old"] ?? "",
                        to: form["new"] ?? "",
                        keeping: Session.id(of: request.headers)
                    )
                } ? true : nil
            }
            guard isRight != nil else { return await account(request, (.forbidden, "This is not your password.")) }
            return redirect(to: AccountView.path + "?changed=1")
        } catch {
            let status: HTTPResponse.Status = if case .invalid = error { .unprocessableContent } else { error.status }
            return await account(request, (status, "\(error)"))
        }
    }

    private func endSession(_ request: Request) async -> Response? {
        await withView(.overview, request) { _ throws(DashboardFailure) in
            guard let user = Caller.current?.user else { throw .internalError }
            guard let number = Int64(try await form(request)["number"] ?? "") else {
                throw .invalid("‘number’ must be a number.")
            }
            if try await sessions(of: user).contains(where: { $0.number == number }) {
                try await stores.ask { try await $0.sessions.end(number: number, of: user) }
            }
            return redirect(to: AccountView.path)
        }
    }

    private func chooseApp(_ request: Request) async -> Response? {
        await withView(.overview, request) { _ throws(DashboardFailure) in
            let form = try await form(request)
            guard let app = form["app"], let id = Session.id(of: request.headers),
                try await stores.ask({ try await $0.sessions.choose(app, in: id) })
            else { throw .forbidden("You have no role in this app.") }
            return redirect(to: Self.localTarget(form["then"]))
        }
    }
}
