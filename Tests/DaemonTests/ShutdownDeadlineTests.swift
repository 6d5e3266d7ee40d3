import Logging
import Postgres
import PostgresTesting
import ServiceLifecycle
import Testing

@testable import tributaryd

@Suite("The end of a daemon whose database hangs")
struct ShutdownDeadlineTests {
    /// Tells when the group runs.
    private struct Beginning: Service {
        let began: AsyncStream<Void>.Continuation

        func run() async throws {
            began.finish()
            try await gracefulShutdown()
        }
    }

    /// The patience with a database that is there is an hour.
    @Test func breaksOffWhatADatabaseDoesThatWasAway() async throws {
        try await TestDatabases.withDatabase { database in
            let pools = (0..<2).map { _ in PostgresPool(address: database.address, size: 1) }
            let started = AsyncStream.makeStream(of: Void.self)
            let hanging = Task {
                try await pools[0].withConnection { connection in
                    started.continuation.finish()
                    try connection.executeScript("select pg_sleep(600)")
                }
            }
            for await _ in started.stream {}
            let logger = Logger(label: "test") { _ in CollectedLog() }
            let deadline = ShutdownDeadline(
                patience: (present: .seconds(3_600), away: .zero),
                databases: pools.enumerated().map { place, pool in
                    .init(pools: [pool], isPresent: { place > 0 }, logger: logger)
                }
            )
            let (began, continuation) = AsyncStream.makeStream(of: Void.self)
            let group = ServiceGroup(services: [Beginning(began: continuation), deadline], logger: logger)
            let running = Task { try await group.run() }
            for await _ in began {}
            await group.triggerGracefulShutdown()
            try await running.value
            let error = await #expect(throws: PostgresError.self) { try await hanging.value }
            #expect(error?.kind == .connectionLost)
            try await #expect(pools[1].withConnection { try $0.query("select 1")[0].int(0) } == 1)
            for pool in pools { await pool.close() }
        }
    }
}
