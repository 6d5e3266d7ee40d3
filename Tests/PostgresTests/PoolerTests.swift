import Postgres
import PostgresTesting
import Testing

@Suite("Behind PgBouncer", .enabled(if: PgBouncer.isInstalled))
struct PoolerTests {
    @Test func sessionModeWorksAsItComes() async throws {
        try await TestDatabases.withDatabase { database in
            let bouncer = try PgBouncer(.session, for: database.address)
            defer { withExtendedLifetime(bouncer) {} }
            let pool = PostgresPool(address: bouncer.address(database.address.database), size: 3)
            let settings = ["TimeZone", "IntervalStyle", "statement_timeout", "search_path"]
            let values = try await pool.withConnection { connection in
                try settings.map { try connection.query("select current_setting($1)", [.text($0)])[0].text(0) }
            }
            #expect(values == ["UTC", "postgres", "1min", "public"])
            try await pool.withConnection { try $0.executeScript("create table thing (number bigint)") }
            try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    group.addTask {
                        try await pool.withTransaction { connection in
                            for _ in 0..<3 {
                                try connection.execute("insert into thing values ($1)", [.int(Int64(number))])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await #expect(pool.withConnection { try $0.query("select count(*) from thing")[0].int(0) } == 180)
            await pool.close()
        }
    }

    /// Runs a body while other clients of the pooler work.
    private func whileOthersWork(_ address: PostgresAddress, _ body: () async throws -> Void) async throws {
        let others = try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { try await PostgresConnection.connect(to: address) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let work = others.map { connection in
            Task {
                while !Task.isCancelled { try await connection.run { try $0.executeScript("select pg_sleep(0.001)") } }
            }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for task in work { task.cancel() }
        for task in work { _ = await task.result }
        for connection in others { await connection.close() }
        try result.get()
    }

    private static let sizes = [["default_pool_size = 1"], ["default_pool_size = 5"], ["server_round_robin = 1"]]

    @Test(arguments: [PgBouncer.Mode.transaction, .statement], sizes)
    func otherModesAreRefused(mode: PgBouncer.Mode, settings: [String]) async throws {
        try await TestDatabases.withDatabase { database in
            let bouncer = try PgBouncer(mode, for: database.address, settings: settings)
            defer { withExtendedLifetime(bouncer) {} }
            let address = bouncer.address(database.address.database)
            let refuse = {
                let pool = PostgresPool(address: address, size: 2)
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withConnection { try $0.execute("select 1") }
                }
                #expect(error?.kind == .unsuitablePooler, "\(String(describing: error))")
                #expect(error?.description.contains("pool_mode = session") == true)
                await pool.close()
            }
            await refuse()
            try await whileOthersWork(address, refuse)
        }
    }

    @Test func sessionModeIsNeverTakenForAnother() async throws {
        try await TestDatabases.withDatabase { database in
            let bouncer = try PgBouncer(.session, for: database.address)
            defer { withExtendedLifetime(bouncer) {} }
            let address = bouncer.address(database.address.database)
            try await whileOthersWork(address) {
                for _ in 0..<20 {
                    let pool = PostgresPool(address: address, size: 2)
                    try await pool.withConnection { _ = try $0.execute("select 1") }
                    await pool.close()
                }
            }
        }
    }

    /// Only an address, or the environment, can still send any.
    @Test func optionsInTheStartPacketAreNamed() async throws {
        try await TestDatabases.withDatabase { database in
            let bouncer = try PgBouncer(.session, for: database.address)
            defer { withExtendedLifetime(bouncer) {} }
            let address = bouncer.address(database.address.database)
            let error = await #expect(throws: PostgresError.self) {
                try await PostgresConnection.connect(to: PostgresAddress(address.keywords + " options='-c jit=off'"))
            }
            #expect(error?.kind == .unsuitablePooler)
            #expect(error?.description.contains("remove 'options'") == true)
        }
    }
}
