import Postgres
@testable import Storage
import Testing
import Time

/// Indexes of months that are over. Noon is 2026-03-15.
@Suite("Dense indexes")
struct DenseIndexTests {
    typealias Base = StorageTesting

    private func withMonths(_ body: @Sendable (StorageTesting) async throws -> Void) async throws {
        try await Base.with { base in
            try await base.run(
                """
                select ensure_event_partition(month::date)
                from generate_series(timestamptz '2026-01-01', '2026-03-01', '1 month') as month;
                insert into event (app_number, event_id, type, occurred_at, received_at, user_id, transaction_number)
                select \(base.app.number), gen_random_uuid(), 'authentication', timestamptz '2026-01-02Z' + n % 3 * interval '30 days',
                    '2026-03-15', 'u' || n * 7919 % 5003, 0
                from generate_series(1, 15000) as n;
                """
            )
            try await body(base)
        }
    }

    private func make(_ base: StorageTesting, limit: Int = .max, now: Timestamp = Base.noon) async throws {
        try await base.pool.withConnection {
            try DenseIndexes(now: now, limit: limit, progress: { _ in }).make(on: $0)
        }
    }

    /// Names and files: a rebuilt index has a new file.
    private func files(_ base: StorageTesting, month: String) async throws -> [String] {
        try await base.texts(
            """
            select relname || ' ' || relfilenode
            from pg_index join pg_class on pg_class.oid = indexrelid
            where indrelid = '\(month)'::regclass and relam = (select oid from pg_am where amname = 'btree')
            order by 1
            """
        )
    }

    private func bytes(_ base: StorageTesting, month: String) async throws -> Int {
        try await base.count("select pg_indexes_size('\(month)')")
    }

    @Test func areMadeOnceForMonthsThatAreOver() async throws {
        try await withMonths { base in
            let (before, open) = (
                try await bytes(base, month: "event_2026_01"), try await files(base, month: "event_2026_03")
            )
            let loose = try await files(base, month: "event_2026_01")
            try await make(base)
            #expect(try await bytes(base, month: "event_2026_01") < before * 9 / 10)
            #expect(try await files(base, month: "event_2026_03") == open)
            let dense = try await files(base, month: "event_2026_01")
            #expect(dense.count == loose.count && Set(dense).isDisjoint(with: loose))
            try await make(base)
            #expect(try await files(base, month: "event_2026_01") == dense)
            // The partitioned indexes still have and use their parts.
            #expect(try await base.count("select count(*) from pg_index where not indisvalid") == 0)
            await #expect(throws: PostgresError.self) {
                try await base.run(
                    """
                    insert into event (app_number, event_id, type, occurred_at, received_at, transaction_number)
                    select app_number, event_id, type, occurred_at, received_at, 0 from event_2026_01 limit 1
                    """
                )
            }
        }
    }

    @Test func areMadeForSomeMonthsARun() async throws {
        try await withMonths { base in
            let february = try await files(base, month: "event_2026_02")
            try await make(base, limit: 1)
            #expect(try await files(base, month: "event_2026_02") == february)
            try await make(base, limit: 1)
            #expect(try await files(base, month: "event_2026_02") != february)
        }
    }

    /// A month is over a week after its end.
    @Test func waitForLateEvents() async throws {
        try await withMonths { base in
            let february = try await files(base, month: "event_2026_02")
            try await make(base, now: Base.noon.advanced(by: Base.day * -9))
            #expect(try await files(base, month: "event_2026_02") == february)
            try await make(base, now: Base.noon.advanced(by: Base.day * -6))
            #expect(try await files(base, month: "event_2026_02") != february)
        }
    }

    @Test func areMadeAfterAnInterruption() async throws {
        try await withMonths { base in
            let loose = try await files(base, month: "event_2026_01")
            try await base.run(
                """
                create index event_2026_01_left_ccnew on event_2026_01 (event_id);
                update pg_index set indisvalid = false where indexrelid = 'event_2026_01_left_ccnew'::regclass;
                """
            )
            try await make(base)
            let dense = try await files(base, month: "event_2026_01")
            #expect(dense.count == loose.count && Set(dense).isDisjoint(with: loose))
        }
    }

    @Test func areMadeWhileEventsAreStored() async throws {
        try await withMonths { base in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await make(base) }
                for round in UInt64(0)..<40 {
                    group.addTask {
                        let time = Base.noon.advanced(by: Base.day * -60)
                        // Each is sent twice.
                        let events = (0..<10).map { Base.event(1_000 + round / 2 * 10 + $0, at: time, user: "v") }
                        _ = try await base.store(events)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await base.count("select count(*) from event") == 15_200)
            #expect(try await base.count("select count(*) from pg_index where not indisvalid") == 0)
        }
    }
}
