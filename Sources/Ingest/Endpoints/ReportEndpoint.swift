import HTTPTypes
import Hummingbird
import NIOCore
import Text

/// `GET /v1/reports/<name>`.
struct ReportEndpoint: Sendable {
    let room: AnswerAdmission
    let source: any ReportSource

    func respond(to call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let request = call.request
        var parameters = call.query.parameters
        let format = try Self.format(request.headers, taking: &parameters)
        let asked = parameters.map { ($0.name, $0.value) }
        let report = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.report(call.parameter, parameters: asked, format: format, for: caller.principal)
        }
        return Self.response(with: report, to: request, for: caller)
    }

    /// A report, or 304 if the reader has it.
    static func response(with report: RenderedReport, to request: Request, for caller: KeyGuard.Caller) -> Response {
        let tag = EntityTag(report)
        var response =
            tag.isMatched(by: request.headers)
            ? Response(status: .notModified)
            : Response(
                status: .ok,
                headers: Self.headers(of: report),
                body: Self.body(of: report)
            )
        response.headers[.eTag] = tag.text
        response.add(notices: report.notices)
        response.headers[.cacheControl] = "private, no-cache"
        response.headers[.vary] = "Accept, Authorization"
        if let name = HTTPField.Name("Tributary-Warning") {
            for warning in report.warnings {
                response.headers.append(HTTPField(name: name, value: headerText(warning)))
            }
        }
        response.add(caller.fields)
        return response
    }

    private static func body(of report: RenderedReport) -> ResponseBody {
        guard let text = report.long else { return ResponseBody(byteBuffer: ByteBuffer(bytes: report.bytes)) }
        return ResponseBody(text)
    }

    /// A field's value is ASCII: other bytes, and `%`, are percent-encoded.
    private static func headerText(_ text: String) -> String {
        PercentEncoding.encoded(text) { 0x20...0x7E ~= $0 && $0 != "%" }
    }

    private static func headers(of report: RenderedReport) -> HTTPFields {
        var headers: HTTPFields = [.contentType: report.contentType]
        if let name = report.fileName { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
        return headers
    }

    /// `format=` wins over `Accept`.
    private static func format(
        _ headers: HTTPFields,
        taking parameters: inout [(name: String, value: String)]
    ) throws(Problem) -> AnswerFormat {
        guard let parameter = parameters.first(where: { $0.name == "format" }) else {
            return AnswerFormat(accepting: headers)
        }
        parameters.removeAll { $0.name == "format" }
        guard let format = AnswerFormat(rawValue: parameter.value) else {
            var problem = Problem(.invalidParameter, "format must be csv or json.", field: "format")
            problem.allowed = ["csv", "json"]
            throw problem
        }
        return format
    }
}
