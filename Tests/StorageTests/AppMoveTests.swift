import Events
import InboundLinks
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Synchronization
import Testing
import Time

/// docs/moving.md.
@Suite("Moving an app", .serialized)
struct AppMoveTests {
    typealias Base = StorageTesting
    typealias Moving = AppMoveTesting

    @Test(arguments: TestEnds.all) func takesEveryRowAlong(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            _ = try await AppStore(pool: source.pool).create(AppProfile(id: "other", name: "Other"))
            try await source.store(
                Moving.numbers(0..<20) + [
                    Base.event(99, user: "alice", .feedPost(FeedPost(outcome: .posted, postID: "post", refs: [])))
                ],
                rejections: [Base.rejection("{}")]
            )
            _ = try await source.people().erase(PersonKey(.user, "u1"), in: source.app)
            try await source.storeLink(of: source.app, host: "s.example")
            try await source.storeSettings()
            for app in try await AppStore(pool: source.pool).list() {
                try await source.run("select invalidate_figures(\(app.number))")
            }
            try await source.run(
                """
                insert into figures_period
                select app_number, 'day', current_date, now(), now() from app;
                insert into link_removal select app_number, 1, 1 from app;
                insert into import_progress
                select app_number, gen_random_uuid(), 1, 1, '', 0, false, now() from app
                """
            )
            let outcome = try await Moving.move(source, target).run()
            #expect(outcome.events == 17)
            for table in StoredTable.all {
                switch table.moves {
                case .events, .keys, .links, .whole, .first, .users:
                    guard table.isOfAnApp || table.name == "change_log" else { continue }
                    let here = try await Moving.rows(table, source.pool)
                    #expect(try await Moving.rows(table, target.pool) == here, "\(table.name)")
                    #expect(!here.isEmpty || table.name.contains("figures"), "\(table.name)")
                case .anew, .stays: continue
                }
            }
            // A schedule is of its question, a role of its user.
            let joined = """
                select concat_ws(' ', app_id, question.name, question_run.state, email, role)
                from question_run
                join question_schedule using (schedule_number)
                join question using (question_number)
                join app on app.app_number = question.app_number
                join dashboard_role on dashboard_role.app_number = app.app_number
                join dashboard_user using (user_number)
                where app_id = 'shop' and question_run.app_number = app.app_number
                order by 1
                """
            let here = try await Moving.texts(source.pool, joined)
            #expect(here.count == 2)
            #expect(try await Moving.texts(target.pool, joined) == here)
        }
    }

    @Test(arguments: TestEnds.all) func losesNothingWhileEventsCome(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<50))
            let isOver = Mutex(false)
            async let sent = { () async throws -> [Submission] in
                var refused: [Submission] = []
                var next: UInt64 = 50
                while !isOver.withLock({ $0 }) || next < 60 {
                    let submission = source.submission(Moving.numbers(next..<next + 3))
                    do {
                        _ = try await source.writer.store(submission)
                    } catch EventWriterError.partlyUnavailable {
                        refused.append(submission)
                    }
                    next += 3
                }
                return refused
            }()
            let outcome = try await Moving.move(source, target, piece: 10).run()
            isOver.withLock { $0 = true }
            let refused = try await sent
            #expect(try await Moving.ids(source.pool) == Moving.ids(target.pool))
            #expect(Set(try await Moving.ids(target.pool)).count == outcome.events)
            let stored = Set(try await Moving.ids(target.pool))
            #expect(!refused.flatMap(\.events).contains { stored.contains($0.id.description) })
        }
    }

    /// Numbers of transactions stay, and later ones are greater: also in sessions that have stored before.
    @Test(arguments: TestEnds.all) func keepsWhatIsNewToReaders(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<5))
            let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                func store(_ number: UInt64, app: Int32) async throws {
                    var submission = source.submission([Base.event(number, user: "u")])
                    submission.appNumber = app
                    _ = try await writer.store(submission)
                }
                let theirs = try await AppStore(pool: target.pool).app(id: "theirs").number
                try await store(500, app: theirs)
                // Other tests on the server may hold it.
                try await source.pool.passHorizon()
                let cursor = try await Moving.texts(source.pool, "select transaction_horizon()::text")[0]
                try await source.store(Moving.numbers(5..<8))
                let number = try await Moving.move(source, target).run().number
                try await store(501, app: theirs)
                try await store(8, app: number)
                try await target.pool.passHorizon()
                let horizon = try await Moving.texts(target.pool, "select transaction_horizon()::text")[0]
                let new = try await Moving.texts(
                    target.pool,
                    """
                    select event_id::text
                    from event
                    where app_number = \(number) and transaction_number between \(cursor) and \(horizon)
                    order by 1
                    """
                )
                #expect(new.prefix(3) == Moving.numbers(5..<8).map(\.id.description).sorted()[...])
                let order = try await Moving.texts(
                    target.pool,
                    "select right(event_id::text, 3) from event order by transaction_number desc limit 2"
                )
                #expect(Set(order) == ["1f5", "008"])
            }
        }
    }

    @Test(arguments: TestEnds.all) func erasesThereWhoIsErasedMeanwhile(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<10))
            _ = try await Moving.move(source, target) { stage in
                guard stage == .caughtUp else { return }
                _ = try await source.people().erase(PersonKey(.user, "u1"), in: source.app)
            }.run()
            #expect(try await Moving.ids(target.pool) == Moving.ids(source.pool))
            #expect(try await Moving.texts(target.pool, "select user_id from event where user_id = 'u1'") == [])
            for table in StoredTable.all where table.moves == .links || table.moves == .keys {
                #expect(try await Moving.rows(table, target.pool) == Moving.rows(table, source.pool), "\(table.name)")
            }
        }
    }

    /// Links that a later event made other ones, and new ones.
    @Test(arguments: TestEnds.all) func copiesLinksThatChangeMeanwhile(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<10))
            _ = try await Moving.move(source, target) { stage in
                guard stage == .caughtUp else { return }
                let before = Base.noon.advanced(by: Base.day * -71)
                try await source.store([
                    Base.event(90, at: before, user: "earlier", device: "d1", click: "c1"),
                    Base.event(91, user: "new", device: "new", click: "new"),
                ])
            }.run()
            for name in ["device_link", "click_link"] {
                let table = try #require(StoredTable.all.first { $0.name == name })
                let here = try await Moving.rows(table, source.pool)
                #expect(here.contains { $0.contains("earlier") } && here.contains { $0.contains("new") })
                #expect(try await Moving.rows(table, target.pool) == here)
            }
        }
    }

    /// Keys of old events are gone here, and the other database believes that it has all of its own.
    @Test(arguments: TestEnds.all) func knowsOldEventsAgainWhoseKeysAreGone(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            try await source.run("delete from event_key; update event_key_set set kept_from = now()")
            try await target.pool.withConnection {
                try $0.executeScript("update event_key_set set kept_from = '2020-01-01'")
            }
            var again = source.submission(Moving.numbers(0..<3))
            again.appNumber = try await Moving.move(source, target).run().number
            let submission = again
            let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
            let receipt = try await writer.whileRunning { try await writer.store(submission) }
            #expect(receipt.duplicates == 3 && receipt.refused.isEmpty)
        }
    }

    /// What is changed after it was copied would be lost.
    @Test(arguments: TestEnds.all) func refusesChangesFromTheBarOn(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.storeLink(of: source.app, host: "s.example")
            try await source.storeSettings()
            let changes = [
                "insert into note (app_number, day, text) select app_number, current_date, 'y' from app",
                "update question set deleted_at = now()", "delete from cost", "update api_key set revoked_at = now()",
                "update link set disabled = true", "delete from dashboard_role",
            ]
            _ = try await Moving.move(source, target) { stage in
                guard stage == .barred else { return }
                for change in changes {
                    await #expect(throws: PostgresError.self, "\(change)") { try await source.run(change) }
                }
                await #expect(throws: PostgresError.self) {
                    try await AppStore(pool: source.pool).update(source.app) { $0.name = "x" }
                }
                // Daemons note these all the time.
                let key = try await Moving.texts(source.pool, "select encode(key_hash, 'hex') from api_key")
                try await source.pool.withConnection { connection in
                    let times = PostgresValue.intArray(key.map { _ in 1 })
                    _ = try connection.execute(StoredSQL.recordKeyUses, [.textArray(key), times])
                }
            }.run()
            // Its rows can go.
            let store = AppStore(pool: source.pool)
            try await store.delete(store.app(id: "shop", orBeingDeleted: true))
            #expect(try await source.count("select count(*) from app") == 0)
        }
    }

    /// What waits in a spool under a former number of the app is delivered wherever the app is now.
    @Test(arguments: TestEnds.all) func isKnownByItsFormerNumbers(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            let there = try await Moving.move(source, target).run().number
            let store = AppStore(pool: source.pool)
            try await store.delete(store.app(id: "shop", orBeingDeleted: true))
            let back = try await AppMove(of: "shop", from: target.pool, to: source.pool).run()
            #expect(back.events == 3)
            let (sourceID, targetID) = (
                try await source.pool.withConnection { try DatabaseIdentity.read($0) },
                try await target.pool.withConnection { try DatabaseIdentity.read($0) }
            )
            try await source.pool.withConnection { connection in
                let former = try AppDeparture.arrived(from: sourceID, on: connection)
                #expect(former == [source.app.number: back.number])
                #expect(try AppDeparture.arrived(from: targetID, on: connection) == [there: back.number])
            }
        }
    }
}
