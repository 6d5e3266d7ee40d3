package import Events
import Text
package import Time

/// The answer to a visitor: where they go or which page they get, and how they are counted.
package struct Redirect: Sendable {
    package var outcome: Outcome
    package var reason: Reason
    package var hit: Hit
    /// Nil for bots, and where nobody was looked at.
    package var device: Device?
    /// Where a redirect leads. Never anything but an address of the link, or a store.
    package var location: String?
    package var page: Page?
    /// What the visitor takes along from ``page`` to the app.
    package var carry: CarriedClick
    /// The words and the looks of ``page``.
    package var theme: PageTheme
    /// The app whose browser it is.
    package var refererApp: String?
    /// The site that the person came from: scheme and host only.
    package var refererURL: String?
    /// The click's id, if it was given to anybody: a store, a page or an app.
    package var sharedClickID: String?

    package var isCounted: Bool { hit == .click }

    package var platform: Platform? { device?.platform }

    package var status: Int {
        if location != nil { return 302 }
        switch outcome {
        case .expired: return 410
        case .notFound: return 404
        case .prefetchRefused: return 503
        case .methodNotAllowed: return 405
        default: return 200
        }
    }

    init(
        _ outcome: Outcome,
        _ reason: Reason,
        _ theme: PageTheme,
        hit: Hit = .none,
        location: String? = nil,
        page: Page? = nil,
        carry: CarriedClick = CarriedClick()
    ) {
        self.outcome = outcome
        self.reason = reason
        self.hit = hit
        self.location = location
        self.page = page
        self.carry = carry
        self.theme = theme
    }

    /// The page as HTML; nil for a redirect and an empty answer.
    ///
    /// - Parameter nonce: of this answer, as its ``LinkHeaders`` have it.
    package func html(nonce: String) -> String? {
        page.map { PageWriter(theme: theme, carry: carry, nonce: nonce).html($0) }
    }

    /// The same answer without a code, for a click that is not in the database yet.
    package var withoutCode: Redirect {
        var redirect = self
        redirect.carry.code = nil
        return redirect
    }

    /// The answer at a path that no link has.
    ///
    /// - Parameter app: the app whose host it is.
    package static func notFound(_ visitor: Visitor, app: LinkApp) -> Redirect {
        let theme = PageTheme(app, accepted: visitor.headers.acceptedLanguages)
        if visitor.method == .other { return Redirect(.methodNotAllowed, .method, theme) }
        return Redirect(.notFound, .unknownSlug, theme, page: .notice(.notFound))
    }

    /// The answer at a link.
    ///
    /// - Parameters:
    ///   - clickID: the id of this click, if it counts. Letters, digits and `-`.
    ///   - now: nil if the clock is not trusted.
    package static func decide(
        _ visitor: Visitor,
        link: Link,
        app: LinkApp,
        clickID: String,
        now: Timestamp?
    ) -> Redirect {
        let theme = PageTheme(app, accepted: visitor.headers.acceptedLanguages)
        if visitor.method == .other { return Redirect(.methodNotAllowed, .method, theme) }
        if link.isExpired(at: now) {
            let reason: Reason = link.disabled ? .disabled : .pastExpiry
            guard let url = link.expiredURL else {
                return Redirect(.expired, reason, theme, page: .notice(.expired))
            }
            return Redirect(.expired, reason, theme, location: PercentEncoding.headerSafe(url))
        }
        let asker = Asker(visitor)
        let hit = Hit(visitor, asker)
        let sharedID = hit == .click && !visitor.headers.wantsPrivacy ? clickID : nil
        let route = Route(
            link: link,
            app: app,
            addresses: Addresses(link: link, app: app, query: visitor.target.query, clickID: sharedID),
            theme: theme,
            mayCarry: !visitor.headers.wantsPrivacy
        )
        var redirect: Redirect
        switch asker {
        case .prefetch: redirect = Redirect(.prefetchRefused, .prefetch, theme)
        case .previewer: redirect = route.crawlerPage(.previewer)
        case .bot: redirect = route.bot()
        case .person(let device, let browser): redirect = route.person(device, browser)
        }
        redirect.hit = hit
        redirect.device = asker.device
        redirect.refererApp = asker.inAppBrowser?.name
        redirect.sharedClickID = sharedID
        if !visitor.headers.wantsPrivacy { redirect.refererURL = visitor.headers.referer.flatMap(RefererOrigin.of) }
        return redirect
    }
}
