import HTTPTypes
package import HummingbirdCore
import InboundLinks
package import Time
package import Ingest
import Storage
import Text

/// The dashboard at `/`. A person signs in with a read key and sees the reports and the short links of the key's app.
///
/// Pages are rendered here and work without scripts. All figures come from Reporting.
package struct Dashboard: PageResponder {
    let authenticator: any KeyAuthenticator
    let source: any DashboardSource
    let live: LiveIngest
    let readiness: any ReadinessProbe
    let pages: Pages
    var seen = SeenSessions()
    let importRoom = ImportRoom()
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
        pages = try Pages(live: live)
    }

    /// Every page. No other path is answered but those in ``folders``. The proxies in `deploy` pass both lists.
    static let paths = Set(View.allCases.map(\.path) + [PeopleView.path, PersonView.path, "/sign-in", "/sign-out"])
    /// All below these.
    static let folders = ["/assets/", "/csv/", "/links/", "/money/", "/questions/"]

    /// Whether the browser whose request is answered takes gzip.
    @TaskLocal static var acceptsGzip = false

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
        case (.post, _) where path.hasPrefix("/money"):
            return await respondToMoney(path, request)
        case (.post, _) where path.hasPrefix("/questions"):
            if let response = await respondToSchedules(path, request) { return response }
            if let response = await respondToNotes(path, request) { return response }
            if let response = await respondToBoards(path, request) { return response }
            return await respondToQuestions(path, request)
        case (.get, _), (.head, _):
            if let view = View(path: path) { return await show(view, request) }
            if let response = await respondToLinks(path, request) { return response }
            if let response = await respondToMoney(path, request) { return response }
            if let response = await respondToSchedules(path, request) { return response }
            if let response = await respondToNotes(path, request) { return response }
            if let response = await respondToBoards(path, request) { return response }
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
    func plainPage(status: HTTPResponse.Status, title: String, problem: String, target: String) -> Response {
        page(status: status, pages.message(title: title, problem: problem, target: target))
    }
}
