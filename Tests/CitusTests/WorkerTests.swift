import Events
import Logging
import Postgres
import PostgresTesting
import Reporting
@testable import Storage
import Testing
import Time

@Suite("Workers of a Citus cluster", .enabled(if: ClusterTesting.isWanted), .serialized)
struct WorkerTests {
    /// Apps until there is one on each of two workers.
    private func appsOnBoth(_ pool: PostgresPool) async throws -> [Int32: App] {
        var apps: [Int32: App] = [:]
        for number in 0..<40 where apps.count < 2 {
            let app = try await Made.app("app-\(number)", on: pool)
            apps[try await worker(of: app, pool)] = app
        }
        try #require(apps.count == 2)
        return apps
    }

    /// The worker of an app, as Citus numbers its nodes.
    private func worker(of app: App, _ pool: PostgresPool) async throws -> Int32 {
        try await pool.withConnection { connection in
            Int32(try connection.query(StoredSQL.selectAppWorkers, [.intArray([Int64(app.number)])])[0].int(1))
        }
    }

    private func count(_ app: App, _ pool: PostgresPool) async throws -> Int {
        try await pool.withConnection { connection in
            try connection.query("select count(*) from event where app_number = $1", [.int(Int64(app.number))])[0].int(
                0
            )
        }
    }

    private func events(_ numbers: Range<UInt64>) -> [Event] {
        numbers.map { Made.event($0, user: "u\($0 % 10)", device: "d\($0 % 15)", .authentication()) }
    }

