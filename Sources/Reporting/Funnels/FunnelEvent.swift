import Events

/// What a step of a funnel may be served by: one kind of event.
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
    /// Whatever became of it.
    case feedPost

    /// What can be asked for.
    static let names = [
        "inbound_link", "touch", "link_click", "install", "authentication", "conversion", "conversion:NAME",
        "feed_post",
    ]

    /// Nil for a name of nothing that can be asked for.
    init?(name: String) {
        switch name {
        case "inbound_link": self = .inboundLink
        case "touch": self = .touch
        case "link_click": self = .linkClick
        case "install": self = .install
        case "authentication": self = .authentication
        case "conversion": self = .conversion(nil)
        case "feed_post": self = .feedPost
        default:
            let prefix = "conversion:"
            guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
            self = .conversion(String(name.dropFirst(prefix.count)))
        }
    }

    /// Whether it is a touch, so that it has a channel, refs, a referer and a target.
    var isTouch: Bool {
        switch self {
        case .inboundLink, .touch, .linkClick, .tap: true
        case .install, .authentication, .conversion, .feedPost: false
        }
    }

    /// The types of the events that may be it.
    var types: Set<EventType> {
        switch self {
        case .inboundLink: [.inboundLink, .install]
        case .touch, .tap: [.inboundLink, .linkClick, .install]
        // A deferred one's time depends on installs.
        case .linkClick: [.linkClick, .install]
        case .install: [.install]
        case .authentication: [.authentication, .inboundLink, .install]
        case .conversion: [.conversion]
        case .feedPost: [.feedPost]
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
        }
    }
}
