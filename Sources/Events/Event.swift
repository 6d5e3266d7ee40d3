package import InboundLinks

/// One event that passed every check of CONTRACT.md section 1: read, classified, redacted. It is stored as it is.
package struct Event: Equatable, Sendable {
    package var id: EventID
    package var occurredAt: Timestamp
    package var receivedAt: Timestamp
    package var userID: String?
    package var deviceID: String?
    package var clickID: String?
    package var platform: Platform?
    /// The text of a JSON object, redacted; nil where the sender gave none.
    package var properties: String?
    package var content: Content

    package enum Content: Equatable, Sendable {
        case inboundLink(Touch)
        case linkClick(Touch)
        case feedPost(FeedPost)
        /// A deferred link may come with the install itself; it is then a touch of its own.
        case install(limitAdTracking: Bool?, link: Touch?)
        case authentication
        case conversion(Conversion)
    }

    package var type: EventType {
        switch content {
        case .inboundLink: .inboundLink
        case .linkClick: .linkClick
        case .feedPost: .feedPost
        case .install: .install
        case .authentication: .authentication
        case .conversion: .conversion
        }
    }
}

package enum EventType: String, CaseIterable, Sendable {
    case inboundLink = "inbound_link"
    case feedPost = "feed_post"
    case linkClick = "link_click"
    case install
    case authentication
    case conversion
}

package enum Platform: String, CaseIterable, Sendable {
    case ios, android, web, desktop
}

/// A touch: the link as read, after the event's explicit values have won over what the URL says.
package struct Touch: Equatable, Sendable {
    package var link: InboundLink
    /// The post that the link came from, where the sender knows it.
    package var postID: String?
    /// The target as the story join compares it (DOMAIN.md section 3), where the link has no ref of its own.
    package var storyLink: String?
}

package struct FeedPost: Equatable, Sendable {
    package var outcome: PostOutcome
    package var postID: String?
    package var refs: [String] = []
    /// The URL that the story was posted with, redacted.
    package var link: String?
    /// `link` as the story join compares it (DOMAIN.md section 3).
    package var storyLink: String?
    package var composer: Composer?
    package var actionType: String?
    package var objectID: String?
    package var errorCode: Int64?
    package var errorMessage: String?
    /// The raw callback, redacted.
    package var redactedCallback: String?
}

package enum Composer: String, CaseIterable, Sendable {
    case feedDialog = "feed_dialog"
    case shareDialog = "share_dialog"
    case openGraph = "open_graph"
    case stories
    case requestDialog = "request_dialog"
}

package struct Conversion: Equatable, Sendable {
    package var name: String
    /// Units: `currency`. Both or none.
    package var value: DecimalValue?
    /// ISO 4217, upper case.
    package var currency: String?
}
