import HTTPTypes
package import HummingbirdCore
import InboundLinks
package import Time
package import Ingest
import Storage
import Text

/// The dashboard at `/`. A person signs in, as a user or with a read key, and sees the reports and the short links of
/// an app.
///
/// Pages are rendered here and work without scripts. All figures come from Reporting.
package struct Dashboard: PageResponder {
    let authenticator: any KeyAuthenticator
    var source: any DashboardSource
    let stores: DashboardStores
    let live: LiveIngest
    let readiness: any ReadinessProbe
    let pages: Pages
    var seen = SeenSessions()
    var wrongPasswords = WrongPasswords()
    /// The header in which a trusted proxy says which user is signed in at it; nil: none does.
    let signInHeader: HTTPField.Name?
    let importRoom = ImportRoom()
    let now: @Sendable () -> Timestamp

    package init(
        authenticator: any KeyAuthenticator,
        stores: DashboardStores,
        live: LiveIngest,
        readiness: any ReadinessProbe,
        signInHeader: String? = nil,
        now: @escaping @Sendable () -> Timestamp = { .now }
    ) throws {
        self.authenticator = authenticator
        source = DashboardReports(reader: stores.reader, failures: stores.failures)
        self.stores = stores
        self.live = live
        self.readiness = readiness
        self.signInHeader = signInHeader.flatMap { HTTPField.Name($0) }
        self.now = now
        pages = try Pages(live: live)
    }

    /// Whether the browser whose request is answered takes gzip.
    @TaskLocal static var acceptsGzip = false
    /// Where the request that is answered comes from.
    @TaskLocal static var sender = PageSender()

    package func respond(to request: Request, from sender: PageSender) async -> Response? {
        let encodings = request.headers[.acceptEncoding]?.split(separator: ",") ?? []
        let acceptsGzip = encodings.contains { $0.drop { $0 == " " }.hasPrefix("gzip") && !$0.hasSuffix("q=0") }
        return await Self.$acceptsGzip.withValue(acceptsGzip) {
            await Self.$sender.withValue(sender) {
                await Actor.$ofForm.withValue(Actor.FormKey()) { await answer(request) }
            }
        }
    }

    private func answer(_ request: Request) async -> Response? {
        let path = request.uri.path
        guard let operation = Operation.find(request) else { return await missingPage(path, request) }
        if operation.method == .post, isCrossSite(request) { return refusedPage() }
        if operation.need == .nothing {
            if let response = await operation.answer(self, path, request) { return response }
            return await missingPage(path, request)
        }
        return await asCaller(request) { caller in
            guard operation.admits(caller) else { return refusal(of: operation, caller) }
            let response = await Operation.$current.withValue(operation) {
                await operation.answer(self, path, request)
            }
            if let response { return response }
            return await missingPage(path, request)
        }
    }

    /// Answers somebody who is signed in; others are led to the page to sign in.
    private func asCaller(_ request: Request, _ answer: (Caller) async -> Response?) async -> Response? {
        switch await admit(request) {
        case .refused(let response): return response
        case .admitted(let caller, let cookie):
            let response = await Caller.$current.withValue(caller) {
                await Actor.$current.withValue(caller.name) { await answer(caller) }
            }
            return response.map { response in cookie.map { setting($0, in: response) } ?? response }
        }
    }

    /// The page for somebody whose role is too small.
    private func refusal(of operation: Operation, _ caller: Caller) -> Response {
        let problem =
            switch operation.need {
            case .role(let role) where caller.user != nil, .userRole(let role) where caller.user != nil:
                "This is for \(role.inWords): \(operation.what). "
                    + "You are \(caller.role.ofOne) of this app; a manager of it can change that."
            default:
                "This is for users: \(operation.what). You are signed in with a read key. "
                    + "Sign in with an e-mail address; a manager of the app can invite you."
            }
        return framedPage(status: .forbidden, title: "Not with your role", problem: problem, app: caller.app)
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
            return await signInPage(status: .notFound, problem: problem, target: nil)
        }
        let page = await asCaller(request) { caller in
            let first = "/" + (path.split(separator: "/").first ?? "")
            let meant = closestName(to: first, among: View.allCases.map(\.path)).map { " Did you mean \($0)?" }
            return framedPage(
                status: .notFound,
                title: "Page not found",
                problem: problem + (meant ?? ""),
                app: caller.app
            )
        }
        // The session has ended.
        if page?.status == .seeOther { return await signInPage(status: .notFound, problem: problem, target: nil) }
        return page
    }

    /// A page that says only why there is no other, for somebody who is signed in.
    func framedPage(
        status: HTTPResponse.Status,
        title: String,
        problem: String,
        app: App,
        retry: String? = nil
    ) -> Response {
        let asked = try? ViewRequest(
            .overview,
            fields: FormFields(),
            app: app,
            source: source,
            stores: stores,
            now: now()
        )
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
    /// - Parameters:
    ///   - target: where to go from here: a path of this dashboard; nil: nowhere.
    ///   - link: the words of the link there.
    func plainPage(
        status: HTTPResponse.Status,
        title: String,
        problem: String,
        target: String?,
        link: String = "Try again"
    ) -> Response {
        page(status: status, pages.message(title: title, problem: problem, target: target, link: link))
    }
}
