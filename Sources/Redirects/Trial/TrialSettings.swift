package import JSONReading
import Text

/// The settings of a trial's link and app. Those that are not given have defaults, so that a trial needs no database
/// (docs/redirects.md, *Trying a link*).
package struct TrialSettings: Sendable {
    private var link = Link(host: "links.example.com", slug: "abc")
    private var app = LinkApp(id: "example", name: "Example")

    package init() {
        link.targetURL = "https://www.example.com/item/42"
        link.mobileURL = "https://m.example.com/item/42"
        app.iPhoneStoreID = "111111111"
        app.iPadStoreID = "222222222"
        app.androidPackage = "com.example.app"
    }

    /// A stored link and its app.
    package init(link: Link, app: LinkApp) {
        self.link = link
        self.app = app
    }

    /// Slashes and the slug.
    package var path: String { "/" + PercentEncoding.encoded(link.slug) }

    /// - Parameter json: an object with fields of a link and settings of its app.
    package mutating func read(_ json: JSONNode) throws(LinkFault) {
        guard json.kind == .object else {
            throw LinkFault(.invalidType, "settings", "settings must be an object")
        }
        var seen: Set<String> = []
        for (name, value) in json.members {
            guard seen.insert(name).inserted else {
                throw LinkFault(.duplicateField, name, "\(name) is there twice")
            }
            if try link.set(name, to: value) { continue }
            guard try setApp(name, to: value) else { throw Self.unknown(name) }
        }
    }

    private static let appNames = [
        "app", "app_name", "deep_linking", "iphone_store_id", "ipad_store_id", "android_package", "android_cert",
        "apple_team_id", "bundle_id", "associated", "provider_token", "ios_carry", "page_words", "page_color",
        "page_logo",
    ]

    private static func unknown(_ name: String) -> LinkFault {
        let hint = closestName(to: name, among: LinkField.names + appNames).map { "; did you mean '\($0)'?" } ?? ""
        return LinkFault(.unknownField, name, "there is no setting of this name" + hint)
    }

    private mutating func setApp(_ name: String, to value: JSONNode) throws(LinkFault) -> Bool {
        switch name {
        case "app": app.id = try LinkValue.text(value, name) ?? app.id
        case "app_name": app.name = try LinkValue.text(value, name) ?? app.name
        case "deep_linking": app.deepLinking = try LinkValue.bool(value, name, default: true)
        case "iphone_store_id": app.iPhoneStoreID = try LinkValue.text(value, name)
        case "ipad_store_id": app.iPadStoreID = try LinkValue.text(value, name)
        case "android_package": app.androidPackage = try LinkValue.text(value, name)
        case "android_cert": app.androidCertificates = try LinkValue.list(value, name)
        case "apple_team_id": app.appleTeamID = try LinkValue.text(value, name)
        case "bundle_id": app.bundleIDs = try LinkValue.list(value, name)
        case "provider_token": app.appleProviderToken = try LinkValue.text(value, name)
        case "ios_carry": app.iosCarry = try LinkValue.choice(value, name, default: .off)
        case "page_words": app.pageWords = try PageWords(json: value, field: name)
        case "page_color": app.pageColor = try LinkValue.text(value, name)
        case "page_logo": app.pageLogo = try LinkValue.text(value, name)
        case "associated": associate(try LinkValue.bool(value, name, default: false))
        default: return false
        }
        return true
    }

    /// Gives the app what an association takes, or takes it away.
    private mutating func associate(_ isAssociated: Bool) {
        app.appleTeamID = isAssociated ? "ABCDE12345" : nil
        app.bundleIDs = isAssociated ? ["com.example.app"] : []
        let fingerprint = [String](repeating: "00", count: 32).joined(separator: ":")
        app.androidCertificates = isAssociated ? [fingerprint] : []
    }

    /// Link and app, if nothing is wrong with them.
    func checked() throws(LinkFault) -> (Link, LinkApp) {
        let faults = AppRules.faults(of: app) + LinkRules.faults(of: link, in: app, linkHosts: [link.host])
        if let fault = faults.first { throw fault }
        return (link, app)
    }
}
