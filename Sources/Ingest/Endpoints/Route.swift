import Events
import HTTPTypes
import HummingbirdCore
import Text

/// A path that the daemon answers. A route is one entry of ``all``, an endpoint, and a path of `openapi.yaml`.
///
/// A class, so that a request carries one reference.
final class Route: Sendable {
    /// Which key a request needs, and what answers it.
    enum Endpoint: Sendable {
        /// With a write key or one for apps: ``DirectHandler`` and ``WriteEndpoint``. Events without a `type` have the
        /// implied one.
        case write(impliedType: EventType?)
        /// With a key that reads: ``IngestResponder`` checks it.
        case read(@Sendable (AppEndpoints, RoutedRequest, KeyGuard.Caller) async throws(Problem) -> Response)
        /// With a key of the kind that the method needs.
        case keyed(
            @Sendable (HTTPRequest.Method) -> KeyNeed,
            @Sendable (AppEndpoints, RoutedRequest, KeyGuard.Caller) async throws(Problem) -> Response
        )
        /// A visit of a short link: ``DirectHandler`` and ``RedirectEndpoint``.
        case visit
        /// Without a key.
        case open(@Sendable (IngestResponder, RoutedRequest) async throws(Problem) -> Response)
    }

    static let all: [Route] = [
        Route(post, "/v1/events", .write(impliedType: nil), successes: storing, problems: writing),
        Route(post, "/v1/inbound-links", .write(impliedType: .inboundLink), successes: storing, problems: writing),
        Route(post, "/v1/feed-posts", .write(impliedType: .feedPost), successes: storing, problems: writing),
        Route(
            get,
            "/v1/reports/{name}",
            .read { app, call, caller throws(Problem) in
                try await app.report.respond(to: call, for: caller)
            },
            successes: [200, 304],
            problems: asking + [.unknownReport]
        ),
        Route(
            get,
            "/v1/questions",
            .read { app, call, caller throws(Problem) in
                try await app.questions.list(call, for: caller)
            },
            problems: asking
        ),
        Route(
            get,
            "/v1/questions/{file}",
            .read { app, call, caller throws(Problem) in
                try await app.questions.answer(call, for: caller)
            },
            successes: [200, 304],
            problems: asking + [.unknownQuestion]
        ),
        Route(
            get,
            "/v1/attributions",
            .keyed({ _ in .reading }) { app, call, caller throws(Problem) in
                try await app.answers.attribution(call, for: caller)
            },
            problems: asking + [.unknownEvent]
        ),
        Route(
            get,
            "/v1/deferred-links",
            .keyed({ _ in .event }) { app, call, caller throws(Problem) in
                try await app.answers.deferredLink(call, for: caller)
            },
            problems: asking + [.unknownClick, .noLink, .originNotAllowed]
        ),
        Route(
            get + post,
            "/v1/links",
            .keyed(readOrWrite) { app, call, caller throws(Problem) in
                try await app.links.links(call, for: caller)
            },
            successes: [200, 201],
            problems: asking + changing + [.invalidLink, .emptyBatch, .tooManyLinks, .slugTaken]
        ),
        Route(
            get + ["PATCH", "DELETE"],
            "/v1/links/{slug}",
            .keyed(readOrWrite) { app, call, caller throws(Problem) in
                try await app.links.link(call, for: caller)
            },
            successes: [200, 204],
            problems: asking + changing + [.invalidLink, .unknownLink]
        ),
        Route(
            get,
            "/v1/links/{slug}/qr",
            .keyed(readOrWrite) { app, call, caller throws(Problem) in
                try await app.links.qr(call, for: caller)
            },
            problems: asking + [.unknownLink]
        ),
        Route(
            get + post,
            "/v1/costs",
            .keyed(readOrWrite) { app, call, caller throws(Problem) in
                try await app.costs.costs(call, for: caller)
            },
            problems: asking + changing + [.duplicateField]
        ),
        Route(
            ["DELETE"],
            "/v1/costs/{number}",
            .keyed(readOrWrite) { app, call, caller throws(Problem) in
                try await app.costs.remove(call, for: caller)
            },
            successes: [204],
            problems: asking + [.unknownCost]
        ),
        Route(
            get + ["PUT", "DELETE"],
            "/v1/rates",
            .keyed(readOrManage) { app, call, caller throws(Problem) in
                try await app.rates.rates(call, for: caller)
            },
            problems: asking + sending
        ),
        Route(get, "/healthz", .open { responder, _ in responder.service.health() }),
        Route(
            get,
            "/readyz",
            .open { responder, _ throws(Problem) in try await responder.service.readiness() },
            problems: [.notReady]
        ),
        Route(get, "/metrics", .open { responder, _ in responder.service.metrics() }),
        Route(get, "/openapi.yaml", .open { responder, _ in responder.service.description() }),
    ]

    /// Every path of a host of short links that is not one of ``all``.
    static let link = Route(get, "/{slug}", .visit)

    /// The route of a request whose target nobody can read, as the metrics name it.
    static let none = Route([], "none", .visit)

