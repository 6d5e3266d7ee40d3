package import InboundLinks
import Text
package import Time

/// A short link of an app: where its visitors go, and what previews of it show (docs/redirects.md, *A link*).
package struct Link: Equatable, Sendable {
    /// Where a phone without the app goes.
    package enum Fallback: String, CaseIterable, Sendable {
        case store, web
    }

    /// In lower case, without a port.
    package var host: String
    /// Normalised (``Slug``).
    package var slug: String
    /// The page that the link stands for; nil for an app without a website.
    package var targetURL: String?
    /// The mobile site; nil if it is ``targetURL``.
    package var mobileURL: String?
    /// The place in the app.
    package var appURL: String?
    package var fallback = Fallback.store
    package var refs: [String] = []
    package var channel: Channel?
    package var preview = Preview()
    /// Whether the visitor's query parameters are passed on to the web page.
    package var forwardQuery = true
    /// Whether the web page gets the click's id.
    package var appendClickID = false
    /// `ct` of the App Store and `utm_campaign` of Google Play; nil if it is made from the slug.
    package var campaign: String?
    package var expiresAt: Timestamp?
    /// Where visitors of an expired link go, in place of a page.
    package var expiredURL: String?
    package var disabled = false
    /// A remark of its owner.
    package var note: String?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?

    package init(host: String, slug: String) {
        self.host = host
        self.slug = slug
    }

    /// What link previews show.
    package struct Preview: Equatable, Sendable {
        /// Nil if it is the app's name.
        package var title: String?
        package var description: String?
        package var imageURL: String?
        package var siteName: String?
        package var ogType: String?

        package init() {}
    }

    /// `ct` and `utm_campaign`. Apple allows 30 characters.
    package var effectiveCampaign: String { campaign ?? String(slug.prefix(LinkLimits.campaign)) }

    /// The page for phones.
    package var mobilePage: String? { mobileURL ?? targetURL }

    /// The link's URL. Characters outside of ASCII are percent-encoded.
    package var shortURL: String { "https://\(host)/\(PercentEncoding.encoded(slug))" }

    /// Whether nobody is sent on any more.
    ///
    /// - Parameter now: nil if nobody knows the time. Then no link ends by it.
    package func isExpired(at now: Timestamp?) -> Bool {
        guard !disabled, let now, let expiresAt else { return disabled }
        return now >= expiresAt
    }
}
