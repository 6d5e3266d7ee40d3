import PostgresTesting
import Synchronization
import Testing

@testable import Postgres

@Suite struct CancellationTests {
    /// Waits until the server runs a statement of this text.
    private static func waitUntilRunning(_ text: String, _ database: TestDatabase) async throws {
        let watcher = try await PostgresConnection.connect(to: database.address)
        while try await watcher.query(
            """
            select from pg_stat_activity
            where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()
            """,
            [.text("%\(text)%")]
        ).isEmpty {
            await Task.yield()
        }
        await watcher.close()
    }

    @Test func cancellingTheTaskCancelsTheStatement() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let task = Task {
                try await database.pool.withConnection { try $0.execute("select pg_sleep(600)") }
            }
            try await Self.waitUntilRunning("pg_sleep", database)
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.isCancelled == true)
            #expect(error?.kind == .cancelled)
            // The pool still works, and no late cancel request hits the next user.
            for _ in 0..<50 {
                try await #expect(database.pool.withConnection { try $0.query("select 1")[0].int(0) } == 1)
            }
        }
    }

    @Test func noStatementBeginsAfterwards() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let task = Task {
                try await database.pool.withConnection { connection in
                    try connection.transaction {
                        try connection.executeScript("create table left_over (a integer)")
                        while true {
                            _ = try connection.query("select 'endless'")
                        }
                    }
                }
            }
            try await Self.waitUntilRunning("endless", database)
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.isCancelled == true)
            try await database.pool.withConnection { connection in
                let isOpen = connection.isInTransaction
                #expect(!isOpen)
                try #expect(connection.query("select to_regclass('left_over')::text")[0].optionalText(0) == nil)
            }
        }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        try await TestDatabases.withDatabase { database in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await database.pool.withConnection { try $0.query("select 1").count }
            }
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.isCancelled == true)
        }
    }

    @Test func cancellingEndsACopyOut() async throws {
        try await TestDatabases.withDatabase(poolSize: 1) { database in
            let task = Task {
                try await database.pool.withConnection { connection in
                    try connection.copyOut(
                        "copy (select generate_series(1, 10000000000), pg_sleep(0.0001)) to stdout (format binary)"
                    ) { _ in }
                }
            }
            try await Self.waitUntilRunning("copy (select", database)
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.isCancelled == true)
            try await #expect(database.pool.withConnection { try $0.query("select 1")[0].int(0) } == 1)
        }
    }

    @Test func cancellingEndsACopyIn() async throws {
        try await TestDatabases.withDatabase(poolSize: 2) { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create table thing (a bigint)")
            }
            let blocker = try await PostgresConnection.connect(to: database.address)
            try await blocker.executeScript("begin; lock table thing")
            let task = Task {
                try await database.pool.withConnection { connection in
                    let data = PostgresCopyData()
                    for number in 0..<Int64(100_000) {
                        data.beginRow(fields: 1)
                        data.append(int64: number)
                    }
                    return try connection.copyIn("copy thing from stdin (format binary)", data)
                }
            }
            try await Self.waitUntilRunning("copy thing", database)
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.isCancelled == true)
            try await blocker.executeScript("rollback")
            await blocker.close()
            try await #expect(
                database.pool.withConnection { try $0.query("select count(*) from thing")[0].int(0) } == 0
            )
        }
    }

    /// Bytes that come from elsewhere are not asked for any more.
    @Test func aCancelledUseSendsNoMoreBytes() async throws {
        try await TestDatabases.withDatabase { database in
            let connection = try await PostgresConnection.connect(to: database.address)
            try await connection.executeScript("create table thing (a bigint)")
            let asked = Mutex(0)
            let task = Task {
                try await connection.run { connection in
                    let rows = PostgresCopyData()
                    rows.beginRow(fields: 1)
                    rows.append(int64: 7)
                    var chunks: [[UInt8]] = []
                    _ = rows.forEachChunk { chunk in
                        chunks.append(Array(chunk))
                        return true
                    }
                    return try connection.copyInBytes("copy thing from stdin (format binary)") {
                        let number = asked.withLock { asked in
                            defer { asked += 1 }
                            return asked
                        }
                        if number == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                        return number < chunks.count ? chunks[number] : nil
                    }
                }
            }
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            let count = asked.withLock { $0 }
            #expect(error?.isCancelled == true && count == 1)
            #expect(await connection.isUsable)
            #expect(try await connection.query("select count(*) from thing")[0].int(0) == 0)
            await connection.close()
        }
    }

    @Test func aConnectionOfOnesOwnSurvivesItsCancellation() async throws {
        try await TestDatabases.withDatabase { database in
            let connection = try await PostgresConnection.connect(to: database.address)
            let task = Task { try await connection.run { try $0.execute("select pg_sleep(600)") } }
            try await Self.waitUntilRunning("pg_sleep", database)
            task.cancel()
            await #expect(throws: PostgresError.self) { try await task.value }
            #expect(await connection.isUsable)
            #expect(try await connection.query("select 1")[0].int(0) == 1)
            await connection.close()
        }
    }
}
