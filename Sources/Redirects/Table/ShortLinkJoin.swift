package import Events
import InboundLinks
import JSONReading
import Text

/// Tells which short link of an app a touch came through (docs/redirects.md, *How links join*).
package struct ShortLinkJoin: Sendable {
    private let links: LinkTable
    private let appID: String

    /// - Parameters:
    ///   - links: the live links of all apps, or of the app.
    ///   - appID: the app whose events are read. Links of other apps do not count.
    package init(_ links: LinkTable, appID: String) {
        self.links = links
        self.appID = appID
    }

    /// The event with its short link: of a click, the link that `properties` name; of an inbound link, the one that its
    /// target is; of a post, the one that it was made with.
    package func joined(_ event: Event) -> Event {
        guard links.count > 0 else { return event }
        var event = event
        switch event.content {
        case .linkClick(var touch):
            guard let link = link(clicked: event.properties) else { return event }
            touch.recordShortLink(link)
            event.content = .linkClick(touch)
        case .inboundLink(let touch):
            guard let touch = joined(touch) else { return event }
            event.content = .inboundLink(touch)
        case .install(var install):
            guard let touch = install.link.flatMap(joined) else { return event }
            install.link = touch
            event.content = .install(install)
        case .feedPost(var post):
            guard let url = post.link, let link = link(at: url) else { return event }
            post.storyLink = link.storyLink
            event.content = .feedPost(post)
        case .authentication, .conversion, .appOpen: break
        }
        return event
    }

    /// The link of a name, `host/slug`; nil if it is not there any more.
    package func link(named name: String) -> Link? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        return link(host: String(name[..<slash]), slug: String(name[name.index(after: slash)...]))
    }

    /// Nil if the target is no short link of the app.
    private func joined(_ touch: Touch) -> Touch? {
        guard let target = touch.link.targetURL, let link = link(at: target) else { return nil }
        var touch = touch
        touch.recordShortLink(link)
        return touch
    }

    /// - Parameter properties: the JSON object that clicks on short links have: `link`, `host` and `outcome`.
    private func link(clicked properties: String?) -> Link? {
        guard let properties, let document = try? JSONDocument(reading: properties.utf8),
            let slug = document.root["link"]?.string, let name = document.root["host"]?.string,
            let host = LinkHost.named(by: name)
        else { return nil }
        return link(host: host, slug: Slug.normalised(slug))
    }

    private func link(at address: String) -> Link? {
        guard let host = try? WebAddress(address, field: "").host, links.app(of: host)?.id == appID else { return nil }
        let bytes = address.utf8
        // The host follows `//`, and the path the host.
        var slashes = 0
        let start = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3
        }
        guard let start, let slug = RequestTarget(String(address[start...])).slug else { return nil }
        return links.link(host: host, askedAs: slug)
    }

    private func link(host: String, slug: String) -> Link? {
        links.app(of: host)?.id == appID ? links.link(host: host, slug: slug) : nil
    }
}

extension Touch {
    /// Notes the short link that the touch came through. Without refs of its own, the touch takes the link's. If there
    /// are none either, it takes those of the story that was posted with the link.
    package mutating func recordShortLink(_ link: Link) {
        shortLink = link.name
        // A click states the link's refs itself.
        let isStated = self.link.stated.contains(.refs) && self.link.refs == link.refs
        if !link.refs.isEmpty, self.link.refs.isEmpty || isStated {
            self.link.refs = link.refs
            self.link.stated.insert(.shortLinkRefs)
        }
        storyLink = self.link.refs.isEmpty ? link.storyLink : nil
    }
}

extension Link {
    /// The link as the story join compares it, however it was spelled (docs/links.md, *The story join*).
    package var storyLink: String { StoryLink.normalised(shortURL) }

    /// What reports call the link: `host/slug`.
    package var name: String { "\(host)/\(slug)" }
}
