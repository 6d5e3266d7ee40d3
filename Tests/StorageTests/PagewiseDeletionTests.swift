import Postgres
@testable import Storage
import Testing

@Suite("Deletion page by page")
struct PagewiseDeletionTests {
    /// A table whose rows are elsewhere has no pages: those of a partitioned table are in its partitions, those of a
    /// distributed table on other servers. Nothing would be deleted, and the receipt would say that nothing was there.
    @Test func refusesATableWhoseRowsAreElsewhere() async throws {
        try await StorageTesting.with { base in
            try await base.store([StorageTesting.event(1, user: "u")])
            await #expect(throws: DistributionError.nothingDeleted(table: "event")) {
                try await base.pool.withConnection { connection in
                    _ = try PagewiseDeletion(table: "event", condition: "true", parameters: [], apps: [base.app.number])
                        .run(on: connection, stage: "deleting", progress: { _ in })
                }
            }
            #expect(try await base.count("select count(*) from event") == 1)
        }
    }

    @Test func deletesNothingFromAnEmptyTable() async throws {
        try await StorageTesting.with { base in
            let count = try await base.pool.withConnection { connection in
                try PagewiseDeletion(table: "event_key", condition: "true", parameters: [], apps: [base.app.number])
                    .run(on: connection, stage: "deleting", progress: { _ in })
            }
            #expect(count == 0)
        }
    }
}
