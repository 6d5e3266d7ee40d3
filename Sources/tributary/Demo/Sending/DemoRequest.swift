/// A request to the daemon, without its key and address.
struct DemoRequest: Sendable {
    enum Path: String, Sendable {
        case events = "/v1/events"
        case inboundLinks = "/v1/inbound-links"
        case feedPosts = "/v1/feed-posts"
    }

    enum Format: String, Sendable {
        case json = "application/json"
        case ndjson = "application/x-ndjson"
        case form = "application/x-www-form-urlencoded"
    }

    enum Body: Sendable {
        case fixed([UInt8])
        /// From a phone whose clock is `skew` milliseconds ahead. The body gets a `sent_at` of that clock.
        case clocked(events: String, skew: Int)
    }

    let path: Path
    let format: Format
    let body: Body
    var isCompressed = false
    let eventCount: Int
}
