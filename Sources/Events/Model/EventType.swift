/// The seven kinds of events. Raw values are the spelling on the wire.
package enum EventType: String, CaseIterable, Sendable {
    case inboundLink = "inbound_link"
    case feedPost = "feed_post"
    case linkClick = "link_click"
    case install
    case authentication
    case conversion
    case appOpen = "app_open"

    /// The types that are touches.
    static let touches: [EventType] = [.inboundLink, .linkClick]
}
