import Events
import InboundLinks
import Postgres
import PostgresTesting
@testable import Reporting
import Storage
import Testing
import RandomTesting
import Time
@testable import Timelines

/// The upkeep of packed timelines, the check that finds differences, and the removal of events.
@Suite("Upkeep of packed timelines")
struct PackedUpkeepTests {
    private func withStream(
        seed: UInt64,
        _ body: @Sendable (App, PostgresPool, RandomStream) async throws -> Void
    ) async throws {
        try await FigureTesting.with { testing in
            let stream = RandomStream.make(seed: seed)
            let app = try await testing.makeApp("app")
            let events = stream.events
            for start in stride(from: 0, to: events.count, by: 10) {
                let batch = Array(events[start..<min(start + 10, events.count)])
                try await testing.writer.store(batch, of: app, receivedAt: stream.now)
            }
            try await testing.pool.passHorizon()
            try await body(app, testing.pool, stream)
        }
    }

    @Test func oneSessionPacksAtATime() async throws {
        try await FigureTesting.with { testing in
            let pool = testing.pool
            let first = try PostgresPool(address: pool.address, size: 1)
            let second = try PostgresPool(address: pool.address, size: 1)
            let (one, other) = (TimelineUpkeep(pool: first), TimelineUpkeep(pool: second))
            #expect(try await one.takeTurn())
            #expect(try await !other.takeTurn())
            #expect(try await one.takeTurn())
            await first.close()
            // The server ends a session a moment after its client is gone.
            var isTaken = false
            for _ in 0..<2_000 where !isTaken { isTaken = try await other.takeTurn() }
            #expect(isTaken)
            await second.close()
        }
    }

    @Test func leavesASmallDeltaAlone() async throws {
        try await withStream(seed: 2) { app, pool, _ in
            let work = try await TimelineUpkeep(pool: pool).work(on: app)
            #expect(work.isNothing)
            let check = try await TimelineCheck.run(app, on: pool)
            #expect(check == nil)
        }
    }

    /// So that reading a delta does not read everything since the last vacuum.
    @Test func summarizesNewPageRanges() async throws {
        try await withStream(seed: 5) { _, pool, _ in
            #expect(try await TimelineUpkeep(pool: pool).takeTurn())
            try await pool.withConnection { connection in
                let left = try connection.query(
                    """
                    select sum(brin_summarize_new_values(inhrelid::regclass))
                    from pg_inherits
                    where inhparent = 'event_by_transaction'::regclass
                    """
                )[0].int(0)
                #expect(left == 0)
                let asked = try connection.query(
                    """
                    select count(*)
                    from pg_inherits
                    join pg_class on pg_class.oid = inhrelid
                    where inhparent = 'event_by_transaction'::regclass
                        and not 'autosummarize=off' = any (reloptions)
                    """
                )[0].int(0)
                #expect(asked == 0)
            }
        }
    }

