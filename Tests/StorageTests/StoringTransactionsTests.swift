import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Transactions that store events")
struct StoringTransactionsTests {
    /// One that says of which apps it stores, as on a cluster, keeps back nobody who waits for others.
    @Test func areWaitedForByApp() async throws {
        try await StorageTesting.with { base in
            func waitedFor(by app: Int32?) async throws -> Int {
                try await base.pool.withConnection { try StoringTransactions.running(of: app, on: $0).count }
            }
            let storing = try await PostgresConnection.connect(to: base.database.address)
            try await storing.executeScript("begin; lock table only event in row exclusive mode")
            for app in [nil, 1, 2] as [Int32?] { #expect(try await waitedFor(by: app) == 1) }
            try await storing.executeScript(
                "select pg_advisory_xact_lock_shared(\(StoringTransactions.mark), app) from unnest('{2,3}'::integer[]) as app"
            )
            for (app, count) in [(nil, 1), (1, 0), (2, 1), (3, 1)] as [(Int32?, Int)] {
                #expect(try await waitedFor(by: app) == count)
            }
            try await storing.executeScript("rollback")
            #expect(try await waitedFor(by: nil) == 0)
            await storing.close()
        }
    }
}
