package import InboundLinks
package import Time

extension Touch {
    /// A touch of a link that was read. Its story link is its target, if it has no ref.
    package init(reading link: InboundLink, postID: String? = nil) {
        self.init(
            link: link,
            postID: postID,
            storyLink: link.refs.isEmpty ? link.targetURL.map { StoryLink.normalised($0) } : nil
        )
    }

    /// The touch of somebody who asked for a URL. Whatever he sent, it is one: what cannot be read or kept is left out.
    ///
    /// - Parameters:
    ///   - url: as it was asked for. Its secrets are redacted.
    ///   - stated: what is known better than `url` says it.
    ///   - time: of the request.
    package init(visitOf url: String, stated: LinkOverrides, at time: Timestamp) {
        guard url.utf8.count <= EventLimits.url,
            case .inboundLink(var link) = LinkReader.read(url, overriding: stated), !link.containsNul
        else {
            self.init(reading: LinkReader.read(stated))
            return
        }
        if let clickedAt = link.clickedAt, clickedAt > time || clickedAt.microseconds < 0 { link.clickedAt = nil }
        self.init(reading: link)
    }
}
