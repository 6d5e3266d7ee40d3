#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
package import Postgres

/// Gives each test a database of its own, copied from a template that is prepared once a process.
package actor TestDatabases {
    package static let shared = TestDatabases()

    /// How many tests have a database at once; the others wait. Together they stay within the server's connections.
    static let concurrentDatabases = 12

    private var server: Result<TestServer, any Error>?
    private var admin: PostgresConnection?
    private var templates: [String: Task<String, any Error>] = [:]
    private var created = 0
    private var inUse = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// Several processes may share a server of `TRIBUTARY_TEST_DATABASE_URL`.
    private let prefix = "tributary_test_\(getpid())_\(UInt32.random(in: 0 ... .max))"

    /// Runs a test with a fresh database, which is dropped afterwards.
    ///
    /// - Parameters:
    ///   - template: what the template is called; one a test target by default. Tests of one template must give the same
    ///     `migrate`.
    ///   - poolSize: the most connections of the test's pool.
    ///   - migrate: fills the template; called once a process and template.
    @discardableResult
    package static func withDatabase<R: Sendable>(
        template: String = #fileID,
        poolSize: Int = 4,
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void = { _ in },
        _ body: @Sendable (TestDatabase) async throws -> R
    ) async throws -> R {
        let target = String(template.prefix { $0 != "/" })
        let address = try await shared.makeDatabase(template: target, migrate: migrate)
        let pool = PostgresPool(address: address, size: poolSize, applicationName: "test", options: options)
        let result: Result<R, any Error>
        do {
            result = .success(try await body(TestDatabase(address: address, pool: pool)))
        } catch {
            result = .failure(error)
        }
        await pool.close()
        await shared.drop(address.database)
        return try result.get()
    }

    /// Runs a test with a server that nothing else uses: for what depends on all that runs on a server, such as the oldest
    /// open transaction, which otherwise any other test's may be.
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
        // It stops with the value that holds it.
        withExtendedLifetime(server) {}
        return try result.get()
    }

    /// The server's own address, for tests of the connection itself.
    package static func serverAddress() async throws -> PostgresAddress {
        try await shared.startedServer().address
    }

    /// A machine that runs everything at once is slow, and that is no failure.
    private static let options = PostgresOptions(connectTimeout: .seconds(60))

    private func startedServer() throws -> TestServer {
        if let server { return try server.get() }
        let result = Result { try TestServer() }
        server = result
        return try result.get()
    }

    private func makeDatabase(
        template: String,
        migrate: @escaping @Sendable (PostgresPool) async throws -> Void
    ) async throws -> PostgresAddress {
        await enter()
        do {
            let server = try startedServer()
            let task = templates[template] ?? Task { try await self.makeTemplate(server, migrate) }
            templates[template] = task
            let source = try await task.value
            created += 1
            let name = "\(prefix)_\(created)"
            try await run("create database \(name) template \(source)", on: server)
            return server.address.selecting(database: name)
        } catch {
            leave()
            throw error
        }
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
        // A session ends a moment after its connection, and a template must have none.
        try await run("alter database \(name) allow_connections false", on: server)
        try await run(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '\(name)'",
            on: server
        )
        return name
    }

    private func drop(_ name: String) async {
        defer { leave() }
        guard let server = try? startedServer() else { return }
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

    private func enter() async {
        if inUse < Self.concurrentDatabases {
            inUse += 1
        } else {
            // The place is handed over, so the count stays.
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    private func leave() {
        if waiters.isEmpty {
            inUse -= 1
        } else {
            waiters.removeFirst().resume()
        }
    }
}
