import Events
import Foundation
import Logging
import Postgres
import PostgresTesting
@testable import Storage
import Testing
import Time

/// A transaction that commits in two phases has ended on the coordinator before its rows can be seen on the workers.
@Suite("The transaction horizon of a Citus cluster", .enabled(if: ClusterTesting.isWanted), .serialized)
struct HorizonTests {
    /// What somebody saw below a horizon.
    private struct Look: Sendable {
        var app: Int64
        var horizon: Int64
        var events: Int
    }

    private static let looks = 400

    @Test(.timeLimit(.minutes(5))) func hasAllRowsBelowIt() async throws {
        let missed = try await missed()
        #expect(missed == 0)
    }

    /// Shows that the test above can fail: the function of one machine is too early for a cluster. The sessions of two
    /// workers are stopped, so that one worker has committed its part, and the other has not.
    @Test(.timeLimit(.minutes(5))) func needsItsFence() async throws {
        // Other tests' transactions would keep it back too.
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (first, second, node) = try await PlacedApps.pair(cluster, pool)
            let unfenced = try ClusterTesting.plainHorizon(named: "unfenced_horizon")
            try await pool.withConnection { connection in
                try connection.executeScript(unfenced)
                _ = try connection.query("select ensure_event_partition('2026-03-01')")
            }
            func number(_ sql: String) async throws -> Int64 {
                try await pool.withConnection { try $0.query(sql)[0].int64(0) }
            }
            func seen(_ app: App) async throws -> Int64 {
                try await number("select count(*) from event where app_number = \(app.number)")
            }
            let storing = try await PostgresConnection.connect(to: address)
            _ = try await storing.query("begin")
            let own = try await storing.query("select current_transaction_number()")[0].int64(0)
            for app in [first, second] {
                _ = try await storing.query(
                    """
                    insert into event (app_number, event_id, type, occurred_at, received_at, transaction_number)
                    values (\(app.number), gen_random_uuid(), 'install', '2026-03-15', '2026-03-15', \(own))
                    """
                )
            }
            let workers = [node, 3 - node].map { cluster.address($0, database: address.database) }
            let (late, early) = (try await Self.storingSession(workers[0]), try await Self.storingSession(workers[1]))
            try cluster.freeze(session: early)
            async let commit = storing.query("commit")
            let worker = try await PostgresConnection.connect(to: workers[0])
            while try await worker.query("select from pg_prepared_xacts").isEmpty { await Task.yield() }
            try cluster.freeze(session: late)
            try cluster.thaw(session: early)
            while try await seen(second) == 0 { await Task.yield() }
            // A session of the server's own may keep it back for a moment.
            while try await number("select unfenced_horizon()") <= own { await Task.yield() }
            #expect(try await number("select transaction_horizon()") <= own)
            #expect(try await seen(first) == 0)
            try cluster.thaw(session: late)
            _ = try await commit
            #expect(try await seen(first) == 1)
            while try await number("select transaction_horizon()") <= own { await Task.yield() }
            await worker.close()
            await storing.close()
        }
    }

    /// The session in which a worker does its part of the only transaction.
    private static func storingSession(_ worker: PostgresAddress) async throws -> Int {
        let connection = try await PostgresConnection.connect(to: worker)
        let sessions = try await connection.query(
            """
            select pid
            from pg_stat_activity
            where datname = current_database() and state = 'idle in transaction'
            """
        )
        try #require(sessions.count == 1)
        await connection.close()
        return try sessions[0].int(0)
    }

    /// Looks while events of several apps are stored, and counts the looks that missed a row: afterwards there are more
    /// rows below their horizon.
    private func missed() async throws -> Int {
        let missed = Outcome()
        try await ClusterTesting.withDistributed(poolSize: 6) { _, _, pool in
            var apps: [App] = []
            for number in 0..<4 { apps.append(try await Made.app("app-\(number)", on: pool)) }
            let numbers = apps.map(\.number)
            var limits = WriterLimits()
            limits.transactions = 3
            limits.concurrentCommitThreshold = 1
            let writer = EventWriter(pool: pool, limits: limits, logger: Logger(label: "test"))
            let looks = try await writer.whileRunning {
                try await withThrowingTaskGroup(of: [Look].self) { group in
                    for sender in 0..<6 {
                        group.addTask {
                            var number = UInt64(sender) << 32
                            while !Task.isCancelled {
                                number += 20
                                let events = (0..<20).map {
                                    Made.event(number + $0, user: "u\((number + $0) % 100)", .authentication())
                                }
                                let app = numbers[Int(number / 20) % numbers.count]
                                _ = try await writer.store(Made.submission(app, events))
                            }
                            return []
                        }
                    }
                    group.addTask { try await Self.look(at: numbers, on: pool) }
                    var looks: [Look] = []
                    for try await part in group where !part.isEmpty {
                        looks = part
                        group.cancelAll()
                    }
                    return looks
                }
            }
            try #require(!looks.isEmpty)
            var count = 0
            for look in looks where try await Self.events(of: look, on: pool) != look.events { count += 1 }
            await missed.set(count)
        }
        return await missed.count
    }

    private actor Outcome {
        private(set) var count = -1
        func set(_ count: Int) { self.count = count }
    }

    private static func look(at apps: [Int32], on pool: PostgresPool) async throws -> [Look] {
        var looks: [Look] = []
        while looks.count < Self.looks {
            let app = Int64(apps[looks.count % apps.count])
            let look = try await pool.withConnection { connection in
                let row = try connection.query(
                    """
                    with here as materialized (
                        select transaction_horizon() as horizon
                        from database_identity
                    ),
                    seen as materialized (
                        select count(*) as events
                        from event
                        where app_number = $1
                            and transaction_number < (select horizon from here)
                    )
                    select here.horizon, seen.events
                    from here
                    cross join seen
                    """,
                    [.int(app)]
                )[0]
                return Look(app: app, horizon: try row.int64(0), events: try row.int(1))
            }
            looks.append(look)
        }
        return looks
    }

    private static func events(of look: Look, on pool: PostgresPool) async throws -> Int {
        try await pool.withConnection { connection in
            try connection.query(
                "select count(*) from event where app_number = $1 and transaction_number < $2",
                [.int(look.app), .int(look.horizon)]
            )[0].int(0)
        }
    }
}
