/// How a story was published. Raw values are the spelling on the wire.
package enum Composer: String, CaseIterable, Sendable {
    case feedDialog = "feed_dialog"
    case shareDialog = "share_dialog"
    case openGraph = "open_graph"
    case stories
    case requestDialog = "request_dialog"
}
