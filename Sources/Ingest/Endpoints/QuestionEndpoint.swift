import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /v1/questions`, and `GET /v1/questions/<name>.csv` or `.json`.
struct QuestionEndpoint: Sendable {
    /// Shared with ``ReportEndpoint``: a question is a report.
    let room: AnswerAdmission
    let source: any ReportSource

    func list(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        _ = try call.query.values(of: [])
        let json = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.questions(for: caller.principal)
        }
        return Response(json: json, for: caller)
    }

    /// The format is part of the address, so that a tool that knows only a URL gets what it can read.
    func answer(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        _ = try call.query.values(of: [])
        guard let point = call.parameter.lastIndex(of: "."),
            let format = AnswerFormat(rawValue: String(call.parameter[call.parameter.index(after: point)...]))
        else {
            throw Problem(.unknownQuestion, "The address of a question is its name and .csv or .json.")
        }
        let name = String(call.parameter[..<point])
        let report = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.question(name, format: format, for: caller.principal)
        }
        guard let report else {
            throw Problem(.unknownQuestion, "The app has no question of this name; GET /v1/questions lists them.")
        }
        return ReportEndpoint.response(with: report, to: call.request, for: caller)
    }
}
