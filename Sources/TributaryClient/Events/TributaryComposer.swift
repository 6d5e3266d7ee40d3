/// How a story was posted.
public enum TributaryComposer: String, Sendable, Encodable {
    case feedDialog = "feed_dialog"
    case shareDialog = "share_dialog"
    case openGraph = "open_graph"
    case stories
    case requestDialog = "request_dialog"
}
