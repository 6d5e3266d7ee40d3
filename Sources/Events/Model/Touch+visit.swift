package import InboundLinks

extension Touch {
    /// A touch of a link that was read. Its story link is its target, if it has no ref. If it has one, and no post is
    /// stated, the first of its action ids is the post: the Graph API answers an Open Graph action with its id.
    package init(reading read: InboundLink, postID: String? = nil) {
        var link = read
        link.clickID = nil
        link.refsWithoutRules = nil
        self.init(
            link: link,
            postID: postID ?? Self.actionID(of: read),
            storyLink: link.refs.isEmpty ? link.targetURL.map { StoryLink.normalised($0) } : nil
        )
    }

    private static func actionID(of link: InboundLink) -> String? {
        // Without a ref, the touch takes those of its story link, which a post's id would replace.
        let refs = link.refsWithoutRules ?? link.refs
        guard !refs.isEmpty, let id = link.actionIDs.first, id.utf8.count <= EventLimits.id, id != "0" else {
            return nil
        }
        // Facebook's ids are numbers, in posts two of them.
        let isID = id.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
        return isID ? id : nil
    }

    /// The touch of somebody who asked for a URL. Whatever they sent, it is one: what cannot be read or kept is left
    /// out.
    ///
    /// - Parameters:
    ///   - url: as it was asked for. Its secrets are redacted.
    ///   - stated: what is known better than `url` says it.
    ///   - rules: those that the app adds.
    package init(visitOf url: String, stated: LinkOverrides, rules: ReadingRules) {
        guard url.utf8.count <= EventLimits.url,
            case .inboundLink(let link) = LinkReader.readStorable(url, overriding: stated, rules: rules)
        else {
            self.init(reading: LinkReader.readStorable(stated, rules: rules))
            return
        }
        self.init(reading: link)
    }
}
