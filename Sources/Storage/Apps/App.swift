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

/// An app's settings, given by an operator (docs/command-line.md, *Commands*, `tributary app create`).
package struct AppProfile: Equatable, Sendable {
    package var id: String
    package var name: String
    package var namespace: String?
    package var bundleIDs: [String] = []
    package var iPhoneStoreID: String?
    package var iPadStoreID: String?
    package var urlSchemeSuffixes: [String] = []
    package var login = true
    package var deepLinking = true
    /// IANA name. Reports count days and weeks in this zone unless they are asked for another.
    package var timeZone = "UTC"
    /// ISO 4217. Reports sum amounts in this currency.
    package var currency = "USD"
    /// The app's package at Google Play. Nil or `0`: not listed.
    package var androidPackage: String?
    /// SHA-256 fingerprints of the app's signing certificates (``AppRules/fingerprint(_:)``).
    package var androidCertificates: [String] = []
    package var appleTeamID: String?
    /// `pt` of App Store campaign links.
    package var appleProviderToken: String?
    package var iosCarry = IOSCarry.off
    package var pageWords = PageWords()
    /// ``LinkApp/pageColor``.
    package var pageColor: String?
    /// ``LinkApp/pageLogo``.
    package var pageLogo: String?
    /// The hosts of the app's short links, in lower case. New links are on the first. A host belongs to one app.
    package var linkHosts: [String] = []
    /// Whether it has a key for the campaign data of Meta in install referrers. The key itself is no part of a profile,
    /// which is printed (``AppStore/setMetaReferrerKey(_:ofApp:)``).
    package var hasMetaReferrerKey = false

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
    /// What links need to know of the app.
    package var linkApp: LinkApp {
        var app = LinkApp(id: id, name: name)
        app.iPhoneStoreID = iPhoneStoreID
        app.iPadStoreID = iPadStoreID
        app.androidPackage = androidPackage
        app.androidCertificates = androidCertificates
        app.appleTeamID = appleTeamID
        app.bundleIDs = bundleIDs
        app.appleProviderToken = appleProviderToken
        app.deepLinking = deepLinking
        app.iosCarry = iosCarry
        app.pageWords = pageWords
        app.pageColor = pageColor
        app.pageLogo = pageLogo
        return app
    }
}
