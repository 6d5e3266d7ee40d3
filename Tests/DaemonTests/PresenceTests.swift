import Events
import Foundation
import Ingest
import Logging
import Postgres
import PostgresTesting
import Storage
import Testing

@testable import tributaryd

@Suite("Whether the database is there")
struct PresenceTests {
    private static let away = "error the database is unavailable; events go to the spool"
    private static let back = "notice the database is available again"

    /// On a full disk, an event that cannot be stored and the next look at the database contradict each other.
    @Test func isSaidOnceAMinute() {
        var log = PresenceLog()
        let start = ContinuousClock.now
        var lines: [(second: Int, isPresent: Bool)] = []
        for half in 0..<240 {
            let isPresent = half % 2 == 1
            let now = start.advanced(by: .milliseconds(half * 500))
            if log.says(isPresent, at: now) { lines.append((half / 2, isPresent)) }
        }
        #expect(lines.map(\.second) == [0, 0, 60, 60])
        #expect(lines.map(\.isPresent) == [false, true, false, true])
        // It ends away: that is said as soon as the minute is over, and only then.
        let later = [119, 120, 600].map { log.says(false, at: start.advanced(by: .seconds($0))) }
        #expect(later == [false, true, false])
    }

    private func withSink(
        on address: PostgresAddress,
        _ body: (SpoolingSink, PostgresPool, CollectedLog) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "presence-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let log = CollectedLog()
        let logger = Logger(label: "test") { _ in log }
        let pool = PostgresPool(address: address, size: 1, connectAttempts: 1)
        let sink = SpoolingSink(
            writer: EventWriter(pool: pool, logger: logger),
            spool: try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, logger: logger),
            patience: .seconds(3_600),
            isPresent: true,
            logger: logger
        )
        try await body(sink, pool, log)
        await pool.close()
    }

    private func look(_ sink: SpoolingSink, _ pool: PostgresPool, until isOver: () -> Bool) async {
        let service = PresenceService(pool: pool, sink: sink, pause: .milliseconds(1))
        let task = Task { try await service.run() }
        while !isOver() { await Task.yield() }
        task.cancel()
        _ = await task.result
    }

    @Test func isNoticedWithoutAnEvent() async throws {
        try await withSink(on: PostgresAddress(host: "/nowhere", database: "none")) { sink, pool, log in
            await look(sink, pool) { !sink.isDatabasePresent }
            #expect(log.lines.count { $0.hasPrefix(Self.away) } == 1)
            sink.markPresent(since: sink.departures)
            #expect(log.lines.contains(Self.back))
        }
    }

    @Test func isNotToldByACheckThatBeganBeforeItWentAway() async throws {
        try await withSink(on: PostgresAddress(host: "/nowhere", database: "none")) { sink, _, _ in
            let departures = sink.departures
            sink.markAway(because: EventWriterError.away)
            sink.markPresent(since: departures)
            #expect(!sink.isDatabasePresent)
            sink.markPresent(since: sink.departures)
            #expect(sink.isDatabasePresent)
        }
    }

    @Test func isNotDoubtedWhereTheDatabaseAnswers() async throws {
        try await withSink(on: TestDatabases.serverAddress()) { sink, pool, log in
            await look(sink, pool) { pool.usage.idle > 0 }
            #expect(sink.isDatabasePresent)
            #expect(log.lines.isEmpty)
        }
    }

    /// A role or a server that takes no writes.
    @Test func countsAsAwayWhereNothingCanBeWritten() async throws {
        let options = " options='-c default_transaction_read_only=on'"
        let address = try await PostgresAddress(TestDatabases.serverAddress().keywords + options)
        try await withSink(on: address) { sink, pool, log in
            await look(sink, pool) { !sink.isDatabasePresent }
            #expect(log.lines.contains { $0.contains("read-only") })
        }
    }
}
