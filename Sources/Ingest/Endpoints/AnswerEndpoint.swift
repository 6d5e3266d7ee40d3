import Events
import HTTPTypes
import HummingbirdCore
import InboundLinks
import JSONReading
import Time

/// `GET /v1/attributions` and `GET /v1/deferred-links`.
struct AnswerEndpoint: Sendable {
    let room: AnswerRoom
    let source: any AnswerSource

    func attribution(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let asked = call.query.parameters.map { ($0.name, $0.value) }
        let found = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.attribution(parameters: asked, for: caller.principal)
        }
        guard let found else {
            throw Problem(
                .unknownEvent,
                "The person has no such install or conversion, or nothing is known of the person."
            )
        }
        var response = Response(json: found.json, for: caller)
        response.add(notices: found.notice.map { [$0] } ?? [])
        return response
    }

    func deferredLink(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: ["click_id"])
        guard let clickID = parameters["click_id"], 1...Self.idBytes ~= clickID.utf8.count else {
            throw Problem(
                .invalidParameter,
                "click_id is required, and has at most \(Self.idBytes) bytes.",
                field: "click_id"
            )
        }
        if PlusSign.isLost(inID: clickID) {
            throw Problem(.invalidParameter, "click_id \(PlusSign.advice).", field: "click_id")
        }
        let found = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.deferredLink(ofClick: clickID, for: caller.principal)
        }
        guard let found else { throw Problem(.unknownClick, "There is no click with this id.", field: "click_id") }
        var json = JSONWriter()
        json.object { json in
            json.member("link", found.link)
            json.member("target_url", found.targetURL)
            json.member("app_url", found.appURL)
            json.member("clicked_at", found.clickedAt.rfc3339)
            json.member("refs", found.refs)
        }
        return Response(json: json.text, for: caller)
    }

    private static let idBytes = EventLimits.id
}

extension QueryString {
    /// The values of the parameters of a route, by their names.
    func values(of allowed: [String]) throws(Problem) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in parameters {
            guard allowed.contains(name) else {
                var problem = Problem(
                    .invalidParameter,
                    "A parameter is unknown; see `allowed`.",
                    field: Redaction.redact(name)
                )
                problem.allowed = allowed
                throw problem
            }
            values[name] = value
        }
        return values
    }
}

extension Response {
    /// - Parameter notices: what a reader of the answer must know beside it, in ASCII.
    mutating func add(notices: [String]) {
        add(notices.map { HeaderField("Tributary-Notice", $0) })
    }

    init(status: HTTPResponse.Status = .ok, json: String, for caller: KeyGuard.Caller) {
        self.init(status: status, contentType: "application/json", text: json)
        add(caller.fields)
    }
}
