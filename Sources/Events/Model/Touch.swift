package import InboundLinks

/// A touch: the link as read, after the event's explicit values have won over what the URL says.
package struct Touch: Equatable, Sendable {
    package var link: InboundLink
    /// The post that the link came from, where the sender knows it.
    package var postID: String?
    /// The target as the story join compares it (docs/links.md, *The story join*), where the link has no ref of its own.
    package var storyLink: String?

    package init(link: InboundLink, postID: String? = nil, storyLink: String? = nil) {
        self.link = link
        self.postID = postID
        self.storyLink = storyLink
    }
}
