/// Chooses where a visitor goes (docs/redirects.md, *Where it leads*).
struct Route {
    let link: Link
    let app: LinkApp
    let addresses: Addresses

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
        Redirect(.crawlerPage, reason, page: .crawler(CrawlerPage(link: link, app: app, addresses: addresses)))
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
        let page = IPadCheckPage(
            web: link.targetURL.map(addresses.web),
            onIPad: phone(.iPad, nil),
            appName: app.name
        )
        return Redirect(.iPadCheckPage, .macOrIPad, page: .iPadCheck(page))
    }

    private func interstitial(_ device: Device, _ store: Store?, _ reason: Reason) -> Redirect {
        let page = InterstitialPage(link: link, app: app, device: device, store: store, addresses: addresses)
        return Redirect(.openAppInterstitial, reason, page: .interstitial(page))
    }

    private func toStore(_ store: Store, _ reason: Reason) -> Redirect {
        Redirect(store.outcome, reason, location: addresses.store(store))
    }

    private func mobilePage(_ reason: Reason) -> Redirect {
        guard let url = link.mobilePage else { return notAvailable }
        return Redirect(.webMobile, reason, location: addresses.web(url))
    }

    private func desktopPage(_ reason: Reason) -> Redirect {
        guard let url = link.targetURL else { return notAvailable }
        return Redirect(.webDesktop, reason, location: addresses.web(url))
    }

    private var notAvailable: Redirect {
        Redirect(.notAvailable, .nowhereToGo, page: .notice(.notAvailable, appName: app.name))
    }
}
