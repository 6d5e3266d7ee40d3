import Events
import Foundation
import Logging
import Postgres
import PostgresTesting
import Reporting
@testable import Storage
import Testing
import Time

/// The cluster of these tests: one for the whole process, and a database of its own for each test.
actor ClusterTesting {
    /// `make check-citus` sets it, where PostgreSQL knows the extension.
    static let isWanted = ProcessInfo.processInfo.environment["TRIBUTARY_TEST_CITUS"] != nil

    /// The horizon of one machine, as the schema makes it, as a function of another name.
    static func plainHorizon(named name: String) throws -> String {
        let text = try #require(Migrator.all.first).text
        let start = try #require(text.range(of: "create function transaction_horizon"))
        let end = try #require(text.range(of: "\n$$;", range: start.upperBound..<text.endIndex))
        return "create or replace function \(name)" + text[start.upperBound..<end.upperBound]
    }

    private static let shared = ClusterTesting()

    private var started: Result<CitusCluster, any Error>?
    private var databases = 0

    private func next() throws -> (cluster: CitusCluster, name: String) {
        let started = started ?? Result { try CitusCluster() }
        self.started = started
        databases += 1
        return (try started.get(), "cluster_test_\(databases)")
    }

    /// Runs a test with a database of the cluster that has the extension and its workers, and nothing else.
    ///
    /// - Parameter hasExtension: whether it has them.
    static func withCluster(
        hasExtension: Bool = true,
        _ body: @Sendable (CitusCluster, PostgresAddress) async throws -> Void
    ) async throws {
        let (cluster, name) = try await shared.next()
        try await body(cluster, try await cluster.makeDatabase(name, hasExtension: hasExtension))
        try await cluster.dropDatabase(name)
    }

    /// Runs a test with a cluster that no other test uses, and a distributed database there.
    static func withOwnCluster(
        _ body: @Sendable (CitusCluster, PostgresAddress, PostgresPool) async throws -> Void
    ) async throws {
        let cluster = try CitusCluster()
        let address = try await cluster.makeDatabase("own")
        try await distribute(address)
        try await withPool(address) { try await body(cluster, address, $0) }
        withExtendedLifetime(cluster) {}
    }

    static func withPool<R: Sendable>(
        _ address: PostgresAddress,
        size: Int = 4,
        _ body: @Sendable (PostgresPool) async throws -> R
    ) async throws -> R {
        let pool = PostgresPool(
            address: address,
            size: size,
            applicationName: "test",
            options: PostgresOptions(connectTimeout: .seconds(60), variants: DistributedStatements.variants)
        )
        let result: Result<R, any Error>
        do {
            result = .success(try await body(pool))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        return try result.get()
    }

    /// Runs a test with a distributed database.
    static func withDistributed(
        poolSize: Int = 4,
        _ body: @Sendable (CitusCluster, PostgresAddress, PostgresPool) async throws -> Void
    ) async throws {
        try await withCluster { cluster, address in
            try await distribute(address)
            try await withPool(address, size: poolSize) { try await body(cluster, address, $0) }
        }
    }

    /// Migrates and distributes a database.
    static func distribute(_ address: PostgresAddress) async throws {
        try await withPool(address, size: 1) { pool in
            try await pool.withConnection { connection in
                if try Distribution.state(connection) != .unfinished { _ = try Migrator().migrate(connection) }
                try Distribution().run(connection)
            }
        }
    }
}

/// Events with made-up ids.
enum Made {
    /// 2026-03-15T12:00:00Z.
    static let noon = Timestamp(microseconds: 1_773_576_000_000_000)

    static func event(_ number: UInt64, user: String?, device: String? = nil, _ content: Event.Content) -> Event {
        Event(
            id: EventID(high: 0x1111_1111_1111_4111, low: 0x8000_0000_0000_0000 | number),
            occurredAt: noon.advanced(by: .seconds(Int64(number % 80_000))),
            receivedAt: noon.advanced(by: .seconds(90_000)),
            userID: user,
            deviceID: device,
            clickID: nil,
            platform: .web,
            properties: nil,
            content: content
        )
    }

    static func submission(_ app: Int32, _ events: [Event]) -> Submission {
        Submission(
            appNumber: app,
            keyPrefix: "trib_w_test",
            receivedAt: noon.advanced(by: .seconds(90_000)),
            events: events,
            rejections: []
        )
    }

    static func app(_ id: String, on pool: PostgresPool) async throws -> App {
        let store = AppStore(pool: pool)
        _ = try await store.create(AppProfile(id: id, name: id))
        return try await store.app(id: id)
    }
}

/// Apps of a cluster by their workers.
enum PlacedApps {
    /// Apps until there is one on each of two workers.
    static func appsOnBoth(_ pool: PostgresPool) async throws -> [Int32: App] {
        var apps: [Int32: App] = [:]
        for number in 0..<40 where apps.count < 2 {
            let app = try await Made.app("app-\(number)", on: pool)
            apps[try await worker(of: app, pool)] = app
        }
        try #require(apps.count == 2)
        return apps
    }

    /// The worker of an app, as Citus numbers its nodes.
    static func worker(of app: App, _ pool: PostgresPool) async throws -> Int32 {
        try await place(of: app, pool).worker
    }

    /// The same, and its port.
    static func place(of app: App, _ pool: PostgresPool) async throws -> (worker: Int32, port: Int) {
        try await pool.withConnection { connection in
            let worker = Int32(
                try connection.query(StoredSQL.selectAppWorkers, [.intArray([Int64(app.number)])])[0].int(1)
            )
            let sql = "select nodeport from pg_dist_node where groupid = $1"
            return (worker, try connection.query(sql, [.int(Int64(worker))])[0].int(0))
        }
    }

    /// Two apps, and the node of the first one's worker: 1 is the first worker.
    static func pair(_ cluster: CitusCluster, _ pool: PostgresPool) async throws -> (App, App, node: Int) {
        let apps = try await appsOnBoth(pool).sorted { $0.key < $1.key }
        let port = try await place(of: apps[0].value, pool).port
        return (apps[0].value, apps[1].value, node: port - cluster.ports[0])
    }
}
