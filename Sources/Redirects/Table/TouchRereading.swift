package import Events
package import InboundLinks
import JSONReading

/// Reads touches again, by other rules than when they arrived (docs/rules.md).
package struct TouchRereading: Sendable {
    package let rules: ReadingRules
    private let links: ShortLinkJoin

    /// - Parameters:
    ///   - rules: those that the app adds.
    ///   - links: the short links of the app.
    package init(rules: ReadingRules, links: ShortLinkJoin) {
        self.rules = rules
        self.links = links
    }

    /// The event with its touch, if it has one, as the rules read it.
    package func read(_ event: Event) -> Event {
        var event = event
        switch event.content {
        case .inboundLink(let touch): event.content = .inboundLink(read(touch))
        case .linkClick(let touch): event.content = .linkClick(read(touch))
        case .install(var install):
            guard let touch = install.link else { return event }
            install.link = read(touch)
            event.content = .install(install)
        case .feedPost, .authentication, .conversion, .appOpen: break
        }
        return event
    }

    /// The touch as the rules read it. What the event stated itself stays, and the short link that it came through.
    package func read(_ touch: Touch) -> Touch {
        guard var link = LinkRereading.read(touch.link, by: rules), !link.containsNul else { return touch }
        var story: String?
        if let name = touch.shortLink {
            let shortLink = links.link(named: name)
            // Rules gave it refs that they do not give it any more. Without them it would have had the link's.
            if link.refs.isEmpty, !touch.link.refs.isEmpty, let refs = shortLink?.refs, !refs.isEmpty {
                link.refs = refs
                link.stated.insert(.shortLinkRefs)
            }
            story = touch.storyLink ?? shortLink?.storyLink ?? StoryLink.normalised("https://\(name)")
        } else {
            story = link.targetURL.map { StoryLink.normalised($0) }
        }
        var read = touch
        read.link = link
        read.storyLink = link.refs.isEmpty ? story : nil
        return read
    }
}
