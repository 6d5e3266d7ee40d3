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
@Suite("Moving an app")
struct AppMoveTests {
    typealias Base = StorageTesting

    /// The database that the app moves to. Another app there has rows in every table, so numbers are taken.
    private static func withTarget<R: Sendable>(
        _ body: @Sendable (_ source: Base, _ target: TestDatabase) async throws -> R
    ) async throws -> R {
        try await Base.with { source in
            try await Base.with { target in
                try await target.run(
                    """
                    update database_identity set identity = gen_random_uuid();
                    update app set app_id = 'theirs'
                    """
                )
                _ = try await AppStore(pool: target.pool).create(AppProfile(id: "more", name: "More"))
                try await target.store([Base.event(1, user: "alice", device: "phone")])
                try await target.storeSettings()
                return try await body(source, target.database)
            }
        }
    }

    private struct End: Error {}

    private static func move(
        _ source: Base,
        _ target: TestDatabase,
        piece: Int = 2,
        reached: @escaping @Sendable (AppMove.Stage) async throws -> Void = { _ in }
    ) -> AppMove {
        AppMove(of: "shop", from: source.pool, to: target.pool, piece: piece, reached: reached)
    }

    private static func texts(_ pool: PostgresPool, _ sql: String) async throws -> [String] {
        try await pool.withConnection { connection in try connection.query(sql).map { try $0.text(0) } }
    }

    private static func ids(_ pool: PostgresPool, _ app: String = "shop") async throws -> [String] {
        try await texts(
            pool,
            "select event_id::text from event join app using (app_number) where app_id = '\(app)' order by 1"
        )
    }

    private static func numbers(_ range: Range<UInt64>) -> [Event] {
        range.map { number in
            let time = Base.noon.advanced(by: Base.day * -Int(number % 70))
            return Base.event(number, at: time, user: "u\(number % 5)", device: "d\(number % 3)", click: "c\(number)")
        }
    }

    /// All rows of an app in a table, without the numbers that a database makes.
    private static func rows(_ table: StoredTable, _ pool: PostgresPool) async throws -> [String] {
        try await texts(
            pool,
            """
            select (
                to_jsonb(stored) - array[
                    'app_number', 'question_number', 'schedule_number', 'page_number', 'note_number', 'cost_number',
                    'change_number', 'revision', 'user_number'
                ]
            )::text
            from \(table.name) as stored
            where app_number = (select app_number from app where app_id = 'shop')
                and to_jsonb(stored) ->> 'kind' is distinct from 'app.move'
            order by 1
            """
        )
    }

