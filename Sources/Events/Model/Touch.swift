package import InboundLinks

/// A touch: the link as read. Values that the event states explicitly have replaced those of the URL.
package struct Touch: Equatable, Sendable {
    package var link: InboundLink
    /// The post that the link came from, if the sender knows it.
    package var postID: String?
    /// The target as the story join compares it (docs/links.md, *The story join*); nil if the link has a ref or no
    /// target.
    package var storyLink: String?
    /// The app's short link that the touch came through, as `host/slug`.
    package var shortLink: String?

    package init(link: InboundLink, postID: String? = nil, storyLink: String? = nil, shortLink: String? = nil) {
        self.link = link
        self.postID = postID
        self.storyLink = storyLink
        self.shortLink = shortLink
    }
}
