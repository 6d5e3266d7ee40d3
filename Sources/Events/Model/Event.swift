package import Time

/// One event that passed every check of docs/events.md: read, classified, redacted. It is stored as it is.
package struct Event: Equatable, Sendable {
    package var id: EventID
    package var occurredAt: Timestamp
    package var receivedAt: Timestamp
    package var userID: String?
    package var deviceID: String?
    package var clickID: String?
    package var platform: Platform?
    package var appVersion: String?
    /// ISO 3166-1 alpha-2.
    package var country: String?
    /// BCP 47.
    package var language: String?
    /// The text of a JSON object, redacted; nil if the sender gave none.
    package var properties: String?
    package var sentBy: EventSender
    package var content: Content

    /// What happened, by the event's type (docs/events.md).
    ///
    /// Indirect, because events are passed on often and read seldom: an inline touch means copying 250 bytes and a
    /// dozen strings.
    package indirect enum Content: Equatable, Sendable {
        case inboundLink(Touch)
        case linkClick(Touch)
        case feedPost(FeedPost)
        case install(Install = Install())
        case authentication(Login = Login())
        case conversion(Conversion)
        case appOpen
    }

    package init(
        id: EventID,
        occurredAt: Timestamp,
        receivedAt: Timestamp,
        userID: String? = nil,
        deviceID: String? = nil,
        clickID: String? = nil,
        platform: Platform? = nil,
        appVersion: String? = nil,
        country: String? = nil,
        language: String? = nil,
        properties: String? = nil,
        sentBy: EventSender = .server,
        content: Content
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.receivedAt = receivedAt
        self.userID = userID
        self.deviceID = deviceID
        self.clickID = clickID
        self.platform = platform
        self.appVersion = appVersion
        self.country = country
        self.language = language
        self.properties = properties
        self.sentBy = sentBy
        self.content = content
    }

    package var type: EventType {
        switch content {
        case .inboundLink: .inboundLink
        case .linkClick: .linkClick
        case .feedPost: .feedPost
        case .install: .install
        case .authentication: .authentication
        case .conversion: .conversion
        case .appOpen: .appOpen
        }
    }

    /// The touch that the event is, or that came with it.
    package var touch: Touch? {
        switch content {
        case .inboundLink(let touch), .linkClick(let touch): touch
        case .install(let install): install.link
        case .feedPost, .authentication, .conversion, .appOpen: nil
        }
    }
}
