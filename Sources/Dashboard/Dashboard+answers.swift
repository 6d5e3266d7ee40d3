import Gzip
import HTTPTypes
import HummingbirdCore
import Ingest
import Markup
import NIOCore

/// How answers are made.
extension Dashboard {
    func page(status: HTTPResponse.Status, _ html: String) -> Response {
        protected(answer(HTMLText.showingDirections(in: html), status: status, contentType: "text/html; charset=utf-8"))
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
                freshness: await live.freshness(of: asked.app, from: source),
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

    func setting(_ cookie: String, in response: Response) -> Response {
        var response = response
        response.headers[.setCookie] = cookie
        return response
    }

    /// A file that is the same for everybody. Its URL contains a hash of its content, so browsers may cache it for
    /// long.
    ///
    /// - Returns: nil if there is no such file.
    func asset(_ path: String, _ request: Request) -> Response? {
        let (text, contentType): (String, String)
        switch path {
        case "/assets/style.css": (text, contentType) = (PageFiles.styleCSS, "text/css; charset=utf-8")
        case "/assets/dashboard.js": (text, contentType) = (PageFiles.dashboardJS, "text/javascript; charset=utf-8")
        default: return nil
        }
        let isCurrent = request.uri.query == pages.assetVersion
        return protected(
            answer(text, status: .ok, contentType: contentType),
            cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache"
        )
    }

    /// The same for a page whose address is a secret: no site gets it as the one before. The origin stays, by which
    /// forms are known to be the dashboard's own.
    func hidingAddress(_ response: Response) -> Response {
        var response = response
        if let policy = HTTPField.Name("Referrer-Policy") { response.headers[policy] = "strict-origin" }
        return response
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
        case .forbidden: .forbidden
        case .badForm(let code): HTTPResponse.Status(code: code.status)
        case .overloaded, .unavailable, .timedOut, .busy: .serviceUnavailable
        case .internalError: .internalServerError
        }
    }
}
