#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
package import Postgres
import Reporting
import Storage

/// Gives each test a database of its own. It is a copy of a template, which each process prepares once.
package actor TestDatabases {
    package static let shared = TestDatabases()

    /// How many tests may have a database at the same time; others wait. Together they stay within the server's
    /// connections.
    static let concurrentDatabases = getenv("TRIBUTARY_TEST_CITUS") == nil ? 12 : 4

    private var server: Result<TestServer, any Error>?
    private var cluster: Result<CitusCluster, any Error>?
    private var admin: PostgresConnection?
    private var templates: [String: Task<String, any Error>] = [:]
    private var created = 0
    private var inUse = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// Several processes may share the server of `TRIBUTARY_TEST_DATABASE_URL`.
    private let prefix = "tributary_test_\(getpid())_\(UInt32.random(in: 0 ... .max))"

    /// Runs a test with a fresh database, which is dropped afterwards.
    ///
    /// - Parameters:
    ///   - template: the template's name. Default: one for each test target. Tests that share a template must pass the
    ///     same `migrate`.
    ///   - isOnCluster: whether it is distributed over a Citus cluster.
    ///   - poolSize: the most connections of the test's pool.
    ///   - migrate: fills the template. It is called once for each process and template.
    @discardableResult
    package static func withDatabase<R: Sendable>(
        template: String = #fileID,
        isOnCluster: Bool = usesCitus,
        poolSize: Int = 4,
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void = { _ in },
        _ body: @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        let target = String(template.prefix { $0 != "/" })
        let address = try await shared.makeDatabase(template: target, isOnCluster: isOnCluster, migrate: migrate)
        let pool = PostgresPool(address: address, size: poolSize, applicationName: "test", options: options)
        let result: Result<R, any Error>
        do {
            result = .success(try await body(TestDatabase(address: address, pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        await shared.drop(address.database, isOnCluster: isOnCluster)
        return try result.get()
    }

    /// Runs a test with a server that nothing else uses. For tests that depend on everything that runs on the server,
    /// such as the oldest open transaction.
    @discardableResult
    package static func withOwnServer<R: Sendable>(
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void,
        _ body: @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        let server = try TestServer(isOwn: true)
        let pool = PostgresPool(address: server.address, size: 4, applicationName: "test", options: options)
        let result: Result<R, any Error>
        do {
            try await migrate(pool)
            result = .success(try await body(TestDatabase(address: server.address, pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        // The server stops when this value is released.
        withExtendedLifetime(server) {}
        return try result.get()
    }

    /// The server's own address, for tests of the connection itself.
    package static func serverAddress() async throws -> PostgresAddress {
        try await shared.startedServer().address
    }

    /// Longer limits than the default: a machine that runs all tests at the same time is slow.
    package static let options = PostgresOptions(
        connectTimeout: .seconds(60),
        variants: DistributedStatements.variants
    )

    private func startedServer() throws -> TestServer {
        if let server { return try server.get() }
        let result = Result { try TestServer() }
        server = result
        return try result.get()
    }

    private func makeDatabase(
        template: String,
        isOnCluster: Bool,
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void
    ) async throws -> PostgresAddress {
        await enter(isOnCluster)
        do {
            if isOnCluster { return try await makeDistributedDatabase(migrate) }
            let server = try startedServer()
            let task = templates[template] ?? Task { try await self.makeTemplate(server, migrate) }
            templates[template] = task
            let source = try await task.value
            created += 1
            let name = "\(prefix)_\(created)"
            try await run("create database \(name) template \(source)", on: server)
            return server.address.selecting(database: name)
        } catch {
            leave(isOnCluster)
            throw error
        }
    }

    /// Whether tests run on a Citus cluster (`make check-citus`).
    package static let usesCitus = getenv("TRIBUTARY_TEST_CITUS") != nil

    /// Citus has no templates: each database is distributed anew.
    private func makeDistributedDatabase(
        _ migrate: @Sendable (PostgresPool) async throws -> Void
    ) async throws -> PostgresAddress {
        let cluster = try startedCluster()
        created += 1
        let address = try await cluster.makeDatabase("\(prefix)_\(created)")
        let pool = PostgresPool(address: address, size: 2, applicationName: "test", options: Self.options)
        do {
            try await migrate(pool)
            try await pool.withConnection { connection in
                guard try !Migrator().isBehind(connection) else { return }
                try Distribution().run(connection)
            }
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        return address
    }

    private func startedCluster() throws -> CitusCluster {
        if let cluster { return try cluster.get() }
        let result = Result { try CitusCluster() }
        cluster = result
        return try result.get()
    }

    private func makeTemplate(
        _ server: TestServer,
        _ migrate: @Sendable (PostgresPool) async throws -> Void
    ) async throws -> String {
        created += 1
        let name = "\(prefix)_template_\(created)"
        try await run("create database \(name) template template0", on: server)
        if !server.isThrowAway {
            DroppedAtExit.shared.add(name, server.address)
        }
        let address = server.address.selecting(database: name)
        let pool = PostgresPool(address: address, size: 2, applicationName: "test", options: Self.options)
        do {
            try await migrate(pool)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
        // A session ends a moment after its connection, and a template must have no session.
        try await run("alter database \(name) allow_connections false", on: server)
        try await run(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '\(name)'",
            on: server
        )
        return name
    }

    private func drop(_ name: String, isOnCluster: Bool) async {
        defer { leave(isOnCluster) }
        if isOnCluster, let cluster = try? cluster?.get() { try? await cluster.dropDatabase(name) }
        guard !isOnCluster, let server = try? startedServer() else { return }
        try? await run("drop database if exists \(name) with (force)", on: server)
    }

    private func run(_ sql: String, on server: TestServer) async throws {
        let connection: PostgresConnection
        if let admin {
            connection = admin
        } else {
            connection = try await PostgresConnection.connect(to: server.address, options: Self.options)
            admin = connection
        }
        do {
            _ = try await connection.query(sql)
        } catch {
            if await !connection.isUsable {
                admin = nil
            }
            throw error
        }
    }

    /// Where tests run on a cluster, only databases of the cluster are counted: tests that hold one of a machine beside
    /// one of the cluster would wait for each other.
    private static func isCounted(_ isOnCluster: Bool) -> Bool { isOnCluster || !usesCitus }

    private func enter(_ isOnCluster: Bool) async {
        guard Self.isCounted(isOnCluster) else { return }
        if inUse < Self.concurrentDatabases {
            inUse += 1
        } else {
            // The waiter takes over the place, so the count stays.
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    private func leave(_ isOnCluster: Bool) {
        guard Self.isCounted(isOnCluster) else { return }
        if waiters.isEmpty {
            inUse -= 1
        } else {
            waiters.removeFirst().resume()
        }
    }
}
