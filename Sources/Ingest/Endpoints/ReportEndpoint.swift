import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /v1/reports/<name>`.
struct ReportEndpoint: Sendable {
    let gate: AdmissionGate
    let source: any ReportSource
    let deadline: Deadline

    func respond(to call: Route.Call, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let request = call.request
        var parameters = call.query.parameters
        let format = try Self.format(request.headers, taking: &parameters)
        let ticket = try gate.admit(bytes: 0)
        let asked = parameters.map { ($0.name, $0.value) }
        let report: RenderedReport
        do throws(ReportFailure) {
            report = try await deadline.run(expired: .timedOut) { [source] () async throws(ReportFailure) in
                defer { withExtendedLifetime(ticket) {} }
                return try await source.report(call.parameter, parameters: asked, format: format, for: caller.principal)
            }
        } catch {
            throw Problem(error)
        }
        let tag = EntityTag(report)
        var response =
            tag.isMatched(by: request.headers)
            ? Response(status: .notModified)
            : Response(
                status: .ok,
                headers: Self.headers(of: report),
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: report.bytes))
            )
        response.headers[.eTag] = tag.text
        response.headers[.cacheControl] = "private, no-cache"
        response.headers[.vary] = "Accept, Authorization"
        response.add(caller.fields)
        return response
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

extension Problem {
    init(_ failure: ReportFailure) {
        switch failure {
        case .unknownReport(let allowed):
            self.init(.unknownReport, "There is no report of this name; see `allowed`.", field: "report")
            self.allowed = allowed
        case .unknownApp:
            self = .unknownKey(.read)
        case .invalidParameter(let message, let field, let allowed):
            self.init(.invalidParameter, message, field: field)
            self.allowed = allowed
        case .unavailable(let retryAfter):
            self.init(
                .unavailable,
                "The database is unavailable; try again after the seconds in Retry-After.",
                retryAfter: retryAfter
            )
        case .timedOut:
            self.init(.timedOut, "The report took too long; ask for a shorter range.", retryAfter: .seconds(1))
        }
    }
}
