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

    /// Sets the password of somebody who is invited, and signs them in.
    func join(_ request: Request) async -> Response {
        let form: FormFields
        do throws(DashboardFailure) {
            form = try await self.form(request, upTo: Self.formLimit)
        } catch {
            return plainPage(status: error.status, title: "Not joined", problem: "\(error)", target: nil)
        }
        let token = form["token"] ?? ""
        return await withInvitation(token) { invited async throws(DashboardFailure) in
            do throws(DashboardFailure) {
                guard let user = try await source.accept(token, password: form["password"] ?? "") else { return nil }
                let id = try await source.beginSession(of: user, browser: Self.browser(request))
                return await enter(id, request, target: "/")
            } catch .invalid(let problem) {
                return invitation(token, invited, problem: problem)
            }
        }
    }

    private func withInvitation(
        _ token: String,
        _ answer: (User) async throws(DashboardFailure) -> Response?
    ) async -> Response {
        do throws(DashboardFailure) {
            if Session.isPlausible(token), let user = try await source.user(invitedBy: token),
                let response = try await answer(user)
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

    private func invitation(_ token: String, _ user: User, problem: String = "") -> Response {
        let status: HTTPResponse.Status = problem.isEmpty ? .ok : .unprocessableContent
        return hidingAddress(page(status: status, pages.join(user, token: token, problem: problem)))
    }

    // MARK: The account

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
                try await source.sessions(of: user),
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
                try await source.changePassword(
                    of: user,
                    from: form["old"] ?? "",
                    to: form["new"] ?? "",
                    keeping: Session.id(of: request.headers)
                ) ? true : nil
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
            try await source.endSession(number, of: user)
            return redirect(to: AccountView.path)
        }
    }

    private func chooseApp(_ request: Request) async -> Response? {
        await withView(.overview, request) { _ throws(DashboardFailure) in
            let form = try await form(request)
            guard let app = form["app"], let id = Session.id(of: request.headers),
                try await source.chooseApp(app, in: id)
            else { throw .forbidden("You have no role in this app.") }
            return redirect(to: Self.localTarget(form["then"]))
        }
    }
}
