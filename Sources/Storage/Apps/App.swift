package import InboundLinks
package import Redirects

/// An app: a tenant of this service. Every event, key and report belongs to one.
package struct App: Equatable, Sendable {
    /// The app's number, which rows carry instead of its id: it is short and never changes.
    package var number: Int32
    package var profile: AppProfile
    /// The declared properties of its events, by name.
    package var properties: [AppProperty] = []

    package init(number: Int32, profile: AppProfile) {
        self.number = number
        self.profile = profile
    }

    /// What links need to know of the app.
    package var linkApp: LinkApp { profile.linkApp }
}

/// An app's settings, given by an operator (docs/command-line.md, *Commands*, `tributary app create`). Those that links
/// need are its ``linkApp``'s, and stand here as if they were the profile's own.
@dynamicMemberLookup
package struct AppProfile: Equatable, Sendable {
    /// What links need to know of the app.
    package var linkApp: LinkApp
    package var namespace: String?
    package var urlSchemeSuffixes: [String] = []
    package var login = true
    /// IANA name. Reports count days and weeks in this zone unless they are asked for another.
    package var timeZone = "UTC"
    /// ISO 4217. Reports sum amounts in this currency.
    package var currency = "USD"
    /// The hosts of the app's short links, in lower case. New links are on the first. A host belongs to one app.
    package var linkHosts: [String] = []
    /// Whether it has a key for the campaign data of Meta in install referrers. The key itself is no part of a profile,
    /// which is printed (``AppStore/setMetaReferrerKey(_:ofApp:)``).
    package var hasMetaReferrerKey = false

    package init(id: String, name: String) {
        linkApp = LinkApp(id: id, name: name)
    }

    package var id: String { linkApp.id }

    package var name: String {
        get { linkApp.name }
        set { linkApp.name = newValue }
    }

    /// All settings but the id, by the names under which people see them.
    package var fields: [(String, InspectionValue)] {
        [
            ("name", .string(name)), ("namespace", .optional(namespace)),
            ("url_scheme_suffixes", .list(urlSchemeSuffixes)), ("login", .bool(login)),
            ("time_zone", .string(timeZone)), ("currency", .string(currency)), ("link_hosts", .list(linkHosts)),
        ] + LinkAppField.all.map { ($0.name, $0.value(linkApp)) }
    }

    package subscript<Setting>(dynamicMember setting: WritableKeyPath<LinkApp, Setting>) -> Setting {
        get { linkApp[keyPath: setting] }
        set { linkApp[keyPath: setting] = newValue }
    }
}
