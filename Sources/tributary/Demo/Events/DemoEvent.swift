/// An event as the backend of the demo's app writes it down.
struct DemoEvent: Sendable {
    enum Kind: String, Sendable {
        case inboundLink = "inbound_link"
        case feedPost = "feed_post"
        case linkClick = "link_click"
        case install, authentication, conversion
    }

    var kind: Kind
    /// Milliseconds from the start of the day.
    var moment: Int
    /// Who did it: people are numbered.
    var person: Int
    /// All but `type` and `occurred_at`.
    var fields: [String: DemoValue]

    /// - Parameter skew: how far the sender's clock is ahead, in milliseconds.
    func members(of day: DemoDay, namingKind: Bool, skew: Int = 0) -> [String: DemoValue] {
        var members = fields
        members["occurred_at"] = .text(day.text(at: moment + skew))
        if namingKind { members["type"] = .text(kind.rawValue) }
        return members
    }
}
