import Events
import Time
import Logging
import Postgres
import PostgresTesting
import Redirects
@testable import Storage

/// A migrated database with an app and a running writer.
struct StorageTesting: Sendable {
    let database: TestDatabase
    let app: App
    let writer: EventWriter

    var pool: PostgresPool { database.pool }

    static func with<R: Sendable>(
        onCluster: Bool = TestDatabases.usesCitus,
        _ body: @Sendable (StorageTesting) async throws -> R
    ) async throws -> R {
        try await TestDatabases.withDatabase(isOnCluster: onCluster, migrate: TestDatabases.migrate) { database in
            let store = AppStore(pool: database.pool)
            _ = try await store.create(AppProfile(id: "shop", name: "Shop"))
            let app = try await store.app(id: "shop")
            let writer = EventWriter(pool: database.pool, logger: Logger(label: "test"))
            return try await writer.whileRunning {
                try await body(StorageTesting(database: database, app: app, writer: writer))
            }
        }
    }

    @discardableResult
    func store(_ events: [Event], rejections: [Rejection] = []) async throws -> WriteReceipt {
        try await writer.store(
            Submission(
                appNumber: app.number,
                keyPrefix: "trib_w_test",
                receivedAt: Self.noon,
                events: events,
                rejections: rejections
            )
        )
    }

    /// Gives an app a host of links, and creates a link with a counted preview there.
    func storeLink(of app: App, host: String) async throws {
        _ = try await AppStore(pool: pool).update(app) { $0.linkHosts.append(host) }
        var link = Link(host: host, slug: "sale")
        link.targetURL = "https://shop.example/sale"
        let links = LinkStore(pool: pool)
        _ = try await links.create([link], of: app, reuse: false)
        var hits = LinkHits(LinkAddress(host: host, slug: "sale"), on: Self.noon.date)
        hits.preview = 1
        try await links.addHits([hits])
    }

    /// Runs several statements.
    func run(_ script: String) async throws {
        try await pool.withConnection { try $0.executeScript(script) }
    }

    /// The first column of the first row.
    func count(_ sql: String) async throws -> Int {
        try await pool.withConnection { try $0.query(sql)[0].int(0) }
    }

    func texts(_ sql: String) async throws -> [String] {
        try await pool.withConnection { connection in try connection.query(sql).map { try $0.text(0) } }
    }

    /// 2026-03-15T12:00:00Z.
    static let noon = Timestamp(microseconds: 1_773_576_000_000_000)
    static let day = Duration.seconds(86_400)

    static func event(
        _ number: UInt64,
        at time: Timestamp = noon,
        user: String? = nil,
        device: String? = nil,
        click: String? = nil,
        _ content: Event.Content = .authentication()
    ) -> Event {
        Event(
            id: EventID(high: 0x1111_1111_1111_4111, low: number),
            occurredAt: time,
            receivedAt: noon,
            userID: user,
            deviceID: device,
            clickID: click,
            platform: nil,
            properties: nil,
            content: content
        )
    }
}
