import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Who holds a lock")
struct LockHolderTests {
    @Test func isNamedWithTheTable() async throws {
        try await StorageTesting.with { base in
            #expect(try await LockHolder.find(on: base.pool) == nil)
            let other = try await PostgresConnection.connect(to: base.database.address)
            try await other.executeScript("set application_name = 'psql'; begin; lock table app_rules")
            #expect(try await LockHolder.find(on: base.pool) == "‘psql’ on the table app_rules")
            try await other.executeScript("rollback")
            #expect(try await LockHolder.find(on: base.pool) == nil)
            await other.close()
        }
    }
}
