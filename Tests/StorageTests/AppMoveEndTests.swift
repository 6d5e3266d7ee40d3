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
@Suite("Moves that are killed, taken back or refused", .serialized)
struct AppMoveEndTests {
    typealias Base = StorageTesting
    typealias Moving = AppMoveTesting

    /// Whenever the program ends, the next one goes on. What comes meanwhile is stored in one of the databases, once.
    @Test(arguments: TestEnds.all, AppMove.Stage.allCases)
    func goesOnWhereItWasKilled(ends: TestEnds, stage: AppMove.Stage) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<9))
            let wasKilled = Mutex(false)
            await #expect(throws: Moving.End.self) {
                try await Moving.move(source, target) { reached in
                    guard reached == stage, !wasKilled.withLock({ $0 }) else { return }
                    wasKilled.withLock { $0 = true }
                    throw Moving.End()
                }.run()
            }
            let later = source.submission(Moving.numbers(9..<12))
            let isStored = (try? await source.writer.store(later)) != nil
            let outcome = try await Moving.move(source, target).run()
            #expect(outcome == (try await Moving.move(source, target).run()))
            #expect(outcome.events == (isStored ? 12 : 9))
            if !isStored {
                var moved = later
                moved.appNumber = outcome.number
                let writer = EventWriter(pool: target.pool, logger: Logger(label: "test"))
                _ = try await writer.whileRunning { try await writer.store(moved) }
            }
            let expected = Moving.numbers(0..<12).map(\.id.description).sorted()
            #expect(try await Moving.ids(target.pool) == expected)
            #expect(try await Moving.ids(target.pool, "theirs").count == 1)
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppStore(pool: source.pool).app(id: "shop")
            }
        }
    }

    /// An older transaction of somebody else keeps rounds from copying up to now, except for the last one.
    @Test(arguments: TestEnds.all) func goesOnAfterItsLastRound(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            let other = try await PostgresConnection.connect(to: source.pool.address)
            try await other.executeScript("begin; select pg_current_xact_id()")
            try await source.store(Moving.numbers(0..<5))
            await #expect(throws: Moving.End.self) {
                try await Moving.move(source, target) { if $0 == .copiedLast { throw Moving.End() } }.run()
            }
            #expect(try await Moving.move(source, target).run().events == 5)
            await other.close()
        }
    }

    @Test(arguments: TestEnds.all, AppMove.Stage.allCases.dropLast())
    func isUndone(ends: TestEnds, stage: AppMove.Stage) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<9))
            await #expect(throws: Moving.End.self) {
                try await Moving.move(source, target) { if $0 == stage { throw Moving.End() } }.run()
            }
            try await Moving.move(source, target).undo()
            try await source.store(Moving.numbers(9..<10))
            #expect(try await Moving.ids(source.pool).count == 10)
            #expect(try await Moving.ids(target.pool) == [])
            for table in ["event", "event_key", "feed_post_key", "device_link", "click_link"] {
                let apps = try await Moving.texts(
                    target.pool,
                    "select count(*)::text from \(table) where app_number not in (select app_number from app)"
                )
                #expect(apps == ["0"], "\(table)")
            }
            await #expect(throws: AppMoveError.hasNotBegun) { try await Moving.move(source, target).undo() }
            #expect(try await Moving.move(source, target).run().events == 10)
            await #expect(throws: AppMoveError.hasArrived) { try await Moving.move(source, target).undo() }
        }
    }

    /// The program was killed while its switch was committed, which may take as long as a standby is away.
    @Test(.timeLimit(.minutes(5)), arguments: TestEnds.all)
    func isNotUndoneWhileItsSwitchIsCommitted(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            await #expect(throws: Moving.End.self) {
                try await Moving.move(source, target) { if $0 == .barred { throw Moving.End() } }.run()
            }
            let killed = try await PostgresConnection.connect(to: target.pool.address)
            try await killed.executeScript("begin; update app_arrival set arrived_at = now()")
            let undone = Task { try await Moving.move(source, target).undo() }
            try await target.pool.lockWaits()
            try await killed.executeScript("commit")
            await killed.close()
            await #expect(throws: AppMoveError.hasArrived) { try await undone.value }
            let isKept = "select (undone_at is null)::text from app_arrival"
            #expect(try await Moving.texts(target.pool, isKept) == ["true"])
        }
    }

    @Test(arguments: TestEnds.all) func isRefusedWhereItCannotBe(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            await #expect(throws: AppMoveError.sameDatabase) { try await Moving.move(source, source.database).run() }
            _ = try await AppStore(pool: target.pool).create(AppProfile(id: "shop", name: "Shop"))
            await #expect(throws: AppMoveError.idIsTaken("shop")) { try await Moving.move(source, target).run() }
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    /// A departure that nothing follows would keep people from redacting.
    @Test(arguments: TestEnds.all) func leavesNothingWhereTheOtherTakesNothing(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await target.pool.withConnection { connection in
                let name = try connection.query("select quote_ident(current_database())")[0].text(0)
                try connection.executeScript("alter database \(name) set default_transaction_read_only = on")
            }
            await #expect(throws: PostgresError.self) { try await Moving.move(source, target).run() }
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    @Test(arguments: TestEnds.all) func saysWhatIsThereMeanwhile(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            await #expect(throws: AppMoveError.idIsTaken("shop")) {
                try await Moving.move(source, target) { stage in
                    guard stage == .copiedLast else { return }
                    _ = try await AppStore(pool: target.pool).create(AppProfile(id: "shop", name: "Theirs"))
                }.run()
            }
            try await Moving.move(source, target).undo()
            try await source.store(Moving.numbers(3..<4))
            #expect(try await Moving.ids(target.pool) == [])
        }
    }

    /// A backup of before the move: the app was stored there again.
    @Test(arguments: TestEnds.all) func doesNotEndTheMoveOfAnotherCopy(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            _ = try await Moving.move(source, target).run()
            try await source.run("delete from app_departure")
            try await source.store(Moving.numbers(3..<5))
            await #expect(throws: AppMoveError.movedFromCopy) { try await Moving.move(source, target).run() }
            try await source.store(Moving.numbers(5..<6))
            #expect(try await source.count("select count(*) from app_departure") == 0)
        }
    }

    /// The other database was lost, and comes back with an old copy.
    @Test(arguments: TestEnds.all) func isTakenBackWithoutTheOther(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            await #expect(throws: AppMoveError.hasNotBegun) { try await AppMove.abandon("shop", in: source.pool) }
            try await source.store(Moving.numbers(0..<5))
            await #expect(throws: Moving.End.self) {
                try await Moving.move(source, target) { if $0 == .barred { throw Moving.End() } }.run()
            }
            try await AppMove.abandon("shop", in: source.pool)
            try await source.store(Moving.numbers(5..<6))
            await #expect(throws: AppMoveError.hasOldCopy) { try await Moving.move(source, target).run() }
            try await Moving.move(source, target).undo()
            #expect(try await Moving.move(source, target).run().events == 6)
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppMove.abandon("shop", in: source.pool)
            }
        }
    }

    @Test(arguments: TestEnds.all) func saysHowFarItIs(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            let states = Mutex<[String]>([])
            @Sendable func note() async throws {
                for pool in [source.pool, target.pool] {
                    let moves = try await pool.withConnection { try MoveState.all(on: $0) }
                    states.withLock { $0 += moves.map { "\($0.app) \($0.state)" } }
                }
            }
            _ = try await Moving.move(source, target) { stage in
                if stage == .begun || stage == .barred { try await note() }
            }.run()
            try await note()
            let expected = ["shop departing", "shop arriving", "shop barred", "shop arriving", "shop moved"]
            let found = states.withLock { $0 }
            #expect(found == expected)
        }
    }

    /// From the bar on, nobody else removes links of the app.
    @Test(.timeLimit(.minutes(5)), arguments: TestEnds.all)
    func isWhatDeletionsSayThatTheyWaitFor(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            try await source.store(Moving.numbers(0..<3))
            let stages = Mutex<[String]>([])
            let note: DeletionProgress.Handler = { progress in stages.withLock { $0.append(progress.stage) } }
            let waiting = Mutex<[Task<Void, any Error>]>([])
            _ = try await Moving.move(source, target) { stage in
                guard stage == .barred else { return }
                let tasks = [
                    Task {
                        _ = try await source.people().erase(PersonKey(.user, "u1"), in: source.app, progress: note)
                    },
                    Task { _ = try await LinkCheck.repair(source.app, on: source.pool, progress: note) },
                ]
                waiting.withLock { $0 = tasks }
                while stages.withLock({ $0.count }) < 2 { await Task.yield() }
            }.run()
            for task in waiting.withLock({ $0 }) { _ = await task.result }
            let told = stages.withLock { $0 }
            let waits = Array(repeating: "waiting for the move of the app", count: 2)
            #expect(Array(told.prefix(2)) == waits && told.contains("reading links"))
        }
    }

    @Test(arguments: TestEnds.all) func isRefusedWhileTheAppIsMovedByAnother(ends: TestEnds) async throws {
        try await Moving.with(ends) { source, target in
            _ = try await Moving.move(source, target) { stage in
                guard stage == .begun else { return }
                await #expect(throws: AppMoveError.isRunning) { try await Moving.move(source, target).run() }
                await #expect(throws: AppMoveError.isRunning) { try await AppMove.abandon("shop", in: source.pool) }
                await #expect(throws: RewriteError.self) { try await AppStore(pool: source.pool).delete(source.app) }
            }.run()
            await #expect(throws: AppStoreError.moved(id: "shop")) {
                try await AppStore(pool: source.pool).create(AppProfile(id: "shop", name: "Again"))
            }
        }
    }
}
