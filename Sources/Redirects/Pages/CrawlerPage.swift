/// The page for link previews: Open Graph and App Links metadata (docs/redirects.md, *What previews read*).
package struct CrawlerPage: Sendable {
    /// A line of metadata.
    package struct Tag: Equatable, Sendable {
        package var property: String
        package var content: String

        init(_ property: String, _ content: String) {
            self.property = property
            self.content = content
        }
    }

    package var title: String
    package var description: String?
    /// The most important first: some readers stop after a few kilobytes. The tags of a group say something only
    /// together.
    private(set) var groups: [[Tag]] = []
    /// Where a person goes who was taken for a crawler.
    var address: String?
    var linkText: PageText
    var language: String

    /// The metadata that the page's HTML has: those tags that fit into its head.
    package var tags: [Tag] { CrawlerPageHead(self).tags }

    init(link: Link, app: LinkApp, addresses: Addresses, theme: PageTheme) {
        title = link.preview.title ?? app.name
        description = link.preview.description
        address = link.targetURL.map(addresses.web)
        linkText = theme.text(.continue)
        language = theme.language
        // Facebook files a link under this address. With the target's, stories would no longer point at the link.
        add("og:url", link.shortURL)
        add("og:type", link.preview.ogType ?? "website")
        add("og:title", title)
        var apps = Self.apps(of: app, for: link)
        // Without an app, nothing but a browser can open the link.
        let fallback = Tag("al:web:should_fallback", apps.isEmpty || link.fallback == .web ? "true" : "false")
        if !apps.isEmpty { apps[0].append(fallback) } else { apps = [[fallback]] }
        groups += apps
        add("al:web:url", link.shortURL)
        add("fb:app_id", app.facebookID)
        if let image = link.preview.imageURL {
            groups.append([Tag("og:image", image), Tag("twitter:card", "summary_large_image")])
        } else {
            add("twitter:card", "summary")
        }
        add("og:site_name", link.preview.siteName ?? app.name)
        add("og:description", link.preview.description)
    }

    private mutating func add(_ property: String, _ content: String?) {
        if let content { groups.append([Tag(property, content)]) }
    }

    /// The tags of each app that can open the link, by device.
    private static func apps(of app: LinkApp, for link: Link) -> [[Tag]] {
        guard app.deepLinking, let url = link.appURL else { return [] }
        let (iPhone, iPad) = (app.iPhoneStoreID, app.iPadStoreID ?? app.iPhoneStoreID)
        let stores = iPhone == iPad ? [("ios", iPhone)] : [("iphone", iPhone), ("ipad", iPad)]
        // An id of `0` says that there is no app for this device.
        var apps = stores.filter { $0.1 != "0" }.map { device, id in
            var tags = [Tag("al:\(device):url", url), Tag("al:\(device):app_name", app.name)]
            if let id { tags.append(Tag("al:\(device):app_store_id", id)) }
            return tags
        }
        if let package = app.androidPackage, package != "0" {
            apps.append([
                Tag("al:android:url", url), Tag("al:android:package", package), Tag("al:android:app_name", app.name),
            ])
        }
        return apps
    }
}
