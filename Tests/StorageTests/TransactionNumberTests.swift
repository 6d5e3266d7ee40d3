import Events
import InboundLinks
import Postgres
@testable import Storage
import Testing

@Suite("Transaction numbers", .timeLimit(.minutes(5)))
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

    /// What an open transaction will commit must not fall behind a reader who has gone on.
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

    /// A restored cluster counts its transactions anew.
    @Test func goOnUpwardsInAnotherHistory() async throws {
        try await Base.with { base in
            try await base.store([Base.event(1, user: "u")])
            let before = try await base.count("select transaction_horizon()")
            try await base.pool.withConnection { connection in
                _ = try connection.execute("update transaction_generation set system_identifier = 1")
            }
            let between = try await base.count("select transaction_horizon()")
            #expect(between > before)
            try await base.store([Base.event(2, user: "u")])
            #expect(try await base.count("select max(transaction_number) from event") >= between)
            #expect(try await base.count("select transaction_horizon()") >= between)
        }
    }

    /// Transactions of other tests on the same server hold it back, until they end.
    private static func waitUntilHorizonPasses(_ number: Int64, _ base: StorageTesting) async throws {
        while try await base.count("select transaction_horizon()") <= number { await Task.yield() }
    }
}
