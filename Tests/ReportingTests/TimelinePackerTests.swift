import Events
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import Time
@testable import Timelines

/// Packing while other sessions store, forget and pack.
@Suite("Packing of timelines")
struct TimelinePackerTests {
    private typealias E = OracleEvents

    /// An app with events that can be packed.
    private func with(
        _ events: [Event],
        _ body: @Sendable (TimelinePacker, FigureTesting) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in
            let app = try await testing.makeApp("app")
            try await store(events, of: app, testing)
            try await body(TimelinePacker(app: app, pool: testing.pool), testing)
        }
    }

    private func store(_ events: [Event], of app: App, _ testing: FigureTesting) async throws {
        try await testing.store(events, of: app)
        try await testing.pool.passHorizon()
    }

    private func expectSame(_ packer: TimelinePacker, _ location: SourceLocation = #_sourceLocation) async throws {
        let check = try await TimelineCheck.run(packer.app, on: packer.pool)
        #expect(check?.isSame == true, "\(String(describing: check))", sourceLocation: location)
    }

    /// The first event of a month, of an older transaction, commits while the horizon is read.
    @Test func rebuildsAMonthWhoseFirstEventCommitsDuringIt() async throws {
        try await with([E.event(1, at: 0, user: "ann", E.install)]) { packer, testing in
            try await packer.pack()
            try await testing.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    select ensure_event_partition('2030-01-01');
                    alter function transaction_horizon() rename to known_horizon;
                    create function transaction_horizon() returns bigint
                        language plpgsql
                        volatile
                    as $$
                    begin
                        perform pg_advisory_xact_lock_shared(1);
                        return known_horizon();
                    end
                    $$
                    """
                )
            }
            let options = PostgresOptions(idleInTransactionTimeout: nil)
            let storing = try await PostgresConnection.connect(to: testing.pool.address, options: options)
            let number = try await storing.run { connection in
                try connection.executeScript("begin")
                return try connection.query(
                    """
                    insert into event (app_number, event_id, type, occurred_at, received_at, user_id, transaction_number)
                    values ($1, gen_random_uuid(), 'install', '2030-01-05', now(), 'bob', current_transaction_number())
                    returning transaction_number
                    """,
                    [.int(Int64(packer.app.number))]
                )[0].int(0)
            }
            let holding = try await PostgresConnection.connect(to: testing.pool.address)
            try await holding.executeScript("select pg_advisory_lock(1)")
            async let begun = packer.begin()
            try await testing.pool.lockWaits()
            try await storing.executeScript("commit")
            await storing.close()
            while try await testing.count("select known_horizon()") <= number { await Task.yield() }
            try await holding.executeScript("select pg_advisory_unlock(1)")
            await holding.close()
            let start = try await begun
            #expect(start.months == ["2026-01-01", "2030-01-01"])
            var summary = PackingSummary()
            for month in start.months { summary.add(try await packer.rebuild(month, start)) }
            #expect(try await packer.finish(start, summary))
            try await expectSame(packer)
        }
    }

    @Test func aRebuildThatWasInterruptedGoesOn() async throws {
        let months = [E.event(1, at: 0, user: "ann", E.install), E.event(2, at: 40 * 86_400, user: "bob", E.install)]
        try await with(months) { packer, testing in
            try await packer.pack()
            let start = try await packer.begin()
            _ = try await packer.rebuild(start.months[0], start)
            try await store([E.event(3, at: 60, user: "cy", E.conversion())], of: packer.app, testing)
            let resumed = try await packer.begin()
            #expect(resumed.done == [start.months[0]])
            #expect(resumed.horizon == start.horizon)
            await #expect(throws: TimelineError.self) { try await packer.rebuild(start.months[1], start) }
            // Without the event that came since.
            #expect(try await packer.rebuild() == 2)
            #expect(try await testing.count("select count(*) from timeline_rebuild") == 0)
            try await expectSame(packer)
        }
    }

    /// The segments of its first months lack the property, or have events that are no more.
    @Test(arguments: [
        "select set_config('search_path', current_schema, false)",
        "update timeline_state set revision = revision + 1",
        "insert into app_property (app_number, kind, name, value_limit) select app_number, 'person', 'plan', 5 from app",
    ])
    func startsAgainIfItsSegmentsAreNoLongerRight(change: String) async throws {
        try await with([E.event(1, at: 0, user: "ann", E.install)]) { packer, testing in
            try await packer.pack()
            let start = try await packer.begin()
            _ = try await packer.rebuild(start.months[0], start)
            try await testing.pool.withConnection { try $0.executeScript(change) }
            let isSame = change.hasPrefix("select")
            #expect(try await packer.begin().done == (isSame ? ["2026-01-01"] : []))
            try await packer.rebuild()
            try await expectSame(packer)
        }
    }

    /// Reassigned events are written in pieces, not held until all is read.
    @Test func writesReassignedEventsInPieces() async throws {
        let unknown = (0..<10 as Range<UInt64>).map { number in
            E.event(number + 1, at: Double(number), device: "device-\(number)", .authentication())
        }
        let known = (0..<10 as Range<UInt64>).map { number in
            E.event(number + 11, at: 60, user: "user-\(number)", device: "device-\(number)", .authentication())
        }
        try await with(unknown) { packer, testing in
            var packer = packer
            try await packer.pack()
            try await store(known, of: packer.app, testing)
            try await packer.pack()
            packer.eventsAtOnce = 3
            try await packer.apply()
            try await expectSame(packer)
            // The events that stay, three pieces of three, and one of one.
            #expect(try await testing.count("select count(distinct segment) from timeline_segment") == 5)
            #expect(try await testing.count("select sum(events) from timeline_segment") == 20)
            let unused = "select (select next_segment from timeline_state) - max(segment) from timeline_segment"
            #expect(try await testing.count(unused) == 1)
        }
    }

    /// Otherwise the first piece would contain everything that had been packed.
    @Test func countsAgainIfTimelinesWereForgotten() async throws {
        try await with([E.event(1, at: 0, user: "ann", E.install)]) { packer, testing in
            try await packer.pack()
            try await store([E.event(2, at: 60, user: "ann", E.conversion())], of: packer.app, testing)
            var delta = try await packer.counted(DeltaCount())
            #expect(delta.events == 1)
            try await testing.pool.withTransaction { try TimelineRemoval().forget(packer.app.number, on: $0) }
            var packed = try await packer.pack(before: delta.ends(ofAtMost: 10), countedFrom: delta.packedThrough)
            #expect(packed.events == 0)
            #expect(packed.through == 0)
            delta.pack(packed.events, through: packed.through)
            delta = try await packer.counted(delta)
            #expect(delta.events == 2)
            packed = try await packer.pack(before: delta.ends(ofAtMost: 10), countedFrom: delta.packedThrough)
            #expect(packed.events == 2)
            try await expectSame(packer)
        }
    }
}
