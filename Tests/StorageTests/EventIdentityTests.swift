import Events
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time

/// The index `event_identity` in a database with months from before it.
@Suite("Event identity")
struct EventIdentityTests {
    typealias Base = StorageTesting

    /// Months from before migration 0036, without keys: they were received long ago.
    private func withOldDatabase(_ body: @Sendable (StorageTesting) async throws -> Void) async throws {
        try await TestDatabases.withDatabase(template: "Empty", migrate: { _ in }) { database in
            let pool = database.pool
            try await pool.withConnection { connection in
                _ = try Migrator(migrations: Migrator.all.filter { $0.name < "0036" }).migrate(connection)
                try connection.executeScript(
                    """
                    insert into app (app_id, name) values ('shop', 'Shop');
                    select ensure_event_partition(month::date)
                    from generate_series(timestamptz '2025-10-01', '2026-03-01', '1 month') as month;
                    insert into event (app_number, event_id, type, occurred_at, received_at, user_id, transaction_number)
                    select 1, ('11111111-1111-4111-0000-' || lpad(to_hex(n), 12, '0'))::uuid, 'authentication',
                        timestamptz '2025-10-01 12:00Z' + n * interval '1 day', '2025-10-01', 'u' || n, 0
                    from generate_series(1, 150) as n;
                    insert into event_key select app_number, event_id, occurred_at from event;
                    """
                )
                _ = try Migrator().migrate(connection)
            }
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            let app = try await AppStore(pool: pool).app(id: "shop")
            try await writer.whileRunning {
                try await body(StorageTesting(database: database, app: app, writer: writer))
            }
        }
    }

    private func complete(_ base: StorageTesting) async throws {
        try await base.pool.withConnection { try EventIdentityIndex(progress: { _ in }).complete(on: $0) }
    }

    private func indexes(_ base: StorageTesting) async throws -> [String] {
        try await base.texts(
            """
            select indexrelid::regclass::text || case when indisvalid then '' else ' (not valid)' end
            from pg_index
            where indexrelid in ('event_identity'::regclass, to_regclass('event_by_app_and_time'))
            order by 1
            """
        )
    }

    /// 2025-10-01T12:00:00Z.
    private static let first = Base.noon.advanced(by: Base.day * -165)

    @Test func isMadeMonthByMonthWhileEventsAreStored() async throws {
        try await withOldDatabase { base in
            #expect(try await indexes(base) == ["event_by_app_and_time", "event_identity (not valid)"])
            // An interrupted run left a part that is not valid, by this name, and one that is not attached.
            try await base.run(
                """
                create index event_2025_12_identity on event_2025_12 (app_number);
                create unique index event_2026_01_identity on event_2026_01 (app_number, occurred_at, event_id);
                """
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await complete(base) }
                for round in UInt64(0)..<50 {
                    group.addTask {
                        let events = (0..<10).map { Base.event(1_000 + round * 10 + $0, user: "v") }
                        _ = try await base.store(events)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await indexes(base) == ["event_identity"])
            // It may be called again, and a new month gets its part at once.
            try await base.store([Base.event(2_000, at: Base.noon.advanced(by: Base.day * 20), user: "v")])
            try await complete(base)
            #expect(try await indexes(base) == ["event_identity"])
            #expect(try await base.count("select count(*) from event") == 651)
            let missing = try await base.pool.withConnection { try $0.query(StoredSQL.selectMonthsWithoutIdentity) }
            #expect(missing.isEmpty)
        }
    }

    /// The first upkeep of a new version.
    @Test func isMadeBeforeKeysGo() async throws {
        try await withOldDatabase { base in
            _ = try await RetentionStore(pool: base.pool, packed: NothingPacked()).run(
                RetentionPolicy(),
                app: nil,
                isThorough: false,
                now: Base.noon
            )
            #expect(try await indexes(base) == ["event_identity"])
            // Those from 2026-02-12T12:00Z on.
            #expect(try await base.count("select count(*) from event_key") == 17)
            let retries = (1...20).map {
                Base.event(UInt64($0), at: Self.first.advanced(by: Base.day * $0), user: "u\($0)")
            }
            #expect(try await base.store(retries).duplicates == 20)
            #expect(try await base.count("select count(*) from event") == 150)
        }
    }
}
