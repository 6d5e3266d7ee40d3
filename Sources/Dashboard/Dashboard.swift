import Gzip
import HTTPTypes
package import HummingbirdCore
import InboundLinks
package import Time
package import Ingest
import NIOCore
import Reporting
import Storage
import Text

/// The dashboard at `/`. A person signs in with a read key and sees the reports and the short links of the key's app.
///
/// Pages are rendered here and work without scripts. All figures come from Reporting.
package struct Dashboard: PageResponder {
    /// The largest form, in bytes. A form contains a key and little more.
    private static let formLimit = 16 << 10

    let authenticator: any KeyAuthenticator
    let source: any DashboardSource
    let live: LiveIngest
    let readiness: any ReadinessProbe
    let pages: Pages
    var seen = SeenSessions()
    let now: @Sendable () -> Timestamp

    package init(
        authenticator: any KeyAuthenticator,
        source: any DashboardSource,
        live: LiveIngest,
        readiness: any ReadinessProbe,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) throws {
        self.authenticator = authenticator
        self.source = source
        self.live = live
        self.readiness = readiness
        self.now = now
        pages = try Pages()
    }

    /// Every page. No other path is answered but those in ``folders``. The proxies in `deploy` pass both lists.
    static let paths = Set(View.allCases.map(\.path) + [PeopleView.path, PersonView.path, "/sign-in", "/sign-out"])
    /// All below these.
    static let folders = ["/assets/", "/csv/", "/links/", "/questions/"]

    /// Whether the browser whose request is answered takes gzip.
    @TaskLocal private static var acceptsGzip = false

    package func respond(to request: Request) async -> Response? {
        let encodings = request.headers[.acceptEncoding]?.split(separator: ",") ?? []
        let acceptsGzip = encodings.contains { $0.drop { $0 == " " }.hasPrefix("gzip") && !$0.hasSuffix("q=0") }
        return await Self.$acceptsGzip.withValue(acceptsGzip) { await answer(request) }
    }

    private func answer(_ request: Request) async -> Response? {
        let path = request.uri.path
        guard Self.paths.contains(path) || Self.folders.contains(where: path.hasPrefix) else {
            return await missingPage(path, request)
        }
        switch (request.method, path) {
        case (.get, "/assets/style.css"), (.head, "/assets/style.css"):
            return asset(PageFiles.styleCSS, contentType: "text/css; charset=utf-8", request)
        case (.get, "/assets/dashboard.js"), (.head, "/assets/dashboard.js"):
            return asset(PageFiles.dashboardJS, contentType: "text/javascript; charset=utf-8", request)
        case (.get, "/sign-in"), (.head, "/sign-in"):
            do throws(DashboardFailure) {
                return signInPage(status: .ok, problem: "", target: try FormFields(request.uri.query ?? "")["then"])
            } catch {
                return signInPage(status: error.status, problem: "\(error)", target: nil)
            }
        case (.post, _) where isForm(path) && isCrossSite(request):
            return refusedPage()
        case (.post, "/sign-in"):
            return await signIn(request)
        case (.post, "/sign-out"):
            return await signOut(request)
        case (.post, _) where path.hasPrefix("/links"):
            return await respondToLinks(path, request)
        case (.post, _) where path.hasPrefix("/questions"):
            if let response = await respondToSchedules(path, request) { return response }
            if let response = await respondToNotes(path, request) { return response }
            return await respondToQuestions(path, request)
        case (.get, _), (.head, _):
            if let view = View(path: path) { return await show(view, request) }
            if let response = await respondToLinks(path, request) { return response }
            if let response = await respondToSchedules(path, request) { return response }
            if let response = await respondToNotes(path, request) { return response }
            if let response = await respondToQuestions(path, request) { return response }
            if let response = await respondToPeople(path, request) { return response }
            if path.hasPrefix("/csv/"), path.hasSuffix(".csv") {
                return await csv(String(path.dropFirst(5).dropLast(4)), request)
            }
            return await missingPage(path, request)
        default:
            return nil
        }
    }

    // MARK: Signing in

    private func signIn(_ request: Request) async -> Response {
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

    private func signOut(_ request: Request) async -> Response {
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

    private func isForm(_ path: String) -> Bool {
        ["/sign-in", "/sign-out", "/links", "/questions"].contains { path.hasPrefix($0) }
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

    private func signInPage(status: HTTPResponse.Status, problem: String, target: String?) -> Response {
        page(status: status, pages.signIn(problem: problem, target: Self.localTarget(target)))
    }

    // MARK: Pages without figures

    /// Whether a browser asks for a page to show.
    private static func isPerson(_ request: Request) -> Bool {
        request.headers[.accept]?.contains("text/html") == true
    }

    /// A person at a wrong address gets a page; a program gets the problem document.
    private func missingPage(_ path: String, _ request: Request) async -> Response? {
        guard [.get, .head].contains(request.method), !path.hasPrefix("/v1/"), Self.isPerson(request) else {
            return nil
        }
        let problem = "There is no page at this address: \(Redaction.redact(path))."
        guard Session.id(of: request.headers) != nil else {
            return signInPage(status: .notFound, problem: problem, target: nil)
        }
        switch await admit(request) {
        case .admitted(let app), .away(let app):
            let first = "/" + (path.split(separator: "/").first ?? "")
            let meant = closestName(to: first, among: View.allCases.map(\.path)).map { " Did you mean \($0)?" }
            return framedPage(status: .notFound, title: "Page not found", problem: problem + (meant ?? ""), app: app)
        case .refused(let response) where response.status == .seeOther:
            // The session has ended.
            return signInPage(status: .notFound, problem: problem, target: nil)
        case .refused(let response): return response
        }
    }

    /// A page that says only why there is no other, for somebody who is signed in.
    func framedPage(
        status: HTTPResponse.Status,
        title: String,
        problem: String,
        app: App,
        retry: String? = nil
    ) -> Response {
        let asked = try? ViewRequest(.overview, fields: FormFields(), app: app, source: source, now: now())
        guard let asked else { return plainPage(status: status, title: title, problem: problem, target: "/") }
        let place = Pages.Place(title: title, path: "/", isOfView: false)
        return page(
            status: status,
            pages.view(asked, at: place, failure: .invalid(problem), retry: retry, now: now())
        )
    }

    /// The same for a failure, with a way to try again if that may help.
    func framedPage(_ failure: DashboardFailure, title: String, app: App, _ request: Request) -> Response {
        framedPage(
            status: failure.status,
            title: title,
            problem: "\(failure)",
            app: app,
            retry: Self.retry(request, after: failure)
        )
    }

    /// Where to try again after a failure; nil if that does not help, or a form would be lost.
    static func retry(_ request: Request, after failure: DashboardFailure) -> String? {
        failure.mayPass && request.method != .post ? address(of: request) : nil
    }

    /// The address of a request, without secrets, as a path of this dashboard.
    static func address(of request: Request) -> String {
        localTarget(request.uri.path + (request.uri.query.map { "?\($0)" } ?? ""))
    }

    /// The same for somebody of whom nothing is known.
    ///
    /// - Parameter target: where to try again: a path of this dashboard.
    private func plainPage(status: HTTPResponse.Status, title: String, problem: String, target: String) -> Response {
        page(status: status, pages.message(title: title, problem: problem, target: target))
    }

    // MARK: Admission

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

    // MARK: Answers

    func page(status: HTTPResponse.Status, _ html: String) -> Response {
        protected(answer(html, status: status, contentType: "text/html; charset=utf-8"))
    }

    private func answer(_ text: String, status: HTTPResponse.Status, contentType: String) -> Response {
        var headers: HTTPFields = [.contentType: contentType, .vary: "Accept-Encoding"]
        var bytes = Array(text.utf8)
        if Self.acceptsGzip, let deflated = GzipDeflation.deflating(bytes) {
            bytes = deflated
            headers[.contentEncoding] = "gzip"
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A page with what a template makes of its content.
    func page(
        _ asked: ViewRequest,
        at place: Pages.Place,
        _ content: Any,
        _ template: String,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        page(status: status, pages.view(asked, at: place, body: pages.render(content, template), now: now()))
    }

    /// A page with figures of the app, which says what they lack and how fresh they are.
    func pageOfFigures(_ asked: ViewRequest, at place: Pages.Place, _ body: String) async -> Response {
        page(
            status: .ok,
            pages.view(
                asked,
                at: place,
                notices: await source.notices(of: asked.app),
                freshness: await source.freshness(of: asked.app),
                body: body,
                now: now()
            )
        )
    }

    /// - Parameter fileName: of letters, digits, `-`, `_` and `.`.
    func download(_ body: ResponseBody, contentType: String, fileName: String) -> Response {
        var response = Response(status: .ok, headers: [.contentType: contentType], body: body)
        if let disposition = HTTPField.Name("Content-Disposition") {
            response.headers[disposition] = "attachment; filename=\"\(fileName)\""
        }
        return protected(response)
    }

    func redirect(to target: String, cookie: String? = nil) -> Response {
        let response = protected(Response(status: .seeOther, headers: [.location: target]))
        return cookie.map { setting($0, in: response) } ?? response
    }

    private func setting(_ cookie: String, in response: Response) -> Response {
        var response = response
        response.headers[.setCookie] = cookie
        return response
    }

    /// A file that is the same for everybody. Its URL contains a hash of its content, so browsers may cache it for
    /// long.
    private func asset(_ text: String, contentType: String, _ request: Request) -> Response {
        let isCurrent = request.uri.query == pages.assetVersion
        return protected(
            answer(text, status: .ok, contentType: contentType),
            cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        )
    }

    /// Adds the security headers: no content from other sites, nothing inline, no frames.
    private func protected(_ response: Response, cacheControl: String = "private, no-store") -> Response {
        var response = response
        response.headers[.cacheControl] = cacheControl
        let fields = [
            "Content-Security-Policy":
                "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "X-Frame-Options": "DENY",
        ]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return response
    }
}

extension DashboardFailure {
    var status: HTTPResponse.Status {
        switch self {
        case .invalid: .badRequest
        case .badForm(let code): HTTPResponse.Status(code: code.status)
        case .unavailable, .timedOut, .busy: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }
}
