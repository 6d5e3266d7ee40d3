import HTTPTypes
import HummingbirdCore
import InboundLinks
import JSONReading
import NIOCore

/// `/v1/costs`: what refs, channels and short links cost an app (docs/money.md).
struct CostEndpoint: Sendable {
    let room: AnswerAdmission
    let source: any CostSource
    let limits: IngestLimits

    func costs(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        call.request.method == .post ? try await store(call, for: caller) : try await list(call, for: caller)
    }

    private func list(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: [PageLimit.name, "after"])
        let limit = try PageLimit.read(parameters[PageLimit.name])
        let json = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.costs(after: parameters["after"], limit: limit, for: caller.principal)
        }
        return Response(json: json, for: caller)
    }

    private func store(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        _ = try call.query.values(of: [])
        let body = try await room.json(of: call.request, from: caller, limits)
        let fields = try fields(of: body.bytes)
        let json = try await room.answer(caller, holding: body.ticket) { [source] () async throws(AnswerFailure) in
            try await source.store(fields, for: caller.principal)
        }
        return Response(json: json, for: caller)
    }

    func remove(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        _ = try call.query.values(of: [])
        let isRemoved = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            guard let number = Int64(call.parameter) else { return false }
            return try await source.removeCost(number, for: caller.principal)
        }
        guard isRemoved else {
            throw Problem(.unknownCost, "The app has no cost of this number; GET /v1/costs lists them.")
        }
        var response = Response(status: .noContent)
        response.add(caller.fields)
        return response
    }

    /// The members of the object in a body; those that are null are absent.
    private func fields(of bytes: ByteBuffer) throws(Problem) -> [String: String] {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(reading: bytes.readableBytesView)
        } catch {
            throw Problem(.malformedBody, "The body is not valid JSON (RFC 8259): an object.")
        }
        guard document.root.kind == .object else {
            throw Problem(.malformedBody, "The body must be a JSON object: a cost.")
        }
        var values: [String: String] = [:]
        for (name, value) in document.root.members {
            guard source.fields.contains(name) else {
                var problem = Problem(.unknownField, "A cost has no such field.", field: Redaction.redact(name))
                problem.allowed = source.fields
                throw problem
            }
            if value.kind == .null { continue }
            guard let text = value.string ?? value.number else {
                throw Problem(.invalidField, "\(name) must be a text or a number.", field: name)
            }
            guard values.updateValue(text, forKey: name) == nil else {
                throw Problem(.duplicateField, "\(name) is given twice.", field: name)
            }
        }
        return values
    }
}
