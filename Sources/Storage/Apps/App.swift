/// An app: a tenant of this service. Every event, key and report belongs to one.
package struct App: Equatable, Sendable {
    /// What rows carry instead of the id: short, and the same for ever.
    package var number: Int32
    package var profile: AppProfile

    package init(number: Int32, profile: AppProfile) {
        self.number = number
        self.profile = profile
    }
}

/// What an operator states about an app (docs/command-line.md, *Commands*, `tributary app create`).
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
    /// IANA name; days and weeks of reports are this zone's unless asked otherwise.
    package var timeZone = "UTC"
    /// ISO 4217; the currency that reports sum.
    package var currency = "USD"

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
