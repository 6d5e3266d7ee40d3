import HTTPTypes
import HummingbirdCore
import InboundLinks
import Ingest
import Storage

/// Signing in and out, and who is let in.
extension Dashboard {
    /// The largest form, in bytes. A form contains a key or a password and little more.
    static let formLimit = 16 << 10

    func signInPage(_ request: Request) async -> Response {
        do throws(DashboardFailure) {
            let target = try FormFields(request.uri.query ?? "")["then"]
            return await signInPage(status: .ok, problem: "", target: target)
        } catch {
            return await signInPage(status: error.status, problem: "\(error)", target: nil)
        }
    }

    func signIn(_ request: Request) async -> Response {
        let form: FormFields
        do throws(DashboardFailure) {
            form = try await self.form(request, upTo: Self.formLimit)
        } catch {
            return await signInPage(status: error.status, problem: "\(error)", target: nil)
        }
        let email = form["email"] ?? ""
        let target = form["then"]
        do throws(DashboardFailure) {
            let id: String
            if form["key"] == nil, form["email"] != nil || form["password"] != nil {
                let (password, address) = (form["password"] ?? "", Self.sender.address)
                if let wait = wrongPasswords.take(account: email, address: address, at: now()) {
                    let problem = Self.problem(afterWhich: wait)
                    return limited(
                        await signInPage(status: .tooManyRequests, problem: problem, target: target, email: email),
                        for: wait
                    )
                }
                let found = try await checked(account: email) { () async throws(DashboardFailure) in
                    try await stores.ask { try await $0.users.user(email: email, password: password) }
                }
                guard let user = found else {
                    let problem = "No user has this e-mail address and this password."
                    return await signInPage(status: .unauthorized, problem: problem, target: target, email: email)
                }
                id = try await stores.ask { try await $0.sessions.begin(user: user, browser: Self.browser(request)) }
            } else {
                switch try await session(forKey: form["key"] ?? "") {
                case .begun(let session): id = session
                case .refused(let status, let problem):
                    return await signInPage(status: status, problem: problem, target: target)
                }
            }
            return await enter(id, request, target: Self.localTarget(target))
        } catch {
            return await signInPage(status: error.status, problem: "\(error)", target: target, email: email)
        }
    }

    /// Whether a password is right. One that could not be checked was not wrong.
    ///
    /// - Parameter check: nil for a wrong one.
    func checked<Answer>(
        account: String,
        _ check: () async throws(DashboardFailure) -> Answer?
    ) async throws(DashboardFailure) -> Answer? {
        let address = Self.sender.address
        do throws(DashboardFailure) {
            let answer = try await check()
            if answer != nil { wrongPasswords.wasRight(account: account, address: address, at: now()) }
            return answer
        } catch {
            wrongPasswords.giveBack(account: account, address: address, at: now())
            throw error
        }
    }

