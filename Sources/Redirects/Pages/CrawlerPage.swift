/// The page for link previews: Open Graph and App Links metadata (docs/redirects.md, *What previews read*).
package struct CrawlerPage: Sendable {
    struct Tag: Equatable, Sendable {
        var property: String
        var content: String
    }

    var title: String
    var description: String?
    /// The most important first: some readers stop after a few kilobytes.
    private(set) var tags: [Tag] = []
    /// Where a person goes who was taken for a crawler.
    var address: String?
    var linkText: String

    init(link: Link, app: LinkApp, addresses: Addresses) {
        title = link.preview.title ?? app.name
        description = link.preview.description
        address = link.targetURL.map(addresses.web)
        linkText = "Continue to \(app.name)"
        // Facebook files a link under this address. With the target's, stories would no longer point at the link.
        add("og:url", link.shortURL)
        add("og:type", link.preview.ogType ?? "website")
        add("og:title", title)
        let opensApp = addAppLinks(link, app)
        add("al:web:url", link.shortURL)
        // Without an app, nothing but a browser can open the link.
        add("al:web:should_fallback", link.fallback == .store && opensApp ? "false" : "true")
        add("fb:app_id", app.facebookID)
        add("og:image", link.preview.imageURL)
        add("twitter:card", link.preview.imageURL == nil ? "summary" : "summary_large_image")
        add("og:site_name", link.preview.siteName ?? app.name)
        add("og:description", link.preview.description)
    }

    private mutating func add(_ property: String, _ content: String?) {
        if let content { tags.append(Tag(property: property, content: content)) }
    }

    /// - Returns: whether there are any.
    private mutating func addAppLinks(_ link: Link, _ app: LinkApp) -> Bool {
        guard app.deepLinking, let url = link.appURL else { return false }
        let before = tags.count
        let (iPhone, iPad) = (app.iPhoneStoreID, app.iPadStoreID ?? app.iPhoneStoreID)
        if iPhone == iPad {
            addIOS("ios", url, iPhone, app)
        } else {
            addIOS("iphone", url, iPhone, app)
            addIOS("ipad", url, iPad, app)
        }
        if let package = app.androidPackage, package != "0" {
            add("al:android:url", url)
            add("al:android:package", package)
            add("al:android:app_name", app.name)
        }
        return tags.count > before
    }

    /// - Parameter id: `0` says that there is no app for this device.
    private mutating func addIOS(_ device: String, _ url: String, _ id: String?, _ app: LinkApp) {
        if id == "0" { return }
        add("al:\(device):url", url)
        add("al:\(device):app_store_id", id)
        add("al:\(device):app_name", app.name)
    }
}
