/// Chooses where a visitor goes (docs/redirects.md, *Where it leads*).
struct Route {
    let link: Link
    let app: LinkApp
    let addresses: Addresses
    let theme: PageTheme
    /// Whether the visitor may take the click's id along.
    let mayCarry: Bool

    func person(_ device: Device, _ browser: InAppBrowser?) -> Redirect {
        switch device {
        case .iPhone, .iPad, .android: phone(device, browser)
        case .otherPhone: mobilePage(.otherPhone)
        case .macSafari: macSafari()
        case .desktop: desktopPage(.desktop)
        }
    }

    func bot() -> Redirect {
        link.targetURL == nil ? crawlerPage(.bot) : desktopPage(.bot)
    }

    func crawlerPage(_ reason: Reason) -> Redirect {
        let page = CrawlerPage(link: link, app: app, addresses: addresses, theme: theme)
        return Redirect(.crawlerPage, reason, theme, page: .crawler(page))
    }

    /// The first that applies.
    private func phone(_ device: Device, _ browser: InAppBrowser?) -> Redirect {
        guard app.deepLinking else { return mobilePage(.deepLinkingOff) }
        let store = app.store(for: device)
        let isAssociated = device.system.map { app.isAssociated(on: $0) } ?? false
        if link.appURL != nil, browser != nil || !isAssociated {
            return interstitial(device, store, browser == nil ? .appMayBeInstalled : .inAppBrowser)
        }
        if link.fallback == .store, let store {
            // The store's page offers to open the app, if it is there.
            if browser != nil { return interstitial(device, store, .inAppBrowser) }
            return toStore(store, .appNotInstalled)
        }
        if link.mobilePage != nil { return mobilePage(link.fallback == .web ? .fallbackWeb : .noStore) }
        if let store { return toStore(store, .noWebPage) }
        return notAvailable
    }

    /// An iPad says that it is a Mac. Only a script can tell them apart, and it is worth a page only if the iPad would
    /// go elsewhere.
    private func macSafari() -> Redirect {
        guard app.deepLinking, app.store(for: .iPad) != nil, link.fallback == .store || link.appURL != nil else {
            return desktopPage(.desktop)
        }
        let onIPad = phone(.iPad, nil)
        let page = IPadCheckPage(web: link.targetURL.map(addresses.web), onIPad: onIPad)
        return Redirect(.iPadCheckPage, .macOrIPad, theme, page: .iPadCheck(page), carry: onIPad.carry)
    }

    private func interstitial(_ device: Device, _ store: Store?, _ reason: Reason) -> Redirect {
        let page = InterstitialPage(
            link: link,
            app: app,
            device: device,
            store: store,
            addresses: addresses,
            theme: theme
        )
        return withButtons(.openAppInterstitial, reason, page, to: store)
    }

    private func withButtons(
        _ outcome: Outcome,
        _ reason: Reason,
        _ page: InterstitialPage,
        to store: Store?
    ) -> Redirect {
        Redirect(outcome, reason, theme, page: .interstitial(page), carry: CarriedClick(to: store, of: app, addresses))
    }

    private func toStore(_ store: Store, _ reason: Reason) -> Redirect {
        guard mayCarry, app.iosCarry != .off, store.isApples else {
            return Redirect(store.outcome, reason, theme, location: addresses.store(store))
        }
        let page = InterstitialPage(link: link, app: app, getting: store, addresses: addresses, theme: theme)
        return withButtons(.getAppPage, reason, page, to: store)
    }

    private func mobilePage(_ reason: Reason) -> Redirect {
        guard let url = link.mobilePage else { return notAvailable }
        return Redirect(.webMobile, reason, theme, location: addresses.web(url))
    }

    private func desktopPage(_ reason: Reason) -> Redirect {
        guard let url = link.targetURL else { return notAvailable }
        return Redirect(.webDesktop, reason, theme, location: addresses.web(url))
    }

    private var notAvailable: Redirect {
        Redirect(.notAvailable, .nowhereToGo, theme, page: .notice(.notAvailable))
    }
}
