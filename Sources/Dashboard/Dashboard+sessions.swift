import HTTPTypes
import HummingbirdCore
import InboundLinks
import Ingest
import Storage

/// Signing in and out, and who is let in.
extension Dashboard {
    /// The largest form, in bytes. A form contains a key and little more.
    private static let formLimit = 16 << 10

    func signIn(_ request: Request) async -> Response {
        let form: FormFields
        do throws(DashboardFailure) {
            form = try await self.form(request, upTo: Self.formLimit)
        } catch {
            return signInPage(status: error.status, problem: "\(error)", target: nil)
        }
        let key = form["key"].map { String($0.filter { !$0.isWhitespace }) } ?? ""
        func refusal(_ status: HTTPResponse.Status, _ problem: String) -> Response {
            signInPage(status: status, problem: problem, target: form["then"])
        }
        func refusal(_ failure: DashboardFailure) -> Response { refusal(failure.status, "\(failure)") }
        guard Session.isPlausible(key) else {
            return refusal(.unauthorized, "This is not a Tributary key. Enter the app's read key (trib_r_…).")
        }
        let unknown = "No app has this key: it is unknown, revoked or expired."
        do throws(SinkError) {
            guard let principal = try await authenticator.principal(forKey: key) else {
                return refusal(.unauthorized, unknown)
            }
            guard principal.scope == .read else {
                return refusal(.forbidden, "This is \(principal.scope.phrase). Enter the app's read key (trib_r_…).")
            }
        } catch {
            return refusal(DashboardFailure(error))
        }
        do throws(DashboardFailure) {
            guard let id = try await source.beginSession(key: key) else { return refusal(.unauthorized, unknown) }
            // If this fails, the former session ends by itself.
            if let former = Session.id(of: request.headers) {
                seen.forget(former)
                try? await source.endSession(former)
            }
            let cookie = Session.cookie(id: id, isSecure: Session.isSecure(request.headers))
            return redirect(to: Self.localTarget(form["then"]), cookie: cookie)
        } catch {
            return refusal(error)
        }
    }

    func signOut(_ request: Request) async -> Response {
        let cookie = Session.cookie(id: nil, isSecure: Session.isSecure(request.headers))
        do throws(DashboardFailure) {
            if let id = Session.id(of: request.headers) {
                seen.forget(id)
                try await source.endSession(id)
            }
            return redirect(to: "/sign-in", cookie: cookie)
        } catch {
            let problem = "This browser is signed out. The database is away, so the session itself ends later: "
            let page = signInPage(status: .serviceUnavailable, problem: problem + "within 12 hours.", target: nil)
            return setting(cookie, in: page)
        }
    }

    func isForm(_ path: String) -> Bool {
        ["/sign-in", "/sign-out", "/links", "/money", "/questions"].contains { path.hasPrefix($0) }
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
            target: "/"
        )
    }

    /// The target, without secrets, if it is a path of this dashboard, else `/`: `//host` and `/\host` lead to other
    /// sites.
    static func localTarget(_ target: String?) -> String {
        guard let target, target.hasPrefix("/"), !target.hasPrefix("//"), !target.contains("\\") else { return "/" }
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "/" }
        return Redaction.redact(target)
    }

    func signInPage(status: HTTPResponse.Status, problem: String, target: String?) -> Response {
        page(status: status, pages.signIn(problem: problem, target: Self.localTarget(target)))
    }

    enum Admission {
        /// To the figures of this app.
        case admitted(App)
        /// The database is away, so the session cannot be checked. This daemon has seen it before, as one of this app.
        case away(App)
        /// With the sign-in page, or a redirect to it that leads back afterwards, or the page that says why nobody can
        /// be let in.
        case refused(Response)
    }

    func admit(_ request: Request) async -> Admission {
        let target = Self.address(of: request)
        let signIn = "/sign-in?" + FormFields.encode([("then", target)])
        do throws(DashboardFailure) {
            _ = try FormFields(request.uri.query ?? "")
        } catch {
            // Signing in would lead back to the same problem.
            if Session.id(of: request.headers) == nil {
                return .refused(signInPage(status: error.status, problem: "\(error)", target: nil))
            }
        }
        guard let id = Session.id(of: request.headers) else { return .refused(redirect(to: signIn)) }
        do throws(DashboardFailure) {
            guard let app = try await source.app(ofSession: id) else {
                seen.forget(id)
                let cookie = Session.cookie(id: nil, isSecure: Session.isSecure(request.headers))
                return .refused(redirect(to: signIn, cookie: cookie))
            }
            seen.remember(id, app: app, now: now())
            return .admitted(app)
        } catch  where error == .internalError {
            let title = "The daemon failed"
            return .refused(plainPage(status: error.status, title: title, problem: "\(error)", target: target))
        } catch {
            if let app = seen.app(of: id, now: now()) { return .away(app) }
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
}
