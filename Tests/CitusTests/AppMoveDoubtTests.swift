import Events
import Foundation
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Synchronization
import Testing
import Time

/// An app moves into a cluster or out of it while commits are in doubt: they have ended on the coordinator, and their
/// rows cannot be seen yet. `StorageTests.AppMoveTests` and `AppMoveEndTests` run on a cluster, too.
@Suite("Moving an app while commits are in doubt", .enabled(if: ClusterTesting.isWanted), .serialized)
struct AppMoveDoubtTests {
    /// A cluster whose commits in doubt stay so until ``mend()``, and a database of one machine.
    private struct Testbed: Sendable {
        let cluster: CitusCluster
        let pool: PostgresPool
        let plain: PostgresPool

        /// - Parameters:
        ///   - isOnCluster: where the app `shop` is made, with 29 events.
        ///   - body: what is done with it.
        static func withShop(
            onCluster isOnCluster: Bool,
            _ body: @Sendable (Testbed, App) async throws -> Void
        ) async throws {
            try await ClusterTesting.withOwnCluster { cluster, _, pool in
                try await pool.withConnection { connection in
                    try connection.execute("alter system set citus.recover_2pc_interval = -1")
                    _ = try connection.query("select pg_reload_conf()")
                }
                let address = try await cluster.makeDatabase("plain", hasExtension: false)
                try await ClusterTesting.withPool(address) { plain in
                    _ = try await plain.withConnection { try Migrator().migrate($0) }
                    let source = isOnCluster ? pool : plain
                    let shop = try await Made.app("shop", on: source)
                    try await AppMoveDoubtTests.store(1..<30, of: shop, source)
                    try await body(Testbed(cluster: cluster, pool: pool, plain: plain), shop)
                }
            }
        }

        /// Runs a statement on the worker of an app, and leaves its commit in doubt.
        ///
        /// - Parameters:
        ///   - statement: `:table` is the app's part of the table.
        ///   - script: what the transaction does on the coordinator.
        func leaveInDoubt(
            _ statement: String,
            _ table: String,
            of app: Int32,
            script: String = "select 1"
        ) async throws {
            let (group, port, shard) = try await pool.withConnection { connection in
                let row = try connection.query(
                    """
                    select groupid, nodeport, shard_name($1::text::regclass, shardid)::text
                    from pg_dist_placement
                    join pg_dist_node using (groupid)
                    where shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::integer)
                    """,
                    [.text(table), .int(Int64(app))]
                )[0]
                return (try row.int(0), try row.int(1), try row.text(2))
            }
            let id = "citus_0_\(Int.random(in: 1...1_000_000))_1_1"
            let node = port - cluster.ports[0]
            let worker = try await PostgresConnection.connect(
                to: cluster.address(node, database: pool.address.database)
            )
            try await worker.executeScript(
                """
                begin;
                set local citus.enable_manual_changes_to_shards = on;
                \(statement.replacing(":table", with: shard));
                prepare transaction '\(id)'
                """
            )
            await worker.close()
            try await pool.withConnection { connection in
                try connection.executeScript(
                    "begin; insert into pg_dist_transaction (groupid, gid) values (\(group), '\(id)'); \(script); commit"
                )
            }
        }

        func inDoubt() async throws -> Int {
            try await pool.withConnection { try StoringTransactions.inDoubt(of: nil, on: $0).count }
        }

        /// Ends the doubt as soon as the move waits for it.
        ///
        /// - Parameter isOver: whether the move is over.
        func mend(unless isOver: () -> Bool) async throws {
            let waits = """
                select exists (
                    select
                    from pg_stat_activity
                    where application_name = 'tributary move'
                        and query like '%pg_sleep%'
                )
                """
            while !isOver() {
                let isWaiting = try await pool.withConnection { connection in
                    try connection.query("select exists (select from commits_in_doubt(null))")[0].bool(0)
                        && connection.query(waits)[0].bool(0)
                }
                if isWaiting {
                    try await pool.withConnection { _ = try $0.query("select recover_prepared_transactions()") }
                }
                await Task.yield()
            }
        }

        /// Moves the app `shop`. Nothing is in doubt any more when it has come to a stage.
        func move(
            from source: PostgresPool,
            to target: PostgresPool,
            settledAt settled: AppMove.Stage,
            leaving: @escaping @Sendable (AppMove.Stage) async throws -> Void
        ) async throws -> AppMove.Outcome {
            let isOver = Mutex(false)
            async let mended: Void = mend { isOver.withLock { $0 } }
            let reached: @Sendable (AppMove.Stage) async throws -> Void = { stage in
                try await leaving(stage)
                if stage == settled { #expect(try await inDoubt() == 0) }
            }
            let move = AppMove(of: "shop", from: source, to: target, piece: 10, reached: reached)
            let outcome: Result<AppMove.Outcome, any Error>
            do {
                outcome = .success(try await move.run())
            } catch {
                outcome = .failure(error)
            }
            isOver.withLock { $0 = true }
            try await mended
            return try outcome.get()
        }
    }

