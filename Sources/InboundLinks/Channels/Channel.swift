/// Where a touch came from (docs/links.md, *Channels*). The order of the cases is the order of report rows.
package enum Channel: String, CaseIterable, Sendable {
    case search
    case bookmarks
    case requests
    case storyAttribution = "story_attribution"
    case storyLinks = "story_links"
    /// Known to come from none of the five channels above.
    case other
    /// No target and no marker.
    case unattributed
}
