/// A page in place of a redirect. ``PageWriter`` writes it.
package enum Page: Sendable {
    /// A page that says why there is nothing to see, and names the app.
    package enum Notice: Sendable {
        case notAvailable, expired, notFound
    }

    case interstitial(InterstitialPage)
    case iPadCheck(IPadCheckPage)
    case crawler(CrawlerPage)
    case notice(Notice)
}
