import Postgres
import PostgresTesting
import Testing

@Suite struct PoolTests {
    @Test func neverHasMoreConnectionsThanItsSize() async throws {
        try await TestDatabases.withDatabase(poolSize: 3) { database in
            let processes = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await database.pool.withConnection { connection in
                            try connection.execute("select pg_sleep(0.001)")
                            return connection.serverProcess
                        }
                    }
                }
                return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
            }
            #expect((1...3).contains(processes.count))
        }
    }

    @Test func usesAConnectionAgain() async throws {
        try await TestDatabases.withDatabase { database in
            var processes: Set<Int32> = []
            for _ in 0..<10 {
                processes.insert(try await database.pool.withConnection { $0.serverProcess })
            }
            #expect(processes.count == 1)
        }
    }

    @Test func replacesAConnectionThatEndedWhileIdle() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let first = try await database.pool.withConnection { $0.serverProcess }
            let admin = try await PostgresConnection.connect(to: database.address)
            #expect(try await admin.query("select pg_terminate_backend($1, 60000)", [.int(Int64(first))])[0].bool(0))
            await admin.close()
            let second = try await database.pool.withConnection { connection in
                try connection.execute("select 1")
                return connection.serverProcess
            }
            #expect(first != second)
        }
    }

    @Test func replacesAConnectionThatEndedInUse() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection {
                    try $0.execute("select pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(error?.isUnavailable == true)
            try await #expect(database.pool.withConnection { try $0.query("select 1")[0].int(0) } == 1)
        }
    }

    @Test func rollsBackWhatAUserLeftOpen() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            try await database.pool.withConnection { try $0.executeScript("begin; create table left_over (a integer)") }
            try await database.pool.withConnection { connection in
                let isOpen = connection.isInTransaction
                #expect(!isOpen)
                try #expect(connection.query("select to_regclass('left_over')::text")[0].optionalText(0) == nil)
            }
        }
    }

    @Test func anErrorOfTheBodyIsThrownAsItIs() async throws {
        struct Mine: Error {}
        try await TestDatabases.withDatabase { database in
            await #expect(throws: Mine.self) { try await database.pool.withConnection { _ in throw Mine() } }
        }
    }

    @Test func aClosedPoolRefuses() async throws {
        let pool = PostgresPool(address: try await TestDatabases.serverAddress(), size: 1)
        try await #expect(pool.withConnection { try $0.query("select 1").count } == 1)
        await pool.close()
        await pool.close()
        let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { $0.serverProcess } }
        #expect(error?.kind == .closed)
    }

    @Test func closingWaitsForTheWorkThatGoesOn() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { try $0.executeScript("create table work (a integer)") }
            let pool = PostgresPool(address: database.address, size: 1)
            let started = AsyncStream.makeStream(of: Void.self)
            let work = Task {
                try await pool.withConnection { connection in
                    started.continuation.finish()
                    try connection.executeScript("select pg_sleep(0.05); insert into work values (1)")
                }
            }
            for await _ in started.stream {}
            await pool.close()
            try await #expect(database.pool.withConnection { try $0.query("select from work").count } == 1)
            try await work.value
        }
    }

    @Test func aSessionThatTakesTooLongIsGivenUp() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection(limit: .milliseconds(50)) { connection in
                    try connection.execute("select pg_sleep(600)")
                }
            }
            #expect(error?.kind == .connectionLost)
            #expect(error?.isUnavailable == true)
            // The next user gets a new session, and its whole time limit.
            try await #expect(database.pool.withConnection { try $0.query("select 1")[0].int(0) } == 1)
        }
    }

    @Test func aUseThatEndsInTimeKeepsItsSession() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let pool = database.pool
            let first = try await pool.withConnection { $0.serverProcess }
            for _ in 0..<20 {
                let process = try await pool.withConnection(limit: .seconds(60)) { connection in
                    try connection.execute("select 1")
                    return connection.serverProcess
                }
                #expect(process == first)
            }
        }
    }

    @Test func abortingBreaksOffTheWorkThatGoesOn() async throws {
        try await TestDatabases.withDatabase { database in
            let pool = PostgresPool(address: database.address, size: 1)
            let started = AsyncStream.makeStream(of: Void.self)
            let work = Task {
                try await pool.withConnection { connection in
                    started.continuation.finish()
                    try connection.executeScript("select pg_sleep(600)")
                }
            }
            for await _ in started.stream {}
            pool.abort()
            let error = await #expect(throws: PostgresError.self) { try await work.value }
            #expect(error?.kind == .connectionLost)
            await pool.close()
            let later = await #expect(throws: PostgresError.self) { try await pool.withConnection { $0.serverProcess } }
            #expect(later?.kind == .closed)
        }
    }

    @Test func abortingGivesUpAConnectionThatIsBeingMade() async throws {
        let listener = try SilentListener()
        let address = PostgresAddress(host: "127.0.0.1", port: listener.port, database: "x", user: "ann")
        let pool = PostgresPool(
            address: address,
            size: 1,
            options: PostgresOptions(connectTimeout: .seconds(30)),
            connectAttempts: 1
        )
        let work = Task { try await pool.withConnection { $0.serverProcess } }
        while pool.usage.inUse == 0 { await Task.yield() }
        pool.abort()
        let error = await #expect(throws: PostgresError.self) { try await work.value }
        #expect(error?.kind == .closed)
        await pool.close()
    }

    @Test func aMissingServerIsToldAfterTheAttempts() async throws {
        let address = PostgresAddress(host: "127.0.0.1", port: 1, database: "x", user: "ann")
        let pool = PostgresPool(address: address, size: 1, connectAttempts: 2)
        for _ in 0..<3 {
            let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { $0.serverProcess } }
            #expect(error?.isUnavailable == true)
        }
        await pool.close()
    }

    @Test func aWaiterThatIsCancelledLeaves() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let pool = database.pool
            let holding = AsyncStream.makeStream(of: Void.self)
            let blocker = try await PostgresConnection.connect(to: database.address)
            try await blocker.executeScript("select pg_advisory_lock(7)")
            let holder = Task {
                try await pool.withConnection { connection in
                    holding.continuation.finish()
                    try connection.execute("select pg_advisory_lock(7)")
                }
            }
            for await _ in holding.stream {}
            let waiter = Task { try await pool.withConnection { $0.serverProcess } }
            waiter.cancel()
            let error = await #expect(throws: PostgresError.self) { try await waiter.value }
            #expect(error?.isCancelled == true)
            try await blocker.executeScript("select pg_advisory_unlock(7)")
            try await holder.value
            await blocker.close()
        }
    }
}
