import Events
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time

@Suite("Transaction numbers", .timeLimit(.minutes(30)))
struct TransactionNumberTests {
    typealias Base = StorageTesting

    @Test func lieBelowTheHorizonOnceCommitted() async throws {
        try await Base.with { base in
            let before = try await base.count("select transaction_horizon()")
            try await base.store([Base.event(1, user: "u"), Base.event(2, user: "u")])
            let numbers = try await base.texts("select distinct transaction_number::text from event")
            #expect(numbers.count == 1)
            let number = try #require(numbers.first.flatMap { Int64($0) })
            #expect(number >= before)
            try await Self.waitUntilHorizonPasses(number, base)
        }
    }

    /// A reader must not pass events that an open transaction will still commit.
    @Test func horizonWaitsForOpenTransactions() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u")])
            let (open, horizon) = try await base.pool.withTransaction { first in
                let open = try first.query("select current_transaction_number()")[0].int64(0)
                return (open, try first.query("select transaction_horizon()")[0].int64(0))
            }
            #expect(horizon <= open)
            try await Self.waitUntilHorizonPasses(open, base)
        }
    }

    /// A restored cluster starts its transaction ids again.
    @Test func goOnUpwardsInAnotherHistory() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u")])
            let before = try await base.count("select transaction_horizon()")
            try await base.pool.withConnection { connection in
                _ = try connection.execute("update transaction_generation set system_identifier = 1")
            }
            let between = try await base.count("select transaction_horizon()")
            #expect(between > before)
            // A session belongs to one server, and ends with it.
            let pool = try PostgresPool(address: base.pool.address, size: 1)
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                _ = try await writer.store(
                    Submission(
                        appNumber: base.app.number,
                        keyPrefix: "trib_w_test",
                        receivedAt: Base.noon,
                        events: [Base.event(2, user: "u")]
                    )
                )
            }
            await pool.close()
            #expect(try await base.count("select max(transaction_number) from event") >= between)
            #expect(try await base.count("select transaction_horizon()") >= between)
        }
    }

    /// A dump goes to another server, which stores events, and comes back to its first server. Two sessions store at
    /// the same time.
    @Test(.timeLimit(.minutes(5))) func goOnUpwardsInAHistoryThatIsNotTheNewest() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u")])
            try await base.run("insert into transaction_generation (system_identifier, timeline_id) values (1, 1)")
            let newest = try await base.count("select max(generation) from transaction_generation")
            #expect(try await base.count("select transaction_horizon()") == (newest + 1) << 44)
            let first = try await PostgresConnection.connect(to: base.pool.address)
            let second = try await PostgresConnection.connect(to: base.pool.address)
            try await first.executeScript("begin")
            let number = try await first.query("select current_transaction_number()")[0].int(0)
            async let other = second.query("select current_transaction_number()")[0].int(0)
            try await base.pool.lockWaits()
            try await first.executeScript("commit")
            let otherNumber = try await other
            #expect(number >> 44 > newest)
            #expect(otherNumber >> 44 == number >> 44)
            #expect(try await base.count("select count(*) from transaction_generation") == 2)
            try await Self.waitUntilHorizonPasses(Int64(max(number, otherNumber)), base)
            await first.close()
            await second.close()
        }
    }

    /// If a new generation is rolled back, its session does not remember it.
    @Test func areNotOfAGenerationThatWasRolledBack() async throws {
        struct Undone: Error {}
        try await Base.with { base in
            let pool = try PostgresPool(address: base.pool.address, size: 1)
            await #expect(throws: Undone.self) {
                try await pool.withTransaction { connection in
                    _ = try connection.query("select current_transaction_number()")
                    throw Undone()
                }
            }
            let isKnown = try await pool.withTransaction { connection in
                let number = try connection.query("select current_transaction_number()")[0].int64(0)
                let generations = try connection.query("select generation from transaction_generation")
                return try generations.map { try $0.int64(0) } == [number >> 44]
            }
            #expect(isKnown)
            await pool.close()
        }
    }

    /// Waits, because transactions of other tests on the same server hold the horizon back until they end.
    private static func waitUntilHorizonPasses(_ number: Int64, _ base: StorageTesting) async throws {
        while try await base.count("select transaction_horizon()") <= number { await Task.yield() }
    }
}