    @Test func takesEveryRowAlong() async throws {
        try await Self.withTarget { source, target in
            _ = try await AppStore(pool: source.pool).create(AppProfile(id: "other", name: "Other"))
            try await source.store(
                Self.numbers(0..<20) + [
                    Base.event(99, user: "alice", .feedPost(FeedPost(outcome: .posted, postID: "post", refs: [])))
                ],
                rejections: [Base.rejection("{}")]
            )
            _ = try await source.people().erase(PersonKey(.user, "u1"), in: source.app)
            try await source.storeLink(of: source.app, host: "s.example")
            try await source.storeSettings()
            try await source.run(
                """
                select invalidate_figures(app_number) from app;
                insert into figures_period
                select app_number, 'day', current_date, now(), now() from app;
                insert into link_removal select app_number, 1, 1 from app;
                insert into import_progress
                select app_number, gen_random_uuid(), 1, 1, '', 0, false, now() from app
                """
            )
            let outcome = try await Self.move(source, target).run()
            #expect(outcome.events == 17)
            for table in StoredTable.all {
                switch table.moves {
                case .events, .keys, .links, .whole, .first, .users:
                    guard table.isOfAnApp || table.name == "change_log" else { continue }
                    let here = try await Self.rows(table, source.pool)
                    #expect(try await Self.rows(table, target.pool) == here, "\(table.name)")
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
            let here = try await Self.texts(source.pool, joined)
            #expect(here.count == 2)
            #expect(try await Self.texts(target.pool, joined) == here)
        }
    }

    /// Whenever the program ends, the next one goes on. What comes meanwhile is stored in one of the databases, once.
    @Test(arguments: AppMove.Stage.allCases)
    func goesOnWhereItWasKilled(stage: AppMove.Stage) async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<9))
            let ends = Mutex(false)
            await #expect(throws: End.self) {
                try await Self.move(source, target) { reached in
                    guard reached == stage, !ends.withLock({ $0 }) else { return }
                    ends.withLock { $0 = true }
                    throw End()
                }.run()
            }
            let later = source.submission(Self.numbers(9..<12))
            let isStored = (try? await source.writer.store(later)) != nil
            let outcome = try await Self.move(source, target).run()
            #expect(outcome == (try await Self.move(source, target).run()))
            #expect(outcome.events == (isStored ? 12 : 9))
            if !isStored {
                var moved = later
                moved.appNumber = outcome.number
                let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
                _ = try await writer.whileRunning { try await writer.store(moved) }
            }
            let expected = Self.numbers(0..<12).map(\.id.description).sorted()
            #expect(try await Self.ids(target.pool) == expected)
            #expect(try await Self.ids(target.pool, "theirs").count == 1)
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppStore(pool: source.pool).app(id: "shop")
            }
        }
    }

    /// An older transaction of somebody else keeps rounds from copying up to now, except for the last one.
    @Test func goesOnAfterItsLastRound() async throws {
        try await Self.withTarget { source, target in
            let other = try await PostgresConnection.connect(to: source.pool.address)
            try await other.executeScript("begin; select pg_current_xact_id()")
            try await source.store(Self.numbers(0..<5))
            await #expect(throws: End.self) {
                try await Self.move(source, target) { if $0 == .copiedLast { throw End() } }.run()
            }
            #expect(try await Self.move(source, target).run().events == 5)
            await other.close()
        }
    }

    @Test(arguments: AppMove.Stage.allCases.dropLast())
    func isUndone(stage: AppMove.Stage) async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<9))
            await #expect(throws: End.self) {
                try await Self.move(source, target) { if $0 == stage { throw End() } }.run()
            }
            try await Self.move(source, target).undo()
            try await source.store(Self.numbers(9..<10))
            #expect(try await Self.ids(source.pool).count == 10)
            #expect(try await Self.ids(target.pool) == [])
            for table in ["event", "event_key", "feed_post_key", "device_link", "click_link"] {
                let apps = try await Self.texts(
                    target.pool,
                    "select count(*)::text from \(table) where app_number not in (select app_number from app)"
                )
                #expect(apps == ["0"], "\(table)")
            }
            await #expect(throws: AppMoveError.hasNotBegun) { try await Self.move(source, target).undo() }
            #expect(try await Self.move(source, target).run().events == 10)
            await #expect(throws: AppMoveError.hasArrived) { try await Self.move(source, target).undo() }
        }
    }

    @Test func losesNothingWhileEventsCome() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<50))
            let isOver = Mutex(false)
            async let sent = { () async throws -> [Submission] in
                var refused: [Submission] = []
                var next: UInt64 = 50
                while !isOver.withLock({ $0 }) || next < 60 {
                    let submission = source.submission(Self.numbers(next..<next + 3))
                    do {
                        _ = try await source.writer.store(submission)
                    } catch EventWriterError.partlyUnavailable {
                        refused.append(submission)
                    }
                    next += 3
                }
                return refused
            }()
            let outcome = try await Self.move(source, target, piece: 10).run()
            isOver.withLock { $0 = true }
            let refused = try await sent
            #expect(try await Self.ids(source.pool) == Self.ids(target.pool))
            #expect(Set(try await Self.ids(target.pool)).count == outcome.events)
            let stored = Set(try await Self.ids(target.pool))
            #expect(!refused.flatMap(\.events).contains { stored.contains($0.id.description) })
        }
    }

    /// Numbers of transactions stay, and later ones are greater: also in sessions that have stored before.
    @Test func keepsWhatIsNewToReaders() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<5))
            let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                func store(_ number: UInt64, app: Int32) async throws {
                    var submission = source.submission([Base.event(number, user: "u")])
                    submission.appNumber = app
                    _ = try await writer.store(submission)
                }
                let theirs = try await AppStore(pool: target.pool).app(id: "theirs").number
                try await store(500, app: theirs)
                let cursor = try await Self.texts(source.pool, "select transaction_horizon()::text")[0]
                try await source.store(Self.numbers(5..<8))
                let number = try await Self.move(source, target).run().number
                try await store(501, app: theirs)
                try await store(8, app: number)
                let new = try await Self.texts(
                    target.pool,
                    """
                    select event_id::text
                    from event
                    where app_number = \(number) and transaction_number between \(cursor) and transaction_horizon()
                    order by 1
                    """
                )
                #expect(new.prefix(3) == Self.numbers(5..<8).map(\.id.description).sorted()[...])
                let order = try await Self.texts(
                    target.pool,
                    "select right(event_id::text, 3) from event order by transaction_number desc limit 2"
                )
                #expect(Set(order) == ["1f5", "008"])
            }
        }
    }

    @Test func erasesThereWhoIsErasedMeanwhile() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<10))
            _ = try await Self.move(source, target) { stage in
                guard stage == .caughtUp else { return }
                _ = try await source.people().erase(PersonKey(.user, "u1"), in: source.app)
            }.run()
            #expect(try await Self.ids(target.pool) == Self.ids(source.pool))
            #expect(try await Self.texts(target.pool, "select user_id from event where user_id = 'u1'") == [])
            for table in StoredTable.all where table.moves == .links || table.moves == .keys {
                #expect(try await Self.rows(table, target.pool) == Self.rows(table, source.pool), "\(table.name)")
            }
        }
    }

    /// Links that a later event made other ones, and new ones.
    @Test func copiesLinksThatChangeMeanwhile() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<10))
            _ = try await Self.move(source, target) { stage in
                guard stage == .caughtUp else { return }
                let before = Base.noon.advanced(by: Base.day * -71)
                try await source.store([
                    Base.event(90, at: before, user: "earlier", device: "d1", click: "c1"),
                    Base.event(91, user: "new", device: "new", click: "new"),
                ])
            }.run()
            for name in ["device_link", "click_link"] {
                let table = try #require(StoredTable.all.first { $0.name == name })
                let here = try await Self.rows(table, source.pool)
                #expect(here.contains { $0.contains("earlier") } && here.contains { $0.contains("new") })
                #expect(try await Self.rows(table, target.pool) == here)
            }
        }
    }

    /// Keys of old events are gone here, and the other database believes that it has all of its own.
    @Test func knowsOldEventsAgainWhoseKeysAreGone() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<3))
            try await source.run("delete from event_key; update event_key_set set kept_from = now()")
            try await target.pool.withConnection {
                try $0.executeScript("update event_key_set set kept_from = '2020-01-01'")
            }
            var again = source.submission(Self.numbers(0..<3))
            again.appNumber = try await Self.move(source, target).run().number
            let submission = again
            let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
            let receipt = try await writer.whileRunning { try await writer.store(submission) }
            #expect(receipt.duplicates == 3 && receipt.refused.isEmpty)
        }
    }

    /// What is changed after it was copied would be lost.
    @Test func refusesChangesFromTheBarOn() async throws {
        try await Self.withTarget { source, target in
            try await source.storeLink(of: source.app, host: "s.example")
            try await source.storeSettings()
            let changes = [
                "insert into note (app_number, day, text) select app_number, current_date, 'y' from app",
                "update question set deleted_at = now()", "delete from cost", "update api_key set revoked_at = now()",
                "update link set disabled = true", "delete from dashboard_role",
            ]
            _ = try await Self.move(source, target) { stage in
                guard stage == .barred else { return }
                for change in changes {
                    await #expect(throws: PostgresError.self, "\(change)") { try await source.run(change) }
                }
                await #expect(throws: PostgresError.self) {
                    try await AppStore(pool: source.pool).update(source.app) { $0.name = "x" }
                }
                // Daemons note these all the time.
                let key = try await Self.texts(source.pool, "select encode(key_hash, 'hex') from api_key")
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

    @Test func isRefusedWhereItCannotBe() async throws {
        try await Self.withTarget { source, target in
            await #expect(throws: AppMoveError.sameDatabase) { try await Self.move(source, source.database).run() }
            _ = try await AppStore(pool: target.pool).create(AppProfile(id: "shop", name: "Shop"))
            await #expect(throws: AppMoveError.idIsTaken("shop")) { try await Self.move(source, target).run() }
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    /// A departure that nothing follows would keep people from redacting.
    @Test func leavesNothingWhereTheOtherTakesNothing() async throws {
        try await Self.withTarget { source, target in
            try await target.pool.withConnection { connection in
                let name = try connection.query("select quote_ident(current_database())")[0].text(0)
                try connection.executeScript("alter database \(name) set default_transaction_read_only = on")
            }
            await #expect(throws: PostgresError.self) { try await Self.move(source, target).run() }
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    @Test func saysWhatIsThereMeanwhile() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<3))
            await #expect(throws: AppMoveError.idIsTaken("shop")) {
                try await Self.move(source, target) { stage in
                    guard stage == .copiedLast else { return }
                    _ = try await AppStore(pool: target.pool).create(AppProfile(id: "shop", name: "Theirs"))
                }.run()
            }
            try await Self.move(source, target).undo()
            try await source.store(Self.numbers(3..<4))
            #expect(try await Self.ids(target.pool) == [])
        }
    }

    /// A backup of before the move: the app was stored there again.
    @Test func doesNotEndTheMoveOfAnotherCopy() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<3))
            _ = try await Self.move(source, target).run()
            try await source.run("delete from app_departure")
            try await source.store(Self.numbers(3..<5))
            await #expect(throws: AppMoveError.movedFromCopy) { try await Self.move(source, target).run() }
            try await source.store(Self.numbers(5..<6))
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    /// The other database was lost, and comes back with an old copy.
    @Test func isTakenBackWithoutTheOther() async throws {
        try await Self.withTarget { source, target in
            await #expect(throws: AppMoveError.hasNotBegun) { try await AppMove.abandon("shop", in: source.pool) }
            try await source.store(Self.numbers(0..<5))
            await #expect(throws: End.self) {
                try await Self.move(source, target) { if $0 == .barred { throw End() } }.run()
            }
            try await AppMove.abandon("shop", in: source.pool)
            try await source.store(Self.numbers(5..<6))
            await #expect(throws: AppMoveError.hasOldCopy) { try await Self.move(source, target).run() }
            try await Self.move(source, target).undo()
            #expect(try await Self.move(source, target).run().events == 6)
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppMove.abandon("shop", in: source.pool)
            }
        }
    }

    /// What waits in a spool under a former number of the app is delivered wherever the app is now.
    @Test func isKnownByItsFormerNumbers() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<3))
            let there = try await Self.move(source, target).run().number
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

    @Test func saysHowFarItIs() async throws {
        try await Self.withTarget { source, target in
            try await source.store(Self.numbers(0..<3))
            let states = Mutex<[String]>([])
            @Sendable func note() async throws {
                for pool in [source.pool, target.pool] {
                    let moves = try await pool.withConnection { try MoveState.all(on: $0) }
                    states.withLock { $0 += moves.map { "\($0.app) \($0.state)" } }
                }
            }
            _ = try await Self.move(source, target) { stage in
                if stage == .begun || stage == .barred { try await note() }
            }.run()
            try await note()
            let expected = ["shop departing", "shop arriving", "shop barred", "shop arriving", "shop moved"]
            let found = states.withLock { $0 }
            #expect(found == expected)
        }
    }

    @Test func isRefusedWhileTheAppIsMovedByAnother() async throws {
        try await Self.withTarget { source, target in
            _ = try await Self.move(source, target) { stage in
                guard stage == .begun else { return }
                await #expect(throws: AppMoveError.isRunning) { try await Self.move(source, target).run() }
                await #expect(throws: AppMoveError.isRunning) { try await AppMove.abandon("shop", in: source.pool) }
                await #expect(throws: RewriteError.self) { try await AppStore(pool: source.pool).delete(source.app) }
            }.run()
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppStore(pool: source.pool).create(AppProfile(id: "shop", name: "Again"))
            }
        }
    }
}