    private static func seconds(_ wait: Duration) -> Int64 {
        max(1, wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0))
    }

    static func problem(afterWhich wait: Duration) -> String {
        let seconds = Self.seconds(wait)
        return "Too many wrong passwords. Try again in \(seconds) second\(seconds == 1 ? "" : "s")."
    }

    func limited(_ response: Response, for wait: Duration) -> Response {
        var response = response
        response.headers[.retryAfter] = "\(Self.seconds(wait))"
        return response
    }

    /// Leads somebody into a new session. The former one of the browser ends; if that fails, it ends by itself.
    func enter(_ id: String, _ request: Request, target: String) async -> Response {
        if let former = Session.id(of: request.headers) {
            seen.forget(former)
            try? await stores.ask { try await $0.sessions.end(former) }
        }
        return redirect(to: target, cookie: Session.cookie(id: id, isSecure: Session.isSecure(request.headers)))
    }

    /// What a list of sessions shows of the browser.
    static func browser(_ request: Request) -> String { request.headers[.userAgent] ?? "" }

    private enum KeySession {
        case begun(String)
        case refused(HTTPResponse.Status, String)
    }

    private func session(forKey text: String) async throws(DashboardFailure) -> KeySession {
        let key = text.filter { !$0.isWhitespace }
        guard Session.isPlausible(key) else {
            return .refused(.unauthorized, "This is not a Tributary key. Enter the app's read key (trib_r_…).")
        }
        let unknown = "No app has this key: it is unknown, revoked or expired."
        do throws(SinkError) {
            guard let principal = try await authenticator.principal(forKey: key) else {
                return .refused(.unauthorized, unknown)
            }
            guard principal.scope == .read else {
                return .refused(.forbidden, "This is \(principal.scope.phrase). Enter the app's read key (trib_r_…).")
            }
        } catch {
            throw DashboardFailure(error)
        }
        guard let id = try await stores.ask({ try await $0.sessions.begin(key: key) }) else {
            return .refused(.unauthorized, unknown)
        }
        return .begun(id)
    }

    func signOut(_ request: Request) async -> Response {
        let cookie = Session.cookie(id: nil, isSecure: Session.isSecure(request.headers))
        do throws(DashboardFailure) {
            if let id = Session.id(of: request.headers) {
                seen.forget(id)
                try await stores.ask { try await $0.sessions.end(id) }
            }
            return redirect(to: "/sign-in", cookie: cookie)
        } catch {
            let problem = "This browser is signed out. The database is away, so the session itself ends later: "
            let page = await signInPage(status: .serviceUnavailable, problem: problem + "within 12 hours.", target: nil)
            return setting(cookie, in: page)
        }
    }

    /// Whether another site's page sent a form: it could sign a person in with a key of its own, or out. Browsers say
    /// where a request comes from (Fetch Metadata; RFC 6454 section 7.3), and a request that says nothing comes from no
    /// browser.
    func isCrossSite(_ request: Request) -> Bool {
        if let name = HTTPField.Name("Sec-Fetch-Site"), let site = request.headers[name] {
            return site != "same-origin" && site != "none"
        }
        guard let origin = request.headers[.origin] else { return false }
        // Without ports: a proxy may leave the port out of `Host`.
        return Self.hostname(origin.split(separator: "/").last ?? "") != Self.hostname(request.head.authority ?? "")
    }

    private static func hostname(_ authority: some StringProtocol) -> String {
        let end =
            authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 } ?? authority.endIndex
        return authority[..<end].lowercased()
    }

    func refusedPage() -> Response {
        plainPage(
            status: .forbidden,
            title: "This form is refused",
            problem: "Another site sent it. Nothing was changed. Open the dashboard and do it there.",
            target: "/",
            link: "Open the dashboard"
        )
    }

    /// The target, without secrets, if it is a path of this dashboard, else `/`: `//host` and `/\host` lead to other
    /// sites.
    static func localTarget(_ target: String?) -> String {
        guard let target, target.hasPrefix("/"), !target.hasPrefix("//"), !target.contains("\\") else { return "/" }
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "/" }
        return Redaction.redact(target)
    }

    /// - Parameter email: what was entered. The password is never given back.
    func signInPage(
        status: HTTPResponse.Status,
        problem: String,
        target: String?,
        email: String = ""
    ) async -> Response {
        // Without the database, both ways are offered.
        let hasUsers = (try? await stores.ask { try await $0.users.hasUsers() }) ?? true
        return page(
            status: status,
            pages.signIn(problem: problem, target: Self.localTarget(target), email: email, hasUsers: hasUsers)
        )
    }

    enum Admission {
        /// With the cookie of a session that has just begun.
        case admitted(Caller, cookie: String?)
        /// With the sign-in page, or a redirect to it that leads back afterwards, or the page that says why nobody can
        /// be let in.
        case refused(Response)
    }

    func admit(_ request: Request) async -> Admission {
        let target = Self.address(of: request)
        let signIn = "/sign-in?" + FormFields.encode([("then", target)])
        let id = Session.id(of: request.headers)
        do throws(DashboardFailure) {
            _ = try FormFields(request.uri.query ?? "")
        } catch {
            // Signing in would lead back to the same problem.
            if id == nil {
                return .refused(await signInPage(status: error.status, problem: "\(error)", target: nil))
            }
        }
        let email = proxyUser(of: request)
        do throws(DashboardFailure) {
            var caller: Caller?
            if let id { caller = try await stores.caller(ofSession: id) }
            if caller?.goesOn(as: email) != true { caller = nil }
            if let email, caller == nil { return try await admit(email, request) }
            guard let id else { return .refused(redirect(to: signIn)) }
            guard let caller else {
                seen.forget(id)
                let cookie = Session.cookie(id: nil, isSecure: Session.isSecure(request.headers))
                return .refused(redirect(to: signIn, cookie: cookie))
            }
            seen.remember(id, caller, now: now())
            return .admitted(caller, cookie: nil)
        } catch  where error == .internalError {
            let title = "The daemon failed"
            return .refused(plainPage(status: error.status, title: title, problem: "\(error)", target: target))
        } catch {
            if let id, var caller = seen.caller(of: id, now: now()), caller.goesOn(as: email) {
                caller.isAway = true
                return .admitted(caller, cookie: nil)
            }
            return .refused(
                plainPage(
                    status: .serviceUnavailable,
                    title: "The database is away",
                    problem:
                        "Your session cannot be checked without it, so nothing of your app is shown. "
                        + "You stay signed in. Try again in a moment.",
                    target: target
                )
            )
        }
    }

    /// The address of the user whom a trusted proxy names; nil if none does.
    private func proxyUser(of request: Request) -> String? {
        guard let signInHeader, Self.sender.isProxied else { return nil }
        let values = request.headers[values: signInHeader]
        // Of two, one may be the visitor's own.
        guard values.count == 1 else { return nil }
        let name = values[0]
        // Other letters stay as they are, so that no user is found: the small letter of the Kelvin sign is that of K.
        let email = name.utf8.allSatisfy { $0 < 0x80 } ? name.lowercased() : name
        return email.isEmpty ? nil : email
    }

    /// Lets in the user whom a trusted proxy names, with a new session.
    private func admit(_ email: String, _ request: Request) async throws(DashboardFailure) -> Admission {
        guard let user = try await stores.ask({ try await $0.users.user(email: email) }) else {
            let problem =
                "Nobody has invited \(email), as whom the proxy has signed you in. Ask a manager of the app, "
                + "or sign in in another way."
            return .refused(await signInPage(status: .forbidden, problem: problem, target: nil))
        }
        let id = try await stores.ask {
            try await $0.sessions.begin(user: user, browser: Self.browser(request), isVouched: true)
        }
        if let former = Session.id(of: request.headers) {
            seen.forget(former)
            try? await stores.ask { try await $0.sessions.end(former) }
        }
        guard let caller = try await stores.caller(ofSession: id) else { throw .internalError }
        seen.remember(id, caller, now: now())
        return .admitted(caller, cookie: Session.cookie(id: id, isSecure: Session.isSecure(request.headers)))
    }
}

extension Caller {
    /// Whether a session goes on in a request in which a proxy names a user, or nobody. One that began with a password
    /// shows fewer apps than the proxy vouches for. One that a proxy has begun is good only where it still vouches.
    fileprivate func goesOn(as email: String?) -> Bool {
        guard let user else { return true }
        return email.map { $0 == user.email && isVouched } ?? !isVouched
    }
}
