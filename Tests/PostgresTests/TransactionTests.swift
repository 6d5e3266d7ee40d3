import Postgres
import PostgresTesting
import Testing

@Suite struct TransactionTests {
    private struct Stop: Error {}

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

    @Test func commitsWhatReturns() async throws {
        try await Self.withCounter { connection in
            let result = try connection.transaction {
                try connection.execute("insert into counter values (1)")
                let isOpen = connection.isInTransaction
                #expect(isOpen)
                return "done"
            }
            #expect(result == "done")
            let isOpen = connection.isInTransaction
            #expect(!isOpen)
            try #expect(connection.query("select n from counter").count == 1)
        }
    }

    @Test func rollsBackWhatThrows() async throws {
        try await Self.withCounter { connection in
            #expect(throws: Stop.self) {
                try connection.transaction {
                    try connection.execute("insert into counter values (1)")
                    throw Stop()
                }
            }
            try #expect(connection.query("select n from counter").isEmpty)
        }
    }

    @Test(arguments: ["40001", "40P01"])
    func runsAgainWhatLosesAgainstAnother(state: String) async throws {
        try await Self.withCounter { connection in
            var runs = 0
            let fail = "do $$ begin raise exception 'lost' using errcode = '\(state)'; end $$"
            try connection.transaction(isolation: .repeatableRead, attempts: 3) {
                runs += 1
                try connection.execute("insert into counter values (1)")
                if runs < 3 { try connection.execute(fail) }
            }
            #expect(runs == 3)
            try #expect(connection.query("select n from counter").count == 1)
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(attempts: 3) { _ = try connection.execute(fail) }
            }
            #expect(error?.sqlState == state)
        }
    }

    @Test func aSwallowedErrorDoesNotCommit() async throws {
        try await Self.withCounter { connection in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction {
                    try connection.execute("insert into counter values (1)")
                    _ = try? connection.execute("select 1 / 0")
                }
            }
            #expect(error?.sqlState == "25P02")
            try #expect(connection.query("select n from counter").isEmpty)
        }
    }

    @Test func writesNothingWhereTheOperatorAsksForNoWrites() async throws {
        try await Self.withCounter { connection in
            try connection.executeScript("set default_transaction_read_only = on")
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction { try connection.execute("insert into counter values (1)") }
            }
            #expect(error?.isReadOnly == true)
            #expect(error?.isUnavailable == true)
        }
    }

    @Test func aReadOnlyTransactionDoesNotWrite() async throws {
        try await Self.withCounter { connection in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                    try #expect(connection.query("show transaction_isolation")[0].text(0) == "repeatable read")
                    try connection.execute("insert into counter values (1)")
                }
            }
            #expect(error?.isReadOnly == true)
        }
    }

    @Test func transactionsDoNotNest() async throws {
        try await Self.withCounter { connection in
            let error = #expect(throws: PostgresError.self) {
                try connection.transaction { try connection.transaction {} }
            }
            #expect(error?.kind == .misuse)
            let isOpen = connection.isInTransaction
            #expect(!isOpen)
        }
    }

    @Test func aLostTransactionRunsAgain() async throws {
        try await TestDatabases.withDatabase { database in
            try await database.pool.withConnection {
                try $0.executeScript("create table counter (n integer); insert into counter values (0)")
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 {
                            try await database.pool.withTransaction(isolation: .serializable, attempts: 1000) {
                                connection in
                                let n = try connection.query("select n from counter")[0].int64(0)
                                try connection.execute("update counter set n = $1", [.int(n + 1)])
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await #expect(database.pool.withConnection { try $0.query("select n from counter")[0].int(0) } == 40)
        }
    }

}
