/// The paths that the daemon answers.
enum Route: Equatable {
    case events, inboundLinks, feedPosts
    /// The name as the sender wrote it, decoded.
    case report(name: String)
    case health, readiness, metrics, description

    /// - Parameter path: of the request's target, still encoded.
    init?(path: String) {
        switch path {
        case "/v1/events": self = .events
        case "/v1/inbound-links": self = .inboundLinks
        case "/v1/feed-posts": self = .feedPosts
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/openapi.yaml": self = .description
        default:
            guard path.hasPrefix(Self.reports) else { return nil }
            let encoded = path.dropFirst(Self.reports.count)
            // In a path `+` is itself.
            let name = QueryString.decode(encoded.utf8.flatMap { $0 == UInt8(ascii: "+") ? [0x25, 0x32, 0x42] : [$0] })
            guard let name, !name.isEmpty, !name.contains("/") else { return nil }
            self = .report(name: name)
        }
    }

    private static let reports = "/v1/reports/"

    /// As `openapi.yaml` and the metrics name it.
    var pattern: String {
        switch self {
        case .events: "/v1/events"
        case .inboundLinks: "/v1/inbound-links"
        case .feedPosts: "/v1/feed-posts"
        case .report: "/v1/reports/{name}"
        case .health: "/healthz"
        case .readiness: "/readyz"
        case .metrics: "/metrics"
        case .description: "/openapi.yaml"
        }
    }

    var methods: [String] {
        switch self {
        case .events, .inboundLinks, .feedPosts: ["POST"]
        case .report, .health, .readiness, .metrics, .description: ["GET", "HEAD"]
        }
    }

    /// Whether ``WriteHandler`` answers it.
    var isWrite: Bool {
        switch self {
        case .events, .inboundLinks, .feedPosts: true
        case .report, .health, .readiness, .metrics, .description: false
        }
    }

    /// The problems that the route itself answers. Beside them every route knows ``everywhere``.
    var problems: [ProblemCode] {
        switch self {
        case .events, .inboundLinks, .feedPosts:
            [
                .malformedBody, .malformedEncoding, .incompleteBody, .emptyBatch, .unknownField, .invalidField,
                .tooDeep, .missingKey, .unknownKey,
                .wrongKeyKind, .requestTimeout, .bodyTooLarge, .inflatedBodyTooLarge, .tooManyEvents, .tooManyValues,
                .unsupportedMediaType, .unsupportedEncoding, .noValidEvent, .rateLimited, .overloaded, .unavailable,
                .timedOut,
            ]
        case .report:
            [
                .invalidParameter, .missingKey, .unknownKey, .wrongKeyKind, .unknownReport, .rateLimited, .overloaded,
                .unavailable, .timedOut,
            ]
        case .readiness: [.notReady]
        case .health, .metrics, .description: []
        }
    }

    /// What any path may answer, before its route does. Where there is no route: `notFound`.
    static let everywhere: [ProblemCode] = [
        .malformedRequest, .methodNotAllowed, .targetTooLong, .headersTooLarge,
    ]

    /// One of each kind.
    static let all: [Route] = [
        .events, .inboundLinks, .feedPosts, .report(name: "name"), .health, .readiness, .metrics, .description,
    ]
}