    @Test func keepBackOnlyTheirOwnApps() async throws {
        try await ClusterTesting.withOwnCluster { cluster, _, pool in
            let apps = try await appsOnBoth(pool).sorted { $0.key < $1.key }
            let (away, present) = (apps[0], apps[1])
            // The first worker of Citus' list is the first node after the coordinator.
            let node =
                Int(
                    try await pool.withConnection { connection in
                        try connection.query(
                            "select nodeport from pg_dist_node where groupid = $1",
                            [.int(Int64(away.key))]
                        )[0].int(0)
                    }
                ) - cluster.ports[0]
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                for app in [away.value, present.value] {
                    _ = try await writer.store(Made.submission(app.number, events(1..<20)))
                }
                try cluster.kill(node, staysAway: true)
                for round in 0..<5 as Range<UInt64> {
                    let numbers = (20 + round * 10)..<(30 + round * 10)
                    async let stored = writer.store(Made.submission(present.value.number, events(numbers)))
                    async let kept = Result<EventWriter.Receipt, any Error> {
                        try await writer.store(Made.submission(away.value.number, events(numbers)))
                    }
                    _ = try await stored
                    switch await kept {
                    case .failure(EventWriterError.unavailable): break
                    case let other: Issue.record("\(other)")
                    }
                }
                #expect(try await count(present.value, pool) == 69)
                try await cluster.start(node)
                // As from a spool.
                for round in 0..<5 as Range<UInt64> {
                    let numbers = (20 + round * 10)..<(30 + round * 10)
                    _ = try await writer.store(Made.submission(away.value.number, events(numbers)))
                }
                #expect(try await count(away.value, pool) == 69)
            }
        }
    }

    @Test func giveAnAppToAnotherWhileItsEventsAreStored() async throws {
        try await ClusterTesting.withDistributed { _, _, pool in
            let apps = try await appsOnBoth(pool)
            let moved = try #require(apps.values.min { $0.number < $1.number })
            let from = try await worker(of: moved, pool)
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                _ = try await writer.store(Made.submission(moved.number, events(1..<50)))
                let stored = try await withThrowingTaskGroup(of: UInt64.self) { group in
                    group.addTask {
                        var next: UInt64 = 50
                        while !Task.isCancelled {
                            let events = events(next..<(next + 10))
                            _ = try await writer.store(Made.submission(moved.number, events))
                            next += 10
                        }
                        return next
                    }
                    try await move(moved, pool)
                    group.cancelAll()
                    return try await group.next() ?? 0
                }
                #expect(try await worker(of: moved, pool) != from)
                #expect(try await count(moved, pool) == Int(stored) - 1)
            }
        }
    }

    /// Gives an app, with all of its part, to the other worker.
    private func move(_ app: App, _ pool: PostgresPool) async throws {
        try await pool.withConnection { connection in
            _ = try connection.query(
                """
                select citus_move_shard_placement(
                    shardid, source.nodename, source.nodeport, target.nodename, target.nodeport, 'auto'
                )
                from pg_dist_placement as placement
                join pg_dist_node as source using (groupid)
                join pg_dist_node as target on target.groupid not in (0, source.groupid)
                where shardid = get_shard_id_for_distribution_column('event_key', $1::integer)
                """,
                [.int(Int64(app.number))]
            )
        }
    }

    /// Meanwhile its worker publishes every change of a row, and refuses those of rows that nothing identifies.
    @Test(.timeLimit(.minutes(5))) func letEventsOfAnAppBeDeletedWhileItIsMoved() async throws {
        try await ClusterTesting.withDistributed { cluster, address, pool in
            let app = try await Made.app("moved", on: pool)
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
            try await writer.whileRunning {
                _ = try await writer.store(Made.submission(app.number, events(1..<61)))
            }
            let from = try await worker(of: app, pool)
            let port = try await pool.withConnection { connection in
                try connection.query(
                    "select nodeport from pg_dist_node where groupid = $1",
                    [.int(Int64(from))]
                )[0].int(0)
            }
            // The move waits for this transaction before it copies anything.
            let other = try await PostgresConnection.connect(
                to: cluster.address(port - cluster.ports[0], database: address.database)
            )
            _ = try await other.query("begin")
            _ = try await other.query("select pg_current_xact_id()")
            async let moving: Void = move(app, pool)
            func isMoving() async throws -> Bool {
                try await pool.withConnection { try ClusterState.read($0) }.workers.contains {
                    $0.answer?.isMoving == true
                }
            }
            while try await !isMoving() { await Task.yield() }
            let (deleted, changed) = try await pool.withConnection { connection in
                let own: [PostgresValue] = [.int(Int64(app.number))]
                return (
                    try connection.execute("delete from event where app_number = $1 and user_id < 'u5'", own),
                    try connection.execute("update event set goal = 'a' where app_number = $1 and user_id = 'u7'", own)
                )
            }
            #expect(deleted == 30)
            #expect(changed == 6)
            // What needs a lock of the tables is refused.
            await #expect(throws: DistributionError.partsAreMoved(from: "127.0.0.1:\(port)")) {
                try await pool.withConnection { try ClusterState.requireRest($0) }
            }
            _ = try await other.query("commit")
            try await moving
            await other.close()
            #expect(try await worker(of: app, pool) != from)
            #expect(try await count(app, pool) == 30)
            let kept = try await pool.withConnection { connection in
                try connection.query(
                    "select count(*) from event where app_number = $1 and goal = 'a'",
                    [.int(Int64(app.number))]
                )[0].int(0)
            }
            #expect(kept == 6)
            #expect(try await !isMoving())
        }
    }

    /// The second phase of a commit has failed: the rows stay prepared on a worker.
    @Test func keepTheHorizonBackWhileACommitIsInDoubt() async throws {
        // Other tests' transactions would keep it back too.
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            // Keeps Citus from mending it meanwhile.
            let lock = try await PostgresConnection.connect(to: address)
            _ = try await lock.query("begin")
            _ = try await lock.query("lock table pg_dist_transaction in share update exclusive mode")
            let gid = "citus_0_1_1_1"
            let worker = try await PostgresConnection.connect(to: cluster.address(1, database: address.database))
            for statement in ["begin", "create table doubtful (a integer)", "prepare transaction '\(gid)'"] {
                _ = try await worker.query(statement)
            }
            func horizon() async throws -> Int64 {
                try await pool.withConnection { try $0.query("select transaction_horizon()")[0].int64(0) }
            }
            let number = try await pool.withConnection { connection in
                try connection.transaction {
                    try connection.execute(
                        """
                        insert into pg_dist_transaction (groupid, gid)
                        select groupid, $1 from pg_dist_node where nodeport = $2
                        """,
                        [.text(gid), .int(Int64(cluster.ports[1]))]
                    )
                    return try connection.query("select current_transaction_number()")[0].int64(0)
                }
            }
            for _ in 0..<3 {
                try await pool.withConnection { _ = try $0.query("select pg_current_xact_id()") }
                #expect(try await horizon() == number)
            }
            _ = try await worker.query("commit prepared '\(gid)'")
            #expect(try await horizon() > number)
            await worker.close()
            await lock.close()
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
