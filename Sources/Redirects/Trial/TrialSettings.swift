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

    private static let appNames = ["app", "app_name", "associated"] + LinkAppField.all.map(\.option)

    private static func unknown(_ name: String) -> LinkFault {
        let hint = closestName(to: name, among: LinkField.names + appNames).map { "; did you mean '\($0)'?" } ?? ""
        return LinkFault(.unknownField, name, "there is no setting of this name" + hint)
    }

    private mutating func setApp(_ name: String, to value: JSONNode) throws(LinkFault) -> Bool {
        switch name {
        case "app": app.id = try LinkValue.text(value, name) ?? app.id
        case "app_name": app.name = try LinkValue.text(value, name) ?? app.name
        case "associated": associate(try LinkValue.bool(value, name, default: false))
        default:
            let option = name == "provider_token" ? "apple_provider_token" : name
            guard let field = LinkAppField.all.first(where: { $0.option == option }) else { return false }
            try field.set(value, &app)
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
