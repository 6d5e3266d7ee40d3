import Events
import Foundation
import InboundLinks
import Ingest
import Logging
import Postgres
import PostgresTesting
import Reporting
import Settings
@testable import Storage
import Testing
import Time
import Timelines
@testable import tributaryd

@Suite("Workers of a Citus cluster", .enabled(if: ClusterTesting.isWanted), .serialized)
struct WorkerTests {
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
            let (away, present, node) = try await PlacedApps.pair(cluster, pool)
            var limits = WriterLimits()
            limits.workerPause = .zero
            let writer = EventWriter(pool: pool, limits: limits, logger: Logger(label: "test"))
            try await writer.whileRunning {
                for app in [away, present] {
                    _ = try await writer.store(Made.submission(app.number, events(1..<20)))
                }
                // From now on, the person of events that were received before is looked up.
                let gone = Made.event(500, user: "gone", .authentication())
                _ = try await writer.store(Made.submission(present.number, [gone]))
                _ = try await PersonStore(
                    pool: pool,
                    spools: SpoolFolder(path: "/nowhere", of: pool),
                    packed: TimelineRemoval()
                ).erase(PersonKey(.user, "gone"), in: present)
                try cluster.kill(node, staysAway: true)
                for round in 0..<5 as Range<UInt64> {
                    let numbers = (20 + round * 10)..<(30 + round * 10)
                    async let stored = writer.store(Made.submission(present.number, events(numbers)))
                    async let kept = Result<WriteReceipt, any Error> {
                        try await writer.store(Made.submission(away.number, events(numbers)))
                    }
                    _ = try await stored
                    switch await kept {
                    case .failure(EventWriterError.partlyUnavailable): break
                    case let other: Issue.record("\(other)")
                    }
                }
                #expect(try await count(present, pool) == 69)
                // All that the writer looks up elsewhere.
                let mixed = mixedSubmission(present.number)
                #expect(try await writer.store(mixed).duplicates == 0)
                #expect(try await writer.store(mixed).duplicates == mixed.events.count)
                // Of a delivery for both, one part is stored.
                let both = [away, present].map { Made.submission($0.number, events(70..<80)) }
                await expectKeptBack { _ = try await writer.store(contentsOf: both) }
                try await cluster.start(node)
                // As from a spool: again and again. Each session may still have a connection that is broken.
                for round in 0..<5 as Range<UInt64> {
                    let submission = Made.submission(away.number, events((20 + round * 10)..<(30 + round * 10)))
                    var isStored = false
                    while !isStored {
                        do {
                            _ = try await writer.store(submission)
                            isStored = true
                        } catch EventWriterError.partlyUnavailable {}
                    }
                }
                let receipts = try await writer.store(contentsOf: both)
                #expect(receipts.map(\.duplicates) == [0, 10])
                for (app, stored) in [(away, 79), (present, 83)] { #expect(try await count(app, pool) == stored) }
            }
        }
    }

    /// An event of each kind that has a table of its own, and a rejected one that was imported.
    private func mixedSubmission(_ app: Int32) -> Submission {
        let contents: [Event.Content] = [
            .feedPost(FeedPost(outcome: .posted, postID: "post", refs: ["a"])), .linkClick(Touch(link: InboundLink())),
            .inboundLink(Touch(link: InboundLink())), .authentication(),
        ]
        let events = contents.enumerated().map { number, content in
            var event = Made.event(UInt64(200 + number), user: "v", device: "e", content)
            event.clickID = "click"
            return event
        }
        var submission = Made.submission(app, events)
        submission.rejections = [
            Rejection(index: 4, code: .missingField, field: "name", message: "m", redactedEvent: "{}")
        ]
        submission.rejectionIDs = [EventID(high: 2, low: 2)]
        return submission
    }

    /// It neither answers nor refuses.
    @Test(.timeLimit(.minutes(5))) func refuseTheirAppsWhileTheyHang() async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (hanging, present, node) = try await PlacedApps.pair(cluster, pool)
            var limits = WriterLimits()
            limits.transactions = 2
            limits.concurrentCommitThreshold = 0
            // No event is tried before the worker has answered.
            limits.workerPause = .seconds(3_600)
            // Too few connections for two workers: the writer asks for more.
            try await ClusterTesting.withPool(address, size: 2) { [limits] small in
                let writer = EventWriter(pool: small, limits: limits, logger: Logger(label: "test"))
                try await writer.whileRunning {
                    for app in [hanging, present] {
                        _ = try await writer.store(Made.submission(app.number, events(1..<11)))
                    }
                    try cluster.freeze(node)
                    // More of them than the lane has transactions.
                    let (waiting, end) = AsyncStream<Result<[WriteReceipt], EventWriterError>>.makeStream()
                    for round in 1...4 as ClosedRange<UInt64> {
                        let numbers = (round * 10 + 1)..<(round * 10 + 11)
                        writer.store(contentsOf: [Made.submission(hanging.number, events(numbers))]) { end.yield($0) }
                    }
                    for round in 1...20 as ClosedRange<UInt64> {
                        let submission = Made.submission(present.number, events((round * 10 + 1)..<(round * 10 + 11)))
                        #expect(try await writer.store(submission).duplicates == 0)
                    }
                    let late = Made.submission(hanging.number, events(51..<61))
                    #expect(writer.recordTimeout(of: late))
                    #expect(writer.refuses(app: hanging.number) && !writer.refuses(app: present.number))
                    await expectKeptBack { _ = try await writer.store(late) }
                    #expect(try await count(present, pool) == 210)
                    try cluster.thaw(node)
                    var answers = waiting.makeAsyncIterator()
                    for _ in 1...4 { #expect(try await answers.next()?.get().map(\.duplicates) == [0]) }
                    #expect(try await writer.store(late).duplicates == 0)
                }
            }
            #expect(try await count(hanging, pool) == 60)
        }
    }

    private func expectKeptBack(_ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("the events were stored")
        } catch EventWriterError.partlyUnavailable {
        } catch {
            Issue.record("\(error)")
        }
    }

    /// The courier stores what waits behind them, and says that the database is there.
    @Test(.timeLimit(.minutes(5))) func keepBackOnlyTheirOwnAppsInTheSpool() async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (away, present, node) = try await PlacedApps.pair(cluster, pool)
            let folder = FileManager.default.temporaryDirectory.appending(path: "courier-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let logger = Logger(label: "test")
            var limits = WriterLimits()
            // The worker is not tried again by this writer.
            limits.workerPause = .seconds(3_600)
            let writer = EventWriter(pool: pool, limits: limits, logger: logger)
            let spool = try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, logger: logger)
            let sink = SpoolingSink(
                writer: writer,
                spool: spool,
                patience: .seconds(3_600),
                isPresent: false,
                logger: logger
            )
            let url = "postgresql://tributary@127.0.0.1:\(cluster.ports[0])/\(address.database)"
            let courier = SpoolCourier(
                spool: spool,
                folder: folder,
                root: folder,
                sink: sink,
                writer: writer,
                pool: pool,
                address: try DatabaseAddress(.named(url), logger: logger),
                schema: DatabaseSchema(pool: pool, logger: logger),
                directory: LinkDirectory(),
                logger: logger
            )
            // No month can be made without all workers.
            try await pool.withConnection { try $0.execute("select ensure_event_partition('2026-03-01')") }
            try cluster.kill(node, staysAway: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await writer.run() }
                group.addTask { await spool.run() }
                await expectKeptBack { _ = try await writer.store(Made.submission(away.number, events(0..<10))) }
                for round in 0..<3 as Range<UInt64> {
                    for app in [away, present] {
                        let numbers = (round * 10)..<(round * 10 + 10)
                        try await spool.append(Made.submission(app.number, events(numbers)))
                    }
                }
                let running = Task { try await courier.run() }
                while try await count(present, pool) < 30 || !sink.isDatabasePresent { await Task.yield() }
                #expect(spool.depth.batches == 6)
                let early = Event(
                    id: EventID(high: 1, low: 1),
                    occurredAt: Made.noon.advanced(by: .seconds(-86_400 * 70)),
                    receivedAt: Made.noon,
                    userID: "early",
                    deviceID: nil,
                    clickID: nil,
                    platform: nil,
                    properties: nil,
                    content: .authentication()
                )
                let lone = Made.submission(present.number, [early])
                await expectKeptBack { _ = try await writer.store(lone) }
                // What may be committed together with it is stored.
                let others = [40, 41].map { Made.submission(present.number, events($0..<($0 + 1))) }
                let (answers, end) = AsyncStream<(Int, Bool)>.makeStream()
                for (number, submission) in [others[0], lone, others[1]].enumerated() {
                    writer.store(contentsOf: [submission]) { end.yield((number, (try? $0.get()) != nil)) }
                }
                var isStored: [Int: Bool] = [:]
                for await (number, stored) in answers {
                    isStored[number] = stored
                    if isStored.count == 3 { break }
                }
                #expect(isStored == [0: true, 1: false, 2: true])
                // Behind what has been looked at.
                try await spool.append(Made.submission(present.number, events(30..<40)))
                while try await count(present, pool) < 42 { await Task.yield() }
                #expect(spool.depth.batches == 7)
                running.cancel()
                _ = await running.result
                writer.close()
                try await cluster.start(node)
                // What was stored is delivered again.
                let next = EventWriter(pool: pool, logger: logger)
                try await next.whileRunning {
                    let batch = try #require(try await spool.oldest())
                    let receipts = try await next.store(contentsOf: batch.submissions)
                    #expect(receipts.map(\.duplicates) == [0, 10, 0, 10, 0, 10, 10])
                }
                for (app, stored) in [(away, 30), (present, 42)] { #expect(try await count(app, pool) == stored) }
                spool.close()
                try await group.waitForAll()
            }
        }
    }

    @Test func giveAnAppToAnotherWhileItsEventsAreStored() async throws {
        try await ClusterTesting.withDistributed { _, _, pool in
            let apps = try await PlacedApps.appsOnBoth(pool)
            let moved = try #require(apps.values.min { $0.number < $1.number })
            let from = try await PlacedApps.worker(of: moved, pool)
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
                #expect(try await PlacedApps.worker(of: moved, pool) != from)
                #expect(try await count(moved, pool) == Int(stored) - 1)
            }
        }
    }

    /// The writer remembers where the app was.
    @Test(.timeLimit(.minutes(5))) func areBlamedOnlyForAppsThatTheyHave() async throws {
        try await ClusterTesting.withOwnCluster { cluster, _, pool in
            let (moved, _, _) = try await PlacedApps.pair(cluster, pool)
            let from = try await PlacedApps.worker(of: moved, pool)
            var limits = WriterLimits()
            // No worker is tried again.
            limits.workerPause = .seconds(3_600)
            let writer = EventWriter(pool: pool, limits: limits, logger: Logger(label: "test"))
            try await writer.whileRunning {
                _ = try await writer.store(Made.submission(moved.number, events(1..<10)))
                try await move(moved, pool)
                let (to, port) = try await PlacedApps.place(of: moved, pool)
                #expect(to != from)
                var staying: App?
                for number in 0..<40 where staying == nil {
                    let app = try await Made.app("other-\(number)", on: pool)
                    if try await PlacedApps.worker(of: app, pool) == from { staying = app }
                }
                let stays = try #require(staying)
                _ = try await writer.store(Made.submission(stays.number, events(1..<10)))
                try cluster.kill(port - cluster.ports[0], staysAway: true)
                await expectKeptBack { _ = try await writer.store(Made.submission(moved.number, events(10..<20))) }
                #expect(writer.refuses(app: moved.number) && !writer.refuses(app: stays.number))
                _ = try await writer.store(Made.submission(stays.number, events(10..<20)))
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

    /// A coordinator that was promoted without its last commits has forgotten a month that the workers have.
    @Test(.timeLimit(.minutes(5))) func giveBackAMonthThatTheCoordinatorForgot() async throws {
        try await ClusterTesting.withOwnCluster { cluster, address, pool in
            let (first, second, _) = try await PlacedApps.pair(cluster, pool)
            func store(_ numbers: Range<UInt64>, expecting duplicates: Int) async throws {
                try await ClusterTesting.withPool(address) { pool in
                    let writer = EventWriter(pool: pool, logger: Logger(label: "test"))
                    try await writer.whileRunning {
                        for app in [first, second] {
                            let receipt = try await writer.store(Made.submission(app.number, events(numbers)))
                            #expect(receipt.duplicates == duplicates)
                        }
                    }
                }
            }
            try cluster.kill(0, staysAway: true)
            try cluster.copy(0)
            try await cluster.start(0)
            try await store(1..<21, expecting: 0)
            try cluster.kill(0, staysAway: true)
            try await cluster.promoteCopy(0)
            // Events of that month, new ones and such as were stored before.
            try await store(11..<31, expecting: 10)
            try await ClusterTesting.withPool(address) { pool in
                for app in [first, second] { #expect(try await count(app, pool) == 30) }
                // Their parts are whole, and can be moved.
                try await move(first, pool)
                #expect(try await count(first, pool) == 30)
            }
        }
    }

    /// `doctor` asks so. The coordinator, too, would wait as long as its settings say.
    @Test(.timeLimit(.minutes(5))) func areNamedSoonWhileTheyHang() async throws {
        try await ClusterTesting.withOwnCluster { cluster, _, pool in
            try cluster.freeze(1)
            let time = ContinuousClock.now
            let state = try await pool.withConnection { connection in
                try connection.execute("set citus.node_connection_timeout = '30s'")
                return try ClusterState.read(connection)
            }
            #expect(.now - time < .seconds(10))
            #expect(state.workers.map { $0.answer == nil } == [true, false])
            try cluster.thaw(1)
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
            let from = try await PlacedApps.worker(of: app, pool)
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
            await #expect(throws: DistributionError.partsAreMoved(from: "worker 127.0.0.1:\(port)")) {
                try await pool.withConnection { try ClusterState.requireRest($0) }
            }
            _ = try await other.query("commit")
            try await moving
            await other.close()
            #expect(try await PlacedApps.worker(of: app, pool) != from)
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
