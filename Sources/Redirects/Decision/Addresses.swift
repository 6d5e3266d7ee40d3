import Text

/// The addresses that a visitor may be sent to. They are the link's own and the stores': what the visitor sends becomes
/// at most a query parameter of the web page.
struct Addresses: Sendable {
    let link: Link
    let app: LinkApp
    /// The visitor's, as it came.
    let query: String?
    /// Nil if it goes to nobody.
    let clickID: String?

    func store(_ store: Store) -> String {
        switch store {
        case .iPhone(let id), .iPad(let id):
            let url = "https://apps.apple.com/app/id\(id)"
            guard let token = app.appleProviderToken else { return url }
            return url + "?pt=\(token)&ct=\(PercentEncoding.encoded(link.effectiveCampaign))&mt=8"
        case .android(let package):
            return "https://play.google.com/store/apps/details?id=\(package)&referrer=" + playReferrer
        }
    }

    /// Google Play gives this text to the app after the install. It is a query inside of a query.
    private var playReferrer: String {
        let source = PercentEncoding.encoded(link.refs.first ?? "tributary")
        let campaign = PercentEncoding.encoded(link.effectiveCampaign)
        let parameters = "utm_source=\(source)&utm_medium=link&utm_campaign=\(campaign)"
        let id = clickID.map { "click_id%3D\($0)%26" } ?? ""
        return id + PercentEncoding.encoded(parameters)
    }

    func web(_ url: String) -> String {
        var parameters = QueryAddition()
        if link.forwardQuery, let query {
            for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
                // It may be another visitor's: the link was passed on.
                if QueryAddition.key(of: pair) == "click_id" { continue }
                parameters.add(pair)
            }
        }
        if link.appendClickID, let clickID { parameters.add("click_id=\(clickID)".utf8[...]) }
        return PercentEncoding.headerSafe(parameters.appended(to: url))
    }

    /// The short link that the visitor carries to the app; nil if the click's id goes to nobody.
    var carried: String? { clickID.map { "\(link.shortURL)?click_id=\($0)" } }

    /// The place in the app.
    func app(_ url: String) -> String { Self.app(url, clickID: clickID) }

    fileprivate static func app(_ url: String, clickID: String?) -> String {
        var parameters = QueryAddition()
        if let clickID { parameters.add("click_id=\(clickID)".utf8[...]) }
        return parameters.appended(to: url)
    }

    /// The place in the app for browsers of Android: it opens the app, or else the store or the web page.
    func intent(_ url: String, store: Store?) -> String {
        let place = app(url)
        guard let (scheme, rest) = AppAddress.parts(place), scheme != "intent" else { return place }
        var intent = "intent:\(rest)#Intent;scheme=\(scheme);"
        if case .android(let package)? = store { intent += "package=\(package);" }
        let toStore = store.map { self.store($0) }
        let toWeb = link.mobilePage.map { web($0) }
        if let fallback = link.fallback == .store ? toStore ?? toWeb : toWeb ?? toStore {
            intent += "S.browser_fallback_url=\(PercentEncoding.encoded(fallback));"
        }
        return intent + "end"
    }
}

extension Link {
    /// The place in the app for the visitor of a click, with the click's id.
    package func appURL(ofClick clickID: String) -> String? {
        appURL.map { Addresses.app($0, clickID: clickID) }
    }
}

extension PercentEncoding {
    /// The text as a header or an attribute may hold it: blanks, control characters and bytes outside of ASCII are
    /// encoded. Everything else stays as it is.
    static func headerSafe(_ text: String) -> String { encoded(text) { 0x21...0x7E ~= $0 } }
}
