/// An event of the demo's app.
struct DemoEvent: Sendable {
    enum Kind: String, Sendable {
        case inboundLink = "inbound_link"
        case feedPost = "feed_post"
        case linkClick = "link_click"
        case install, authentication, conversion
        case appOpen = "app_open"
    }

    var kind: Kind
    /// Milliseconds from the start of the day.
    var moment: Int
    /// The number of the person.
    var person: Int
    /// All fields except `type` and `occurred_at`.
    var fields: [String: DemoValue]

    /// The JSON object of the event.
    ///
    /// - Parameters:
    ///   - namingKind: whether it has a `type`.
    ///   - skew: how far the sender's clock is ahead, in milliseconds.
    func members(of day: DemoDay, namingKind: Bool, skew: Int = 0) -> [String: DemoValue] {
        var members = fields
        members["occurred_at"] = .text(day.text(at: moment + skew))
        if namingKind { members["type"] = .text(kind.rawValue) }
        return members
    }
}
