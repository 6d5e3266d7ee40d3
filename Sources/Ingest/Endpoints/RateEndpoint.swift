import HTTPTypes
import HummingbirdCore
import NIOCore

/// `/v1/rates`: what other currencies are worth in an app's (docs/money.md).
struct RateEndpoint: Sendable {
    let room: AnswerAdmission
    let source: any RateSource
    let limits: IngestLimits

    func rates(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        switch call.request.method {
        case .put: try await store(call, for: caller)
        case .delete: try await clear(call, for: caller)
        default: try await list(call, for: caller)
        }
    }

    private func list(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: ["currency", PageLimit.name, "after"])
        let limit = try PageLimit.read(parameters[PageLimit.name])
        let paging = ["after", PageLimit.name].first { parameters[$0] != nil }
        if let field = paging, parameters["currency"] == nil {
            throw Problem(.invalidParameter, "\(field) needs currency: only the rates of one have pages.", field: field)
        }
        let json = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            guard let currency = parameters["currency"] else { return try await source.rates(for: caller.principal) }
            return try await source.rates(
                of: currency,
                after: parameters["after"],
                limit: limit,
                for: caller.principal
            )
        }
        return Response(json: json, for: caller)
    }

    private func store(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        _ = try call.query.values(of: [])
        let body = try await room.csv(of: call.request, from: caller, limits)
        let file = Array(buffer: body.bytes)
        let json = try await room.answer(caller, holding: body.ticket) { [source] () async throws(AnswerFailure) in
            try await source.store(file, for: caller.principal)
        }
        return Response(json: json, for: caller)
    }

    private func clear(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let currency = try call.query.values(of: ["currency"])["currency"]
        let json = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.clearRates(of: currency, for: caller.principal)
        }
        return Response(json: json, for: caller)
    }
}
