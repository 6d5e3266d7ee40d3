/// Where a touch came from (docs/links.md, *Channels*).
public enum TributaryChannel: String, Sendable, Encodable {
    case search
    case bookmarks
    case requests
    case storyAttribution = "story_attribution"
    case storyLinks = "story_links"
    case other
    case unattributed
}
