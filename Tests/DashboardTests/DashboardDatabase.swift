import Postgres
import PostgresTesting
import Redirects

@testable import Storage

/// The database of a dashboard of tests: the apps `shop` and `other`, a read key, and a session of it.
enum DashboardDatabase {
    static let app: App = {
        var profile = AppProfile(id: "shop", name: "Shop")
        profile.linkHosts = ["go.example"]
        profile.timeZone = "Europe/Berlin"
        profile.iPhoneStoreID = "111"
        profile.androidPackage = "com.example.shop"
        return App(number: 7, profile: profile)
    }()
    static let other = App(number: 8, profile: AppProfile(id: "other", name: "Other"))
    static let readKey = "trib_r_shop"
    static let session = "abc"
    /// Of passwords: next to nothing.
    static let cost = PasswordHash.Cost(exponent: 4, blockSize: 1, passes: 1)

    /// For all tests that only read: nothing can be written there.
    static let shared = Task {
        try await HeldDatabase(settings: ["default_transaction_read_only": "on"], migrate: prepare)
    }

    /// A database that cannot be reached.
    static let lost = PostgresPool(
        address: PostgresAddress(host: "/nonexistent", database: "lost"),
        connectAttempts: 1
    )

    /// A database of one dashboard.
    ///
    /// - Parameter links: stored as they are, also with what nobody could create.
    static func make(for app: App, _ links: [Link]) async throws -> HeldDatabase {
        let database = try await HeldDatabase(migrate: prepare)
        let apps = AppStore(pool: database.pool)
        if app.profile != Self.app.profile { _ = try await apps.update(app) { $0 = app.profile } }
        for property in app.properties { try await apps.declare(property, of: app) }
        try await database.pool.withTransaction { connection in
            let revision = try LinkRevision.raise(on: connection)
            let dated = links.map { link in
                var link = link
                link.createdAt = link.createdAt ?? revision.time
                link.updatedAt = link.updatedAt ?? link.createdAt
                return link
            }
            try StoredLink.store(dated, of: app.number, revision: revision.number, on: connection)
        }
        return database
    }

    @Sendable private static func prepare(_ pool: PostgresPool) async throws {
        try await TestDatabases.migrate(pool)
        let apps = AppStore(pool: pool)
        _ = try await pool.withConnection { connection in
            try connection.execute("alter table app alter column app_number restart with \(app.number)")
        }
        for app in [app, other] { _ = try await apps.create(app.profile) }
        try await pool.withConnection { connection in
            let key = PostgresValue.bytes(AppKey.hash(readKey))
            try connection.execute(
                StoredSQL.insertKey,
                [
                    key, .int(Int64(app.number)), .text("read"), .text("test"), .text(AppKey.prefix(of: readKey)),
                    .null,
                    .textArray([]),
                ]
            )
            try connection.execute(StoredSQL.insertSession, [.bytes(AppKey.hash(session)), key])
        }
    }
}
