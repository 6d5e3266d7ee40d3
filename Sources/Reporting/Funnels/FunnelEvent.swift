import Events

/// One kind of event that may serve a step of a funnel.
enum FunnelEvent: Hashable, Sendable {
    case inboundLink
    /// An inbound link or a link click.
    case touch
    case linkClick
    /// A link click, or a deferred link: the tap before an install.
    case tap
    /// Only installs that count (`PersonTimeline.countedInstalls`).
    case install
    /// An authentication event, or an authenticated inbound link.
    case authentication
    /// A conversion of any name, or of this one.
    case conversion(String?)
    /// A feed post with any outcome.
    case feedPost
    /// An open of the app without a link.
    case appOpen

    /// The names that can be requested.
    static let names = [
        "inbound_link", "touch", "link_click", "install", "authentication", "conversion", "conversion:NAME",
        "feed_post", "app_open",
    ]

    /// Nil for an unknown name.
    init?(name: String) {
        switch name {
        case "inbound_link": self = .inboundLink
        case "touch": self = .touch
        case "link_click": self = .linkClick
        case "install": self = .install
        case "authentication": self = .authentication
        case "conversion": self = .conversion(nil)
        case "feed_post": self = .feedPost
        case "app_open": self = .appOpen
        default:
            let prefix = "conversion:"
            guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
            self = .conversion(String(name.dropFirst(prefix.count)))
        }
    }

    /// Whether the event is a touch, so it has a channel, refs, a referer and a target.
    var isTouch: Bool {
        switch self {
        case .inboundLink, .touch, .linkClick, .tap: true
        case .install, .authentication, .conversion, .feedPost, .appOpen: false
        }
    }

    var isConversion: Bool {
        if case .conversion = self { true } else { false }
    }

    /// The name that a conversion must have; nil if it may have any, and for other events.
    var goal: String? {
        if case .conversion(let name) = self { name } else { nil }
    }

    /// The types that the event can have.
    var types: Set<EventType> {
        switch self {
        case .inboundLink: [.inboundLink, .install]
        case .touch, .tap: [.inboundLink, .linkClick, .install]
        // The time of a deferred click depends on installs.
        case .linkClick: [.linkClick, .install]
        case .install: [.install]
        case .authentication: [.authentication, .inboundLink, .install]
        case .conversion: [.conversion]
        case .feedPost: [.feedPost]
        case .appOpen: [.appOpen]
        }
    }
}

extension FunnelEvent: CustomStringConvertible {
    var description: String {
        switch self {
        case .inboundLink: "inbound_link"
        case .touch: "touch"
        case .linkClick: "link_click"
        case .tap: "tap"
        case .install: "install"
        case .authentication: "authentication"
        case .conversion(nil): "conversion"
        case .conversion(let name?): "conversion:\(name)"
        case .feedPost: "feed_post"
        case .appOpen: "app_open"
        }
    }
}
