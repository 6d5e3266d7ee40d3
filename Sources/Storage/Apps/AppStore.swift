import InboundLinks
import JSONReading
package import Postgres
import Redirects

/// The apps and their keys in a database.
package struct AppStore: Sendable {
    package let pool: PostgresPool

    package init(pool: PostgresPool) {
        self.pool = pool
    }

    /// Creates an app with one write key and one read key. Only their hashes are stored, so they cannot be shown again.
    ///
    /// - Throws: `AppStoreError.exists` if the id is taken; `AppStoreError.hostTaken`.
    package func create(_ profile: AppProfile) async throws -> (writeKey: String, readKey: String) {
        let writeKey = AppKey.generate(scope: .write)
        let readKey = AppKey.generate(scope: .read)
        do {
            try await pool.withConnection { connection in
                try connection.transaction {
                    _ = try LinkRevision.raise(on: connection)
                    let fixed: [PostgresValue] = [
                        .text(profile.id), .text(profile.name), PostgresValue(profile.namespace),
                        .textArray(profile.urlSchemeSuffixes), .bool(profile.login), .text(profile.timeZone),
                        .text(profile.currency),
                    ]
                    let number = Int32(try connection.query(StoredSQL.insertApp, fixed)[0].int(0))
                    try Self.store(profile, of: number, on: connection)
                    for (key, scope) in [(writeKey, AppKey.Scope.write), (readKey, .read)] {
                        try Self.insert(key, scope: scope, label: "first", app: number, on: connection)
                    }
                    try connection.log(
                        .createApp,
                        profile.id,
                        in: number,
                        to: profile.fields + [("keys", .list([writeKey, readKey].map(AppKey.prefix)))]
                    )
                }
            }
        } catch let error as PostgresError where error.isUniqueViolation {
            if try await list().contains(where: { $0.profile.id == profile.id }) {
                throw AppStoreError.exists(id: profile.id)
            }
            // Its rows are still here.
            let hasMoved = try await pool.withConnection { try AppDeparture.hasMoved(profile.id, on: $0) }
            if hasMoved { throw AppStoreError.moved(id: profile.id) }
            throw error.isRelayed ? AppStoreError.forgotten(id: profile.id) : error
        }
        return (writeKey, readKey)
    }

    /// Whether the app has any event, of any time.
    package func hasEvents(_ app: App) async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectAnyEvent, [.int(Int64(app.number))])[0].bool(0)
        }
    }

    /// Changes settings of an app: its name, bundle ids, store ids, deep linking and what only links use. Daemons serve
    /// links by them within a second. Its other settings stay, because figures have been computed with them.
    ///
    /// - Parameter change: runs once, on the settings as they are.
    /// - Returns: the app as it is then.
    /// - Throws: `AppStoreError.unknown` if the app is gone; `AppStoreError.hostTaken`; the error of `change`.
    package func update(_ app: App, change: @Sendable (inout AppProfile) throws -> Void) async throws -> App {
        try await pool.withTransaction { connection in
            _ = try LinkRevision.raise(on: connection)
            let apps = try Self.apps(andBeingDeleted: false, on: connection)
            guard var changed = apps.first(where: { $0.number == app.number }) else {
                throw AppStoreError.unknown(id: app.profile.id, known: apps.map(\.profile.id))
            }
            let before = changed.profile.fields
            try change(&changed.profile)
            let profile = changed.profile
            try Self.store(profile, of: app.number, on: connection)
            try connection.log(.updateApp, profile.id, in: app.number, from: before, to: profile.fields)
            return changed
        }
    }

    /// - Parameter isBeingDeleted: whether to find an app whose deletion was interrupted, or that has moved, too.
    /// - Throws: `AppStoreError.unknown` with all known ids; `AppStoreError.moved`.
    package func app(id: String, orBeingDeleted isBeingDeleted: Bool = false) async throws -> App {
        try await pool.withConnection { connection in
            let apps = try Self.apps(
                andBeingDeleted: isBeingDeleted,
                andMoved: isBeingDeleted,
                id: id,
                on: connection
            )
            if let app = apps.first { return app }
            if try AppDeparture.hasMoved(id, on: connection) { throw AppStoreError.moved(id: id) }
            let known = try Self.apps(andBeingDeleted: isBeingDeleted, on: connection).map(\.profile.id)
            throw AppStoreError.unknown(id: id, known: known)
        }
    }

    /// The app of an id; without one, the only app.
    ///
    /// - Throws: `AppStoreError.unknown`; without an id, `AppStoreError.unnamed` unless there is exactly one app.
    package func app(named id: String?) async throws -> App {
        if let id { return try await app(id: id) }
        let apps = try await list()
        guard apps.count == 1 else { throw AppStoreError.unnamed(known: apps.map(\.profile.id)) }
        return apps[0]
    }

    /// All apps, by id.
    package func list() async throws -> [App] {
        try await pool.withConnection { try Self.apps(andBeingDeleted: false, on: $0) }
    }

    /// All apps, by id; or the one with an id.
    static func apps(
        andBeingDeleted includesDeleted: Bool,
        andMoved includesMoved: Bool = false,
        id: String? = nil,
        on connection: isolated PostgresConnection
    ) throws -> [App] {
        try connection.query(
            StoredSQL.selectApps,
            [.bool(includesDeleted), PostgresValue(id), .bool(includesMoved)]
        ).map(app)
    }

    /// The keys of an app, the oldest first, with revoked ones.
    package func keys(of app: App) async throws -> [AppKey] {
        try await pool.withConnection { connection in
            try connection.query(StoredSQL.selectKeys, [.int(Int64(app.number))]).compactMap { row -> AppKey? in
                guard let scope = AppKey.Scope(rawValue: try row.text(0)) else { return nil }
                return AppKey(
                    scope: scope,
                    label: try row.text(1),
                    prefix: try row.text(2),
                    createdAt: try row.timestamp(3),
                    expiresAt: try row.optionalTimestamp(4),
                    revokedAt: try row.optionalTimestamp(5),
                    lastUsedAt: try row.optionalTimestamp(6),
                    origins: try row.textArray(7)
                )
            }
        }
    }

    /// Creates another key of a scope. The existing keys stay valid for `overlap`, so that clients can switch without
    /// loss.
    ///
    /// - Parameter overlap: zero expires the existing keys immediately.
    package func rotateKey(
        of app: App,
        scope: AppKey.Scope,
        label: String,
        overlap: Duration
    ) async throws -> String {
        let key = AppKey.generate(scope: scope)
        let seconds = overlap.components.seconds
        try await pool.withConnection { connection in
            try connection.transaction {
                // Before the others expire, so that it has their origins.
                try Self.insert(key, scope: scope, label: label, app: app.number, origins: nil, on: connection)
                try connection.execute(
                    StoredSQL.expireKeys,
                    [.int(Int64(app.number)), .text(scope.rawValue), .int(seconds), .bytes(AppKey.hash(key))]
                )
                try connection.log(
                    .rotateKey,
                    AppKey.prefix(of: key),
                    in: app.number,
                    to: [
                        ("scope", .string(scope.rawValue)), ("label", .string(label)),
                        ("former_keys_expire_in_seconds", .number(seconds)),
                    ]
                )
            }
        }
        return key
    }

    /// Creates another key of a scope. The existing keys stay valid.
    ///
    /// - Parameters:
    ///   - lifetime: nil: the key is valid until it is revoked.
    ///   - origins: of web pages that may use a key for apps, as browsers send them.
    package func addKey(
        of app: App,
        scope: AppKey.Scope,
        label: String,
        lifetime: Duration?,
        origins: [String] = []
    ) async throws -> String {
        let key = AppKey.generate(scope: scope)
        try await pool.withTransaction { connection in
            try Self.insert(
                key,
                scope: scope,
                label: label,
                app: app.number,
                lifetime: lifetime,
                origins: origins,
                on: connection
            )
            try connection.log(
                .addKey,
                AppKey.prefix(of: key),
                in: app.number,
                to: [
                    ("scope", .string(scope.rawValue)), ("label", .string(label)),
                    ("expires_in_seconds", lifetime.map { .number($0.components.seconds) } ?? .null),
                    ("origins", .list(origins)),
                ]
            )
        }
        return key
    }

    /// What became of a key that was to be revoked.
    package enum KeyRevocation: Equatable, Sendable {
        case revoked
        case alreadyRevoked
        /// The app has no such key.
        case unknown
    }

    /// Revokes a key. Daemons refuse it within a second.
    ///
    /// - Throws: `SeveralKeys` if several keys have the prefix. Then no key is revoked.
    package func revokeKey(of app: App, named name: AppKey.Name) async throws -> KeyRevocation {
        let (hash, prefix): (PostgresValue, PostgresValue) =
            switch name {
            case .whole(let key): (.bytes(AppKey.hash(key)), .null)
            case .prefix(let prefix): (.null, .text(prefix))
            }
        return try await pool.withConnection { connection in
            try connection.transaction {
                // The same in the whole transaction.
                let now = try connection.query("select now()")[0].timestamp(0)
                let found = try connection.query(StoredSQL.revokeKey, [.int(Int64(app.number)), hash, prefix])
                let count = try found.count { try $0.timestamp(0) == now }
                if count > 1 { throw SeveralKeys(count: count) }
                if count == 1 { try connection.log(.revokeKey, name.prefix, in: app.number) }
                return count == 1 ? .revoked : found.isEmpty ? .unknown : .alreadyRevoked
            }
        }
    }

    /// A prefix that several keys of an app have.
    package struct SeveralKeys: Error {
        package var count: Int
    }

    /// Deletes an app, its keys and everything that belongs to it, in the database and in the spools of this machine.
    /// Daemons refuse its keys within a second. Its events in spools of other machines are dropped on delivery.
    ///
    /// - Parameter spools: nil: the spools stay as they are, and the delivery drops the app's events.
    /// - Throws: `SpoolError.notPermitted` before anything is deleted.
    @discardableResult
    package func delete(
        _ app: App,
        spools: SpoolFolder? = nil,
        progress: @escaping DeletionProgress.Handler = { _ in }
    ) async throws -> DeletionReceipt {
        try spools?.checkAccess()
        return try await pool.withConnection { connection in
            try AppDeletion(app: app, spools: spools, progress: progress).run(on: connection)
        }
    }

    private static func insert(
        _ key: String,
        scope: AppKey.Scope,
        label: String,
        app: Int32,
        lifetime: Duration? = nil,
        origins: [String]? = [],
        on connection: isolated PostgresConnection
    ) throws {
        try connection.execute(
            StoredSQL.insertKey,
            [
                .bytes(AppKey.hash(key)), .int(Int64(app)), .text(scope.rawValue), .text(label),
                .text(AppKey.prefix(of: key)), lifetime.map { .int($0.components.seconds) } ?? .null,
                origins.map(PostgresValue.textArray) ?? .null,
            ]
        )
    }

    /// Stores the settings that can be changed later. Callers have raised the revision of links, so nobody else changes
    /// hosts meanwhile.
    private static func store(
        _ profile: AppProfile,
        of app: Int32,
        on connection: isolated PostgresConnection
    ) throws {
        let number = PostgresValue.int(Int64(app))
        let settings = LinkAppField.all.map { PostgresValue($0.value(profile.linkApp)) }
        try connection.execute(StoredSQL.updateApp, [number, .text(profile.name)] + settings)
        try connection.execute(StoredSQL.deleteLinkHosts, [number])
        let parameters = [number, .textArray(profile.linkHosts)]
        if let row = try connection.query(StoredSQL.selectTakenHost, parameters.reversed()).first {
            throw AppStoreError.hostTaken(host: try row.text(0), by: try row.text(1))
        }
        try connection.execute(StoredSQL.insertLinkHosts, parameters)
    }

    private static func app(_ row: PostgresRow) throws -> App {
        var profile = AppProfile(id: try row.text("app_id"), name: try row.text("name"))
        profile.namespace = try row.optionalText("namespace")
        profile.urlSchemeSuffixes = try row.textArray("url_scheme_suffixes")
        profile.login = try row.bool("login")
        profile.timeZone = try row.text("time_zone")
        profile.currency = try row.text("currency")
        profile.linkHosts = try row.textArray("link_hosts")
        profile.hasMetaReferrerKey = try row.bool("has_meta_referrer_key")
        // A setting that this version cannot read keeps its default.
        let settings = try JSONDocument(reading: row.text("settings").utf8).root
        for field in LinkAppField.all {
            if let value = settings[field.name] { try? field.set(value, &profile.linkApp) }
        }
        profile.pageWords = settings["page_words"].map(PageWords.init(stored:)) ?? PageWords()
        var app = App(number: Int32(try row.int("app_number")), profile: profile)
        app.properties = try row.textArray("properties").compactMap { text in
            let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
            return parts.count == 3 ? AppProperty(parts[2], kind: parts[0], valueLimit: Int(parts[1])) : nil
        }
        return app
    }
}

extension PostgresValue {
    init(_ text: String?) {
        self = text.map(PostgresValue.text) ?? .null
    }

    fileprivate init(_ value: InspectionValue) {
        self =
            switch value {
            case .null: .null
            case .string(let text): .text(text)
            case .number(let number): .int(number)
            case .bool(let value): .bool(value)
            case .list(let texts): .textArray(texts)
            }
    }
}