    @Test func findsWhereSegmentsAndEventsDiffer() async throws {
        try await withStream(seed: 3) { app, pool, _ in
            try await TimelinePacker(app: app, pool: pool).pack()
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == true)
            try await pool.withConnection { connection in
                let count = try connection.execute(
                    "delete from timeline_segment where bucket = (select min(bucket) from timeline_segment)"
                )
                #expect(count > 0)
            }
            let damaged = try await TimelineCheck.run(app, on: pool)
            #expect(damaged?.isSame == false, "\(String(describing: damaged))")
            try await TimelinePacker(app: app, pool: pool).rebuild()
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == true)
        }
    }

    @Test(arguments: TestSeeds.seeds(1)) func removesOldEvents(seed: UInt64) async throws {
        try await withStream(seed: seed) { app, pool, stream in
            let packer = TimelinePacker(app: app, pool: pool)
            try await packer.pack()
            var random = SeededRandom(seed: seed)
            // Within a month, and at its start.
            let middle = stream.from.advanced(by: .seconds(Int64.random(in: 0..<20 * 86_400, using: &random)))
            for time in [middle, middle.advanced(by: .seconds(31 * 86_400)).monthStart] {
                var policy = RetentionPolicy()
                policy.events = .seconds((stream.now.microseconds - time.microseconds) / 1_000_000)
                _ = try await RetentionStore(pool: pool, packed: TimelineRemoval())
                    .run(policy, app: app, isThorough: true, now: stream.now)
                let check = try await TimelineCheck.run(app, on: pool)
                #expect(check?.isSame != false, "seed \(seed): \(String(describing: check))")
            }
            try await packer.apply()
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame != false, "seed \(seed)")
        }
    }

    @Test func rebuildsWaitForEachOther() async throws {
        try await withStream(seed: 6) { app, pool, stream in
            let counts = try await withThrowingTaskGroup { group in
                for _ in 0..<4 { group.addTask { try await TimelinePacker(app: app, pool: pool).rebuild() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(counts).count == 1)
            #expect(counts.count == 4)
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == true)
        }
    }

    /// A rebuild that is overtaken by a later one leaves the later one's segments alone.
    @Test func stopsARebuildIfALaterOneBegins() async throws {
        try await withStream(seed: 6) { app, pool, _ in
            let packer = TimelinePacker(app: app, pool: pool)
            try await packer.rebuild()
            let first = try await packer.begin()
            let months = first.months
            let summary = try await packer.rebuild(months[0], first)
            let second = try await packer.begin()
            #expect(second.done == [months[0]])
            await #expect(throws: TimelineError.self) { try await packer.rebuild(months[1], first) }
            await #expect(throws: TimelineError.self) { _ = try await packer.finish(first, summary) }
            var all = second.summary
            for month in second.months where !second.done.contains(month) {
                all.add(try await packer.rebuild(month, second))
            }
            #expect(try await packer.finish(second, all))
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == true)
            // Nothing is left of the first one.
            try await pool.withConnection { connection in
                let generations = try connection.query("select count(distinct generation) from timeline_segment")[0]
                    .int(0)
                #expect(generations == 1)
            }
        }
    }

    /// A removal ends between the deletion of old events and that of their packed copies.
    @Test func forgetsTimelinesAfterAnInterruptedRemoval() async throws {
        try await withStream(seed: 7) { app, pool, stream in
            let packer = TimelinePacker(app: app, pool: pool)
            try await packer.pack()
            try await pool.withTransaction { connection in
                let hasOld = try TimelineRemoval().prepareRemoval(before: stream.now, in: app.number, on: connection)
                #expect(hasOld)
            }
            try await pool.withConnection { connection in
                let count = try connection.execute("delete from event")
                #expect(count > 0)
            }
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == false)
            try await pool.withTransaction { connection in
                // No event is older than the limit.
                let hasOld = try TimelineRemoval().prepareRemoval(before: stream.now, in: app.number, on: connection)
                #expect(!hasOld)
                let segments = try connection.query("select count(*) from timeline_segment")[0].int(0)
                #expect(segments == 0)
                let state = try TimelineState.read(app: app.number, on: connection)
                #expect(state?.isEmpty == true)
            }
            try await packer.rebuild()
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame != false)
        }
    }

    /// The first segments of a month are written at the same time, by a packing that does not know the latest links.
    @Test func appliesChangesToSegmentsPackedAtTheSameTime() async throws {
        try await withStream(seed: 9) { app, pool, _ in
            let packer = TimelinePacker(app: app, pool: pool)
            try await packer.pack()
            let other = try await PostgresConnection.connect(to: pool.address)
            try await other.executeScript("begin; select from timeline_state for no key update")
            async let applied: Void = packer.apply()
            let lookout = try await PostgresConnection.connect(to: pool.address)
            try await pool.lockWaits()
            try await other.executeScript(
                """
                insert into timeline_segment
                select (jsonb_populate_record(packed, '{"month": "2001-01-01", "segment": 1000000}')).*
                from timeline_segment as packed
                where month = (select min(month) from timeline_segment) and not is_lasting;
                commit
                """
            )
            try await applied
            let count = "select count(*) from timeline_segment where month = '2001-01-01'"
            #expect(try await lookout.query(count)[0].int(0) > 0)
            #expect(try await lookout.query(count + " and segment = 1000000")[0].int(0) == 0)
            await other.close()
            await lookout.close()
        }
    }

    /// Otherwise every segment would be written again in each round while any transaction of the server is open.
    @Test func appliesOnlyChangesBelowTheHorizon() async throws {
        try await withStream(seed: 10) { app, pool, _ in
            let packer = TimelinePacker(app: app, pool: pool)
            try await packer.pack()
            try await packer.apply()
            let open = try await PostgresConnection.connect(to: pool.address)
            try await open.executeScript("begin; select pg_current_xact_id()")
            let changes = 2 * PackingPolicy.changeMinimum
            try await pool.withConnection { connection in
                _ = try connection.query(
                    """
                    with links as (
                        insert into device_link (app_number, device_id, user_id, occurred_at, event_id, transaction_number)
                        select $1::integer, 'new-' || number, 'user-1', now(), gen_random_uuid(), current_transaction_number()
                        from generate_series(1, $2::integer) number
                        returning device_id
                    )
                    insert into changed_story (app_number, story, transaction_number)
                    select $1::integer, gen_random_uuid(), current_transaction_number()
                    from links
                    """,
                    [.int(Int64(app.number)), .int(Int64(changes / 2))]
                )
            }
            let upkeep = TimelineUpkeep(pool: pool)
            // The rate of events is measured from one round to the next.
            for _ in 0..<3 { #expect(try await upkeep.work(on: app).isNothing) }
            await open.close()
            try await pool.passHorizon(of: "device_link")
            #expect(try await upkeep.work(on: app).appliedChanges == changes)
            #expect(try await upkeep.work(on: app).isNothing)
            #expect(try await TimelineCheck.run(app, on: pool)?.isSame == true)
        }
    }

    @Test func neverForgetsAStoryThatHasChangedSince() async throws {
        let seed = try #require(
            (9..<99 as Range<UInt64>).first { seed in
                let stream = RandomStream.make(seed: seed)
                return stream.events.contains { event in
                    guard case .feedPost(let post) = event.content else { return false }
                    return event.occurredAt < stream.now && post.storyLink != nil
                }
            }
        )
        try await withStream(seed: seed) { app, pool, stream in
            try await TimelinePacker(app: app, pool: pool).pack()
            try await pool.withTransaction { connection in
                let posts: [PostgresValue] = [
                    .int(Int64(app.number)), .timestamp(microseconds: stream.now.microseconds), .textArray([]),
                    .textArray([]),
                ]
                let count = try connection.execute(TimelineSQL.insertStoriesOfPosts, posts)
                #expect(count > 0)
                try connection.execute("update changed_story set transaction_number = 1::bigint << 62")
                try connection.execute(TimelineSQL.insertStoriesOfPosts, posts)
                let least = try connection.query("select min(transaction_number) from changed_story")[0].int64(0)
                #expect(least == 1 << 62)
            }
        }
    }

    /// Deleting an app leaves nothing, even while it is being packed.
    @Test func goesWithItsApp() async throws {
        try await withStream(seed: 4) { app, pool, _ in
            try await TimelinePacker(app: app, pool: pool).pack()
            try await AppStore(pool: pool).delete(app)
            try await pool.withConnection { connection in
                for table in ["timeline_state", "timeline_segment", "changed_story"] {
                    let count = try connection.query("select count(*) from \(table)").first?.int(0)
                    #expect(count == 0, "\(table)")
                }
            }
        }
    }
}