    private static let get = ["GET", "HEAD"]
    private static let post = ["POST"]
    private static let storing = [200, 202]
    private static let writing: [ProblemCode] = [
        .malformedBody, .malformedEncoding, .incompleteBody, .emptyBatch, .unknownField, .duplicateField,
        .invalidField, .tooDeep, .missingKey, .unknownKey, .wrongKeyKind, .bodyTooLarge, .inflatedBodyTooLarge,
        .tooManyEvents, .tooManyValues, .unsupportedMediaType, .unsupportedEncoding,
        .noValidEvent, .rateLimited, .internalError, .overloaded, .unavailable, .timedOut, .clockUntrusted,
        .originNotAllowed,
    ]

    private static let asking: [ProblemCode] = [
        .missingKey, .unknownKey, .wrongKeyKind, .movedApp, .rateLimited, .internalError, .overloaded, .unavailable,
        .timedOut,
    ]
    private static let sending: [ProblemCode] = [
        .malformedEncoding, .incompleteBody, .bodyTooLarge, .inflatedBodyTooLarge, .unsupportedMediaType,
        .unsupportedEncoding,
    ]
    private static let changing = sending + [.malformedBody, .unknownField, .invalidField]

    /// A read key reads links and costs, a write key creates and changes them, and a manage key does both.
    private static func readOrWrite(_ method: HTTPRequest.Method) -> KeyNeed {
        method == .get || method == .head ? .reading : .changing
    }

    /// A read key reads rates, and a manage key also changes them.
    private static func readOrManage(_ method: HTTPRequest.Method) -> KeyNeed {
        method == .get || method == .head ? .reading : .managing
    }

    /// The key that a request needs; nil if it needs none.
    func keyNeed(for method: HTTPRequest.Method) -> KeyNeed? {
        switch endpoint {
        case .write: .event
        case .read: .reading
        case .keyed(let need, _): need(method)
        case .visit, .open: nil
        }
    }

    /// Whether some method takes keys for apps.
    var takesAppKeys: Bool {
        methods.contains { HTTPRequest.Method($0).flatMap(keyNeed)?.isMet(by: .app) ?? false }
    }

    /// What any path may answer, before its route does. Without a route: `notFound`.
    static let everywhere: [ProblemCode] = [
        .malformedRequest, .invalidParameter, .methodNotAllowed, .requestTimeout, .targetTooLong, .headersTooLarge,
    ]

    let methods: [String]
    /// As `openapi.yaml` and the metrics name the path. A `{…}` takes one segment of a request's path.
    let pattern: String
    let endpoint: Endpoint
    /// The statuses of its answers that are no problems.
    let successes: [Int]
    /// The problems that the route itself answers. Beside them every route knows ``everywhere``.
    let problems: [ProblemCode]
    /// The pattern up to its `{…}`; nil when it has none.
    private let prefix: String?
    /// The pattern from its `{…}` on.
    private let suffix: String

    private init(
        _ methods: [String],
        _ pattern: String,
        _ endpoint: Endpoint,
        successes: [Int] = [200],
        problems: [ProblemCode] = []
    ) {
        self.methods = methods
        self.pattern = pattern
        self.endpoint = endpoint
        self.successes = successes
        self.problems = problems
        prefix = pattern.firstIndex(of: "{").map { String(pattern[..<$0]) }
        suffix = pattern.firstIndex(of: "}").map { String(pattern[pattern.index(after: $0)...]) } ?? ""
    }

    /// The route of a path, and the decoded text in the place of its `{…}`, which is empty when it has none.
    ///
    /// - Parameter path: of the request's target, still encoded.
    static func find(_ path: String) -> (route: Route, parameter: String)? {
        for route in all {
            guard let prefix = route.prefix else {
                if path == route.pattern { return (route, "") }
                continue
            }
            guard path.hasPrefix(prefix), path.hasSuffix(route.suffix) else { continue }
            if let parameter = segment(path.dropFirst(prefix.count).dropLast(route.suffix.count)) {
                return (route, parameter)
            }
        }
        return nil
    }

    /// The route that was likely meant by a path that has none: with a slash at its end, or a slip in its spelling.
    static func near(_ path: String) -> Route? {
        let segments = path.prefix(64).split(separator: "/")
        // A parameter is no part of the spelling: it is taken as the path has it.
        let spellings = all.map { route -> String in
            guard let prefix = route.prefix else { return route.pattern }
            let position = prefix.split(separator: "/").count
            return prefix + (position < segments.count ? segments[position] : "") + route.suffix
        }
        let closest = closestName(
            to: "/" + segments.joined(separator: "/"),
            among: spellings.filter { $0.split(separator: "/").count == segments.count }
        )
        return closest.flatMap { closest in spellings.firstIndex(of: closest).map { all[$0] } }
    }

    private static func segment(_ encoded: Substring) -> String? {
        // In a path `+` is itself.
        let text = QueryString.decode(encoded.utf8.flatMap { $0 == UInt8(ascii: "+") ? [0x25, 0x32, 0x42] : [$0] })
        guard let text, !text.isEmpty, !text.contains("/") else { return nil }
        return text
    }

    /// Whether ``DirectHandler`` answers it.
    var isWrite: Bool {
        if case .write = endpoint { true } else { false }
    }

    /// The type of events that do not say one; nil when they must.
    var impliedType: EventType? {
        if case .write(let type) = endpoint { type } else { nil }
    }
}
