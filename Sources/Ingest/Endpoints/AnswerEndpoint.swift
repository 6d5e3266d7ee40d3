import Addresses
import Events
import HTTPTypes
import HummingbirdCore
import InboundLinks
import JSONReading
import Redirects
import Time

/// `GET /v1/attributions` and `GET /v1/deferred-links`.
struct AnswerEndpoint: Sendable {
    let room: AnswerAdmission
    let source: any AnswerSource
    let metrics: IngestMetrics
    private let guesses = CodeGuesses()

    init(room: AnswerAdmission, source: any AnswerSource, metrics: IngestMetrics) {
        self.room = room
        self.source = source
        self.metrics = metrics
    }

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
        let given = try call.query.values(of: ["click_id", "code", "text", "device_id"])
        let names = ["click_id", "code", "text"].filter { given[$0] != nil }
        guard names.count == 1 else {
            throw Problem(.invalidParameter, "Name a click by one of click_id, code and text.", field: names.last)
        }
        guard given["device_id"] == nil || given["code"] != nil else {
            throw Problem(.invalidParameter, "device_id goes with code only.", field: "device_id")
        }
        let found: DeferredLink
        if let text = given["code"] {
            found = try await deferredLink(ofCode: text, try id(given, "device_id"), call, for: caller)
        } else if let text = given["text"] {
            let links = CarriedLink.all(in: text)
            guard !links.isEmpty, let link = try await ask(.links(links), for: caller) else {
                throw Problem(.noLink, "There is no short link of the app with the id of a click.", field: "text")
            }
            found = link
        } else {
            guard let clickID = try id(given, "click_id") else {
                throw Problem(
                    .invalidParameter,
                    "click_id is required, and has at most \(Self.idBytes) bytes.",
                    field: "click_id"
                )
            }
            guard let link = try await ask(.click(id: clickID), for: caller) else {
                throw Problem(.unknownClick, "There is no click with this id.", field: "click_id")
            }
            found = link
        }
        var json = JSONWriter()
        json.object { json in
            json.member("click_id", found.clickID)
            json.member("link", found.link)
            json.member("target_url", found.targetURL)
            json.member("app_url", found.appURL)
            json.member("clicked_at", found.clickedAt.rfc3339)
            json.member("refs", found.refs)
        }
        return Response(json: json.text, for: caller)
    }

    /// The id of a parameter; nil if it is not there.
    private func id(_ given: [String: String], _ name: String) throws(Problem) -> String? {
        guard let id = given[name] else { return nil }
        guard 1...Self.idBytes ~= id.utf8.count else {
            throw Problem(.invalidParameter, "\(name) has 1 to \(Self.idBytes) bytes.", field: name)
        }
        if PlusSign.isLost(inID: id) { throw Problem(.invalidParameter, "\(name) \(PlusSign.advice).", field: name) }
        return id
    }

    private func deferredLink(
        ofCode text: String,
        _ deviceID: String?,
        _ call: RoutedRequest,
        for caller: KeyGuard.Caller
    ) async throws(Problem) -> DeferredLink {
        let wrong = Problem(
            .noLink,
            "The code is wrong or older than 7 days, or another installation has used it.",
            field: "code"
        )
        guard let code = CarryCode(typed: text) else {
            metrics.asked(.unreadable)
            throw wrong
        }
        let (principal, address) = (caller.principal, call.address)
        let found: DeferredLink?
        do throws(Problem) {
            try guesses.take(principal, from: address, at: .now)
        } catch {
            metrics.asked(.limited)
            throw error
        }
        do throws(Problem) {
            found = try await ask(.code(code, deviceID: deviceID), for: caller)
        } catch {
            guesses.giveBack(principal, from: address, at: .now)
            throw error
        }
        guard let found else {
            metrics.asked(.wrong)
            throw wrong
        }
        metrics.asked(.found)
        guesses.giveBack(principal, from: address, at: .now)
        return found
    }

    private func ask(
        _ question: DeferredLinkQuestion,
        for caller: KeyGuard.Caller
    ) async throws(Problem) -> DeferredLink? {
        try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.deferredLink(question, for: caller.principal)
        }
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
