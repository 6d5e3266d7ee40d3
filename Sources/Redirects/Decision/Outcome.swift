/// What a visitor gets (docs/redirects.md, *Where it leads*). Raw values are stored and printed.
package enum Outcome: String, CaseIterable, Sendable {
    case storeIPhone = "store_iphone"
    case storeIPad = "store_ipad"
    case storeAndroid = "store_android"
    case webMobile = "web_mobile"
    case webDesktop = "web_desktop"
    case openAppInterstitial = "open_app_interstitial"
    case getAppPage = "get_app_page"
    case iPadCheckPage = "ipad_check_page"
    case crawlerPage = "crawler_page"
    case notAvailable = "not_available"
    case expired
    case notFound = "not_found"
    case prefetchRefused = "prefetch_refused"
    case methodNotAllowed = "method_not_allowed"
}

extension Store {
    var outcome: Outcome {
        switch self {
        case .iPhone: .storeIPhone
        case .iPad: .storeIPad
        case .android: .storeAndroid
        }
    }
}

/// Why a visitor gets it. Raw values are printed by `tributary link try`.
package enum Reason: String, CaseIterable, Sendable {
    /// The app may be there, and its system does not open it for this host.
    case appMayBeInstalled = "app_may_be_installed"
    /// A browser inside of an app: the app may be there, and that browser does not open it.
    case inAppBrowser = "in_app_browser"
    /// The system would have opened the app before it asked for the link, or the link has no place in the app.
    case appNotInstalled = "app_not_installed"
    case fallbackWeb = "fallback_web"
    /// The app is in no store for this device.
    case noStore = "no_store"
    /// There is no web page, so the store is left.
    case noWebPage = "no_web_page"
    case deepLinkingOff = "deep_linking_off"
    /// A phone without the App Store and Google Play.
    case otherPhone = "other_phone"
    case desktop
    case macOrIPad = "mac_or_ipad"
    case previewer
    case bot
    /// Neither a web page nor a store for this device.
    case nowhereToGo = "nowhere_to_go"
    case disabled
    case pastExpiry = "past_expiry"
    case unknownSlug = "unknown_slug"
    case prefetch
    case method
}

/// How a request is counted. Only clicks are events; the others are figures of the link.
package enum Hit: String, CaseIterable, Sendable {
    case click
    case preview, bot, head, prefetch
    /// The link was loaded as an image, in a frame or by a script.
    case embed
    /// Nothing is counted: there is no such link any more.
    case none

    init(_ visitor: Visitor, _ asker: Asker) {
        switch asker {
        case .prefetch: self = .prefetch
        case .previewer: self = .preview
        case .bot: self = .bot
        case .person:
            self = visitor.method == .head ? .head : visitor.isNavigation ? .click : .embed
        }
    }
}
