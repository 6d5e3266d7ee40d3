import Postgres
import PostgresTesting
@testable import Storage
import Testing

@Suite("Sending from a copy")
struct OutgoingGateTests {
    typealias Base = StorageTesting

    private static func pass(_ base: StorageTesting) async throws -> OutgoingGate {
        try await base.pool.withConnection { try OutgoingGate.pass(on: $0) }
    }

    private static func makeWebhook(_ base: StorageTesting) async throws {
        try await base.run(
            """
            insert into webhook (webhook_id, app_number, url, parameter_names, parameter_values, settle, secret, position)
            select 'wh_1', app_number, 'https://example.com', '{}', '{}', interval '1 day', '', 1 from app
            """
        )
    }

    /// The numbers of the server, of the database and of the table are others elsewhere. The last one is `pg_restore`
    /// over the same database.
    @Test(
        .disabled(if: TestDatabases.usesCitus, "it makes a table by hand"),
        arguments: [
            "update outgoing set home = regexp_replace(home, '^\\d+', '1')",
            "update outgoing set home = regexp_replace(home, ' \\d+ ', ' 1 ')",
            """
            create table restored (like outgoing including all);
            insert into restored select * from outgoing;
            drop table outgoing;
            alter table restored rename to outgoing
            """,
        ]
    )
    func isForbiddenUntilSomebodyAllowsIt(copying: String) async throws {
        try await Base.with { base in
            #expect(try await Self.pass(base) == .open)
            try await Self.makeWebhook(base)
            try await base.run(copying)
            #expect(try await Self.pass(base) == .copied)
            #expect(try await Self.pass(base) == .copied)
            #expect(try await base.count("select next_number from webhook") == 1)
            try await base.pool.withConnection { try OutgoingGate.resume(on: $0) }
            #expect(try await Self.pass(base) == .open)
            // The numbers of its original do not come again.
            #expect(try await base.count("select next_number from webhook") > 1_000_000_000_000)
        }
    }

    @Test func goesOnAfterAPromotionWithOtherNumbers() async throws {
        try await Base.with { base in
            #expect(try await Self.pass(base) == .open)
            try await Self.makeWebhook(base)
            try await base.run("update outgoing set timeline_id = timeline_id + 1")
            #expect(try await Self.pass(base) == .open)
            let raised = try await base.count("select next_number from webhook")
            #expect(raised > 1_000_000_000_000)
            #expect(try await Self.pass(base) == .open)
            #expect(try await base.count("select next_number from webhook") == raised)
        }
    }

    /// Before a daemon has asked, as in a base backup that is tried.
    @Test func canBeForbidden() async throws {
        try await Base.with { base in
            try await base.pool.withConnection { try OutgoingGate.pause(on: $0) }
            #expect(try await Self.pass(base) == .paused)
            #expect(try await base.pool.withConnection { try OutgoingGate.state(on: $0) } == .paused)
            try await base.pool.withConnection { try OutgoingGate.resume(on: $0) }
            #expect(try await Self.pass(base) == .open)
        }
    }
}
