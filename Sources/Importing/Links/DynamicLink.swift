import Redirects
import Text

/// A long link of Firebase Dynamic Links: `https://example.page.link/?link=…&apn=…`.
struct DynamicLink {
    private var parameters: [String: String] = [:]

    private static let marks: Set = [
        "apn", "amv", "afl", "ibi", "isi", "ius", "ifl", "ipfl", "ipbi", "imv", "ofl", "efr", "st", "sd", "si",
    ]
    private static let hosts = [".page.link", ".app.goo.gl"]

    /// Nil for a URL that is no such link: it needs `link`, and another parameter of its kind, Firebase's host, or a
    /// host of the app's links, on which no page is.
    init?(_ url: String, hosts own: [String]) {
        guard let question = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let host = url[..<question].split(separator: "/").dropFirst().first ?? ""
        let query = url[url.utf8.index(after: question)...].prefix { $0 != "#" }
        for pair in query.split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            let bytes = Array(pair[equals...].dropFirst().utf8)
            let name = String(pair[..<equals])
            guard let value = PercentDecoding.text(bytes, bytes.indices, plusIsSpace: true), !value.isEmpty,
                parameters[name] == nil
            else { continue }
            parameters[name] = value
        }
        let isMarked =
            !Self.marks.isDisjoint(with: parameters.keys) || Self.hosts.contains { host.hasSuffix($0) }
            || LinkHost.named(by: String(host)).map(own.contains) ?? false
        guard parameters["link"] != nil, isMarked else { return nil }
    }

    /// Sets the fields that the parameters stand for (docs/redirects.md, *Moving links*).
    func fill(_ link: inout Link) throws(LinkFault) {
        let deepLink = parameters["link"]
        let isPage = deepLink.map { $0.lowercased().hasPrefix("http") } ?? false
        link.targetURL = page("ofl") ?? (isPage ? deepLink : nil)
        if link.targetURL != deepLink { link.appURL = deepLink }
        // A store is where phones go without these, too.
        if let phones = page("ifl") ?? page("afl") ?? page("ipfl") {
            link.fallback = .web
            if phones != link.targetURL { link.mobileURL = phones }
        }
        link.preview.title = parameters["st"].map { ForeignLink.cut($0, to: LinkLimits.name) }
        link.preview.description = parameters["sd"].map { ForeignLink.cut($0, to: LinkLimits.description) }
        link.preview.imageURL = parameters["si"]
        link.campaign = (parameters["ct"] ?? parameters["utm_campaign"]).map { String($0.prefix(LinkLimits.campaign)) }
        if let source = parameters["utm_source"] { link.refs = [source.replacing(",", with: " ")] }
        let others = ["utm_medium", "utm_term", "utm_content"].compactMap { name in
            parameters[name].map { "\(name)=\($0)" }
        }
        if !others.isEmpty { link.note = others.joined(separator: " ") }
    }

    /// A page to go to; nil for an entry in a store.
    private func page(_ name: String) -> String? {
        guard let url = parameters[name] else { return nil }
        let stores = ["://apps.apple.com/", "://itunes.apple.com/", "://play.google.com/store/"]
        return stores.contains(where: url.contains) ? nil : url
    }

    /// The settings of its app that an app does not have.
    func settings(differentFrom app: LinkApp) -> [LinkAppSetting] {
        let own: [(String, String, [String?])] = [
            ("iphone-store-id", "isi", [app.iPhoneStoreID]), ("android-package", "apn", [app.androidPackage]),
            ("bundle-id", "ibi", app.bundleIDs), ("apple-provider-token", "pt", [app.appleProviderToken]),
        ]
        return own.compactMap { option, parameter, values in
            guard let value = parameters[parameter], !values.contains(value) else { return nil }
            return LinkAppSetting(option: option, value: value)
        }
    }
}
