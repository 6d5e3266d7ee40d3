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
    /// Without the fence, so many looks at most until one misses a row.
    private static let patience = 20_000

    @Test func hasAllRowsBelowIt() async throws {
        let missed = try await missed(of: "transaction_horizon") { $0.count < Self.looks }
        #expect(missed == 0)
    }

    /// Shows that the test above can fail: the function of one machine is too early for a cluster.
    @Test func needsItsFence() async throws {
        let missed = try await missed(of: "unfenced_horizon") { looks in looks.count < Self.patience }
        #expect(missed > 0)
    }

    /// Looks while events of several apps are stored, and counts the looks that missed a row: afterwards there are more
    /// rows below their horizon.
    private func missed(of function: String, while goesOn: @escaping @Sendable ([Look]) -> Bool) async throws -> Int {
        let missed = Outcome()
        try await ClusterTesting.withDistributed(poolSize: 6) { _, _, pool in
            let unfenced = try ClusterTesting.plainHorizon(named: "unfenced_horizon")
            try await pool.withConnection { try $0.executeScript(unfenced) }
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
                    group.addTask { try await Self.look(function, at: numbers, while: goesOn, on: pool) }
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

    private static func look(
        _ function: String,
        at apps: [Int32],
        while goesOn: @escaping @Sendable ([Look]) -> Bool,
        on pool: PostgresPool
    ) async throws -> [Look] {
        var looks: [Look] = []
        while goesOn(looks) {
            let app = Int64(apps[looks.count % apps.count])
            let look = try await pool.withConnection { connection in
                let row = try connection.query(
                    """
                    with here as materialized (
                        select \(function)() as horizon
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
            // A moment later all that this look should have seen can be seen.
            if function != "transaction_horizon", looks.count > 1 {
                let last = looks[looks.count - 2]
                if try await events(of: last, on: pool) != last.events { break }
            }
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
