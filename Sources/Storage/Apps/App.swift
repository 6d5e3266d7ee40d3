import InboundLinks
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

    /// As the log of changes shows them.
    var changeFields: ChangeLog.Fields {
        let link = linkApp
        return [
            ("name", .string(name)), ("namespace", .optional(namespace)), ("bundle_ids", .list(link.bundleIDs)),
            ("iphone_store_id", .optional(link.iPhoneStoreID)), ("ipad_store_id", .optional(link.iPadStoreID)),
            ("url_scheme_suffixes", .list(urlSchemeSuffixes)), ("login", .bool(login)),
            ("deep_linking", .bool(link.deepLinking)), ("android_package", .optional(link.androidPackage)),
            ("android_certificates", .list(link.androidCertificates)),
            ("apple_team_id", .optional(link.appleTeamID)),
            ("apple_provider_token", .optional(link.appleProviderToken)),
            ("ios_carry", .string(link.iosCarry.rawValue)), ("page_words", .string(link.pageWords.json)),
            ("page_color", .optional(link.pageColor)), ("page_logo", .optional(link.pageLogo)),
            ("time_zone", .string(timeZone)), ("currency", .string(currency)), ("link_hosts", .list(linkHosts)),
        ]
    }

    package subscript<Setting>(dynamicMember setting: WritableKeyPath<LinkApp, Setting>) -> Setting {
        get { linkApp[keyPath: setting] }
        set { linkApp[keyPath: setting] = newValue }
    }
}
