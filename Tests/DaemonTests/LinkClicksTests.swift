import Dashboard
import Events
import Foundation
import InboundLinks
import Ingest
import Logging
import Postgres
import PostgresTesting
import Storage
import Synchronization
import Testing
import Time

@testable import tributaryd

/// Clicks while the database or the spool is slow, or takes nothing. A writer or a spool that does not run yet hangs.
@Suite("What becomes of a click")
struct LinkClicksTests {
    private struct Storing: Sendable {
        let writer: EventWriter
        let spool: Spool
        let sink: SpoolingSink
        let clicks: LinkClicks
        let log: CollectedLog

        /// - Parameter limit: of the spool, in bytes.
        static func with<R>(
            _ address: PostgresAddress = PostgresAddress(host: "/nowhere", database: "none"),
            isPresent: Bool,
            limit: Int = 1 << 20,
            _ body: (Storing) async throws -> R
        ) async throws -> R {
            let folder = FileManager.default.temporaryDirectory.appending(path: "clicks-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let log = CollectedLog()
            let logger = Logger(label: "test") { _ in log }
            let pool = PostgresPool(address: address, size: 1, applicationName: "test")
            let writer = EventWriter(pool: pool, logger: logger)
            let spool = try await Spool.open(in: folder, of: nil, byteLimit: limit, logger: logger)
            let sink = SpoolingSink(
                writer: writer,
                spool: spool,
                patience: .seconds(3600),
                isPresent: isPresent,
                logger: logger
            )
            let clicks = LinkClicks(
                sink: sink,
                spool: spool,
                live: LiveIngest(),
                wait: .milliseconds(20),
                soughtWait: .seconds(3_600),
                spoolWait: .milliseconds(20),
                hits: HitCounter(),
                logger: logger
            )
            let result = try await body(
                Storing(writer: writer, spool: spool, sink: sink, clicks: clicks, log: log)
            )
            await pool.close()
            return result
        }

        func whileSpoolRuns(_ body: () async -> Void) async {
            async let running: Void = spool.run()
            await body()
            spool.close()
            await running
        }

        /// Stores a click, and waits until its visitor is sent on.
        ///
        /// - Returns: what becomes of the click.
        func send(_ click: Submission, isSought: Bool = false) async -> Task<StoreReceipt.Place?, Never> {
            let (ends, end) = AsyncStream<StoreReceipt.Place?>.makeStream()
            await withCheckedContinuation { visitor in
                clicks.store(click, isSought: isSought) {
                    visitor.resume()
                } end: { place in
                    end.yield(place)
                    end.finish()
                }
            }
            return Task {
                for await place in ends { return place }
                return nil
            }
        }
    }

    private static func click(_ number: UInt64 = 1, app: Int32 = 1) -> Submission {
        let time = Timestamp(microseconds: 1_773_576_000_000_000)
        let event = Event(
            id: EventID(high: 0x1111_1111_1111_4111, low: number),
            occurredAt: time,
            receivedAt: time,
            userID: nil,
            deviceID: nil,
            clickID: "click",
            platform: nil,
            properties: nil,
            content: .linkClick(Touch(link: InboundLink()))
        )
        return Submission(appNumber: app, keyPrefix: "link", receivedAt: time, events: [event])
    }

    /// The spool hangs, and takes the click later.
    @Test(arguments: [true, false])
    func theVisitorWaitsForNeitherLong(isPresent: Bool) async throws {
        try await Storing.with(isPresent: isPresent) { storing in
            let fate = await storing.send(Self.click())
            #expect(storing.spool.depth.batches == 0)
            #expect(storing.log.lines.contains { $0.contains("visitors are sent on before their clicks are stored") })
            await storing.whileSpoolRuns { #expect(await fate.value == .spool) }
            // The click was appended once, though it waited for longer than for the database.
            #expect(storing.spool.depth.batches == 1)
        }
    }

    @Test func isLostIfNobodyTakesIt() async throws {
        try await Storing.with(isPresent: false, limit: 0) { storing in
            for number: UInt64 in 1...5 { #expect(await storing.send(Self.click(number)).value == nil) }
            #expect(storing.log.lines.count { $0.contains("clicks are lost") } == 1)
        }
    }

    /// It is not lost before the database has failed, too.
    @Test func isStoredByALateCommit() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let apps = AppStore(pool: database.pool)
            _ = try await apps.create(AppProfile(id: "shop", name: "Shop"))
            let app = try await apps.app(id: "shop")
            try await Storing.with(database.address, isPresent: true, limit: 0) { storing in
                let fate = await storing.send(Self.click(app: app.number))
                let place = try await storing.writer.whileRunning { await fate.value }
                #expect(place == .database)
            }
            #expect(
                try await database.pool.withConnection { try $0.query("select count(*) from event")[0].int(0) } == 1
            )
        }
    }

    /// A page with a code is of no use without the commit.
    @Test func isWaitedForIfItIsSought() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let apps = AppStore(pool: database.pool)
            _ = try await apps.create(AppProfile(id: "shop", name: "Shop"))
            let number = try await apps.app(id: "shop").number
            try await Storing.with(database.address, isPresent: true, limit: 0) { storing in
                let visitor = Mutex("waits")
                let fate = Task {
                    let fate = await storing.send(Self.click(1, app: number), isSought: true)
                    visitor.withLock { $0 = "is sent on" }
                    return await fate.value
                }
                _ = await storing.send(Self.click(2, app: number))
                #expect(visitor.withLock { $0 } == "waits")
                let place = try await storing.writer.whileRunning { await fate.value }
                #expect(place == .database)
            }
        }
    }

    @Test func aFullSpoolIsLoggedOnceForAllRequests() async throws {
        try await Storing.with(isPresent: false, limit: 0) { storing in
            for number: UInt64 in 1...5 {
                let result = await withCheckedContinuation { continuation in
                    storing.sink.store(Self.click(number)) { continuation.resume(returning: $0) }
                }
                #expect(throws: SinkError.self) { try result.get() }
            }
            #expect(storing.log.lines.count { $0.contains("events cannot be stored") } == 1)
        }
    }
}