    private static func events(_ numbers: Range<UInt64>) -> [Event] {
        numbers.map { Made.event($0, user: "u\($0 % 10)", device: "d\($0 % 15)", .authentication()) }
    }

    private static func store(_ numbers: Range<UInt64>, of app: App, _ pool: PostgresPool) async throws {
        let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
        try await writer.whileRunning {
            _ = try await writer.store(Made.submission(app.number, events(numbers)))
        }
    }

    private static func texts(_ sql: String, _ pool: PostgresPool) async throws -> [String] {
        try await pool.withConnection { connection in try connection.query(sql).map { try $0.text(0) } }
    }

    /// An event of this transaction.
    private static func insertion(of app: Int32, number: String) -> String {
        """
        insert into :table (app_number, event_id, type, occurred_at, received_at, user_id, transaction_number)
        values (
            \(app), '00000000-0000-4000-8000-00000000000a', 'authentication', '2026-03-15', '2026-03-15', 'doubt', \(number)
        )
        """
    }

    private static let doubtful = "select event_id::text from event where user_id = 'doubt'"

    /// An event that was answered, and comes into sight after the bar.
    @Test(.timeLimit(.minutes(5))) func takesAlongWhatIsInDoubt() async throws {
        try await Testbed.withShop(onCluster: true) { bed, app in
            let outcome = try await bed.move(from: bed.pool, to: bed.plain, settledAt: .barred) { stage in
                guard stage == .caughtUp else { return }
                let number = try await Self.texts("select current_transaction_number()::text", bed.pool)[0]
                try await bed.leaveInDoubt(
                    Self.insertion(of: app.number, number: number),
                    "event_2026_03",
                    of: app.number
                )
            }
            #expect(outcome.events == 30)
            #expect(try await Self.texts(Self.doubtful, bed.plain).count == 1)
        }
    }

    /// The links of a deleted person: their removal is counted on the coordinator before the worker shows it.
    @Test(.timeLimit(.minutes(5))) func leavesNoLinksOfTheDeleted() async throws {
        try await Testbed.withShop(onCluster: true) { bed, app in
            let isFirst = Mutex(true)
            _ = try await bed.move(from: bed.pool, to: bed.plain, settledAt: .caughtUp) { stage in
                guard stage == .copiedPiece, isFirst.withLock({ $0 }) else { return }
                isFirst.withLock { $0 = false }
                try await bed.leaveInDoubt(
                    "delete from :table where app_number = \(app.number) and device_id = 'd1'",
                    "device_link",
                    of: app.number,
                    script: "update link_revision set revision = revision + 1"
                )
            }
            let devices = "select device_id from device_link order by 1"
            let here = try await Self.texts(devices, bed.pool)
            #expect(here.count == 14)
            #expect(try await Self.texts(devices, bed.plain) == here)
        }
    }

    /// Readers there do not wait for rows of a copy: their numbers are below every horizon.
    @Test(.timeLimit(.minutes(5))) func switchesWhenItsCopyIsInSight() async throws {
        try await Testbed.withShop(onCluster: false) { bed, _ in
            _ = try await Made.app("other", on: bed.pool)
            let outcome = try await bed.move(from: bed.plain, to: bed.pool, settledAt: .copiedWhole) { stage in
                guard stage == .copiedLast else { return }
                let arriving = try await Self.texts("select app_number::text from app_arrival", bed.pool)[0]
                let number = try #require(Int32(arriving))
                try await bed.leaveInDoubt(Self.insertion(of: number, number: "1"), "event_2026_03", of: number)
            }
            #expect(outcome.events == 30)
        }
    }

    /// Rows of other apps whose numbers would be below the horizon at once.
    @Test(.timeLimit(.minutes(5))) func raisesTheGenerationWhenNothingIsInDoubt() async throws {
        try await Testbed.withShop(onCluster: false) { bed, _ in
            let other = try await Made.app("other", on: bed.pool)
            try await Self.store(1..<5, of: other, bed.pool)
            let outcome = try await bed.move(from: bed.plain, to: bed.pool, settledAt: .copiedPiece) { stage in
                guard stage == .begun else { return }
                let number = try await Self.texts("select current_transaction_number()::text", bed.pool)[0]
                try await bed.leaveInDoubt(
                    Self.insertion(of: other.number, number: number),
                    "event_2026_03",
                    of: other.number
                )
            }
            #expect(outcome.events == 29)
            #expect(try await Self.texts(Self.doubtful, bed.pool).count == 1)
        }
    }
}
