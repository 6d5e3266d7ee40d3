import Postgres
import PostgresTesting
import Testing

@Suite struct PipelineTests {
    private struct Stop: Error {}

    private static let insert = "insert into counter values ($1::integer)"

    private static func withCounter(
        _ body: @Sendable (isolated PostgresConnection) throws -> Void
    ) async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection { connection in
                try connection.executeScript("create table counter (n integer constraint counter_n_key unique)")
                try body(connection)
            }
        }
    }

    private static func count(on connection: isolated PostgresConnection) throws -> Int64 {
        try connection.query("select count(*) from counter")[0].int64(0)
    }

    /// A text first runs unnamed, then is prepared, and then runs prepared.
    @Test func runsWhatIsDeferredWithTheNextStatement() async throws {
        try await Self.withCounter { connection in
            for round in 0..<4 {
                try connection.transaction(opening: ["set local enable_seqscan = off"]) {
                    try connection.executeWithNext(Self.insert, [.int(Int64(round))])
                    let row = try connection.query(
                        "select count(*), current_setting('enable_seqscan'), pg_current_xact_id_if_assigned() is not null from counter"
                    )[0]
                    try #expect(row.int64(0) == Int64(round + 1))
                    try #expect(row.text(1) == "off")
                    try #expect(row.bool(2))
                }
                try #expect(connection.query("show enable_seqscan")[0].text(0) == "on")
            }
            try #expect(Self.count(on: connection) == 4)
        }
    }

    @Test func runsWhatIsDeferredWithTheCommit() async throws {
        try await Self.withCounter { connection in
            for round in 0..<4 {
                try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext(Self.insert, [.int(Int64(round))])
                }
                let isOpen = connection.isInTransaction
                #expect(!isOpen)
            }
            try #expect(Self.count(on: connection) == 4)
        }
    }

    @Test func givesTheResultOfEach() async throws {
        try await Self.withCounter { connection in
            for _ in 0..<3 {
                let results = try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext("select 2")
                    return [
                        try connection.query("select $1::integer + 1", [.int(2)]),
                        try connection.query("select g from generate_series(1, 3) as g"),
                    ]
                }
                #expect(results.count == 2)
                try #expect(results[0][0].int64(0) == 3)
                #expect(results[1].count == 3)
            }
        }
    }

    @Test func worksWhileTheServerDoes() async throws {
        try await Self.withCounter { connection in
            for round in 0..<3 as Range<Int64> {
                var work = 0
                let results = try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext("select 2")
                    return try connection.query([
                        (Self.insert + " returning n", [.int(round)]), ("select 10 + $1::integer", [.int(round)]),
                    ]) { work += 1 }
                }
                #expect(work == 1)
                #expect(results.count == 2)
                try #expect(results[0][0].int64(0) == round)
                try #expect(results[1][0].int64(0) == 10 + round)
            }
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction {
                    _ = try connection.query([(Self.insert, [.int(0)]), ("select 1", [])]) {}
                }
            }
            #expect(error?.constraint == "counter_n_key")
            try #expect(Self.count(on: connection) == 3)
        }
    }

    @Test func asksNothingOfTheServerForNothing() async throws {
        try await Self.withCounter { connection in
            try connection.transaction(opening: ["select 1 / 0"]) {
                let isOpen = connection.isInTransaction
                #expect(isOpen)
            }
            let isOpen = connection.isInTransaction
            #expect(!isOpen)
        }
    }

    @Test(arguments: [1, 2, 3])
    func anErrorUndoesAllAndIsThrown(round: Int) async throws {
        try await Self.withCounter { connection in
            for _ in 1..<round {
                try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext("select 1 / $1::integer", [.int(1)])
                    try connection.execute("select 7")
                }
            }
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext(Self.insert, [.int(1)])
                    try connection.executeWithNext("select 1 / $1::integer", [.int(0)])
                    try connection.execute("select 7")
                }
            }
            #expect(error?.sqlState == "22012")
            #expect(error?.statement == "select 1 / $1::integer")
            let isUsable = connection.isUsable
            let isOpen = connection.isInTransaction
            #expect(isUsable && !isOpen)
            try #expect(Self.count(on: connection) == 0)
            // The statement after the error was not prepared. It is prepared the next time.
            for _ in 0..<3 {
                let row = try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext(Self.insert + " on conflict do nothing", [.int(1)])
                    return try connection.query("select 7")[0]
                }
                try #expect(row.int64(0) == 7)
            }
        }
    }

    @Test func anErrorBeforeTheCommitKeepsItFromCommitting() async throws {
        try await Self.withCounter { connection in
            for _ in 0..<3 {
                let error = #expect(throws: PostgresError.self) {
                    try connection.transaction(opening: ["select 1"]) {
                        try connection.execute(Self.insert, [.int(1)])
                        try connection.executeWithNext(Self.insert, [.int(1)])
                    }
                }
                #expect(error?.sqlState == "23505")
                try #expect(Self.count(on: connection) == 0)
            }
        }
    }

    @Test func aSwallowedErrorDoesNotCommit() async throws {
        try await Self.withCounter { connection in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(opening: ["select 1"]) {
                    _ = try? connection.execute("select 1 / 0")
                    try connection.executeWithNext(Self.insert, [.int(1)])
                }
            }
            #expect(error?.sqlState == "25P02")
            try #expect(Self.count(on: connection) == 0)
        }
    }

    @Test func whatIsDeferredGoesWithItsTransaction() async throws {
        try await Self.withCounter { connection in
            #expect(throws: Stop.self) {
                try connection.transaction(opening: ["select 1"]) {
                    try connection.executeWithNext(Self.insert, [.int(1)])
                    throw Stop()
                }
            }
            try connection.execute("select 1")
            try #expect(Self.count(on: connection) == 0)
            let error = #expect(throws: PostgresError.self) { try connection.executeWithNext("select 1") }
            #expect(error?.kind == .misuse)
        }
    }

    @Test func runsWhatIsDeferredBeforeACopy() async throws {
        try await Self.withCounter { connection in
            let data = PostgresCopyData()
            data.beginRow(fields: 1)
            data.append(int32: 2)
            try connection.transaction(opening: ["select 1"]) {
                try connection.executeWithNext(Self.insert, [.int(1)])
                try connection.copyIn("copy counter from stdin (format binary)", data)
                try connection.executeWithNext(Self.insert, [.int(3)])
            }
            try #expect(Self.count(on: connection) == 3)
        }
    }

    @Test func aCopyAmongThemIsAnError() async throws {
        try await TestDatabases.withDatabase { database in
            for copy in ["copy pg_class to stdout", "copy pg_class from stdin"] {
                await #expect(throws: PostgresError.self) {
                    try await database.pool.withConnection { connection in
                        try connection.transaction(opening: ["select 1"]) { _ = try connection.execute(copy) }
                    }
                }
                let one = try await database.pool.withConnection { try $0.query("select 1")[0].int64(0) }
                #expect(one == 1)
            }
        }
    }

    @Test func aLostConnectionIsToldAsSuch() async throws {
        try await TestDatabases.withDatabase { database in
            let error = await #expect(throws: PostgresError.self) {
                try await database.pool.withConnection { connection in
                    try connection.transaction(opening: ["select 1"]) {
                        try connection.executeWithNext("select pg_terminate_backend(pg_backend_pid())")
                        try connection.execute("select 1")
                    }
                }
            }
            #expect(error?.isUnavailable == true)
            let one = try await database.pool.withConnection { try $0.query("select 1")[0].int64(0) }
            #expect(one == 1)
        }
    }

    @Test func aStatementThatTakesTooLongIsCancelled() async throws {
        try await Self.withCounter { connection in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(opening: ["set local statement_timeout = 20"]) {
                    try connection.executeWithNext(Self.insert, [.int(1)])
                    try connection.execute("select pg_sleep(60)")
                }
            }
            #expect(error?.sqlState == "57014")
            try #expect(Self.count(on: connection) == 0)
        }
    }
}
