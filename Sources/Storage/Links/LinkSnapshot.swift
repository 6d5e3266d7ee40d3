package import InboundLinks
package import Redirects

/// All live links, as they were at one moment.
package struct LinkSnapshot: Sendable {
    /// Everything up to this change is in it, and nothing after it.
    package var revision: Int64
    package var apps: [HostedApp]
    /// The apps with their hosts, and the links. Links on a host that no app has any more are in it too, and are not
    /// found.
    package var table: LinkTable

    package init(revision: Int64, apps: [HostedApp], table: LinkTable) {
        self.revision = revision
        self.apps = apps
        self.table = table
    }
}

/// What has changed since a revision.
package struct LinkChanges: Sendable {
    /// Everything up to this change is in it, and nothing after it.
    package var revision: Int64
    /// All apps, changed or not. An app that is missing is being deleted: give it no hosts.
    package var apps: [HostedApp]
    /// Links that are new or different.
    package var set: [Link]
    package var removed: [LinkAddress]
}

/// An app with the hosts of its links.
package struct HostedApp: Codable, Equatable, Sendable {
    /// What rows carry instead of the app's id.
    package var number: Int32
    package var app: LinkApp
    /// In the app's order; maybe none.
    package var hosts: [String]
    /// Nil if the app has never had rules of its own.
    package var rules: AppRulesVersion?
    /// Whether the app has moved to another database, and is served there.
    package var hasMoved: Bool
    /// A secret, so the file of links does not have it.
    package var metaReferrerKey: MetaReferrerKey?
    /// The names of its declared properties. Only warnings need them, so the file of links does not have them.
    package var properties: [String] = []

    private enum CodingKeys: CodingKey {
        case number, app, hosts, rules, hasMoved
    }

    init(_ app: App, rules: AppRulesVersion? = nil, metaReferrerKey: MetaReferrerKey? = nil, hasMoved: Bool = false) {
        number = app.number
        self.hasMoved = hasMoved
        self.rules = rules
        self.metaReferrerKey = metaReferrerKey
        self.app = app.linkApp
        hosts = app.profile.linkHosts
        properties = app.properties.map(\.name)
    }
}
