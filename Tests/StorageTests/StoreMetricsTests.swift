import Events
import Logging
import Postgres
@testable import Storage
import Testing

@Suite("What the writer counts")
struct StoreMetricsTests {
    typealias Base = StorageTesting

    private func submission(_ base: StorageTesting) -> Submission {
        var refused = Base.event(3, user: "u")
        refused.properties = "no JSON"
        return Submission(
            appNumber: base.app.number,
            keyPrefix: "trib_w_test",
            receivedAt: Base.noon,
            events: [Base.event(1, user: "u"), Base.event(2, user: "u"), Base.event(2, user: "u"), refused],
            rejections: [Rejection(index: 4, code: .junkID, message: "m", redactedEvent: "{}")]
        )
    }

    @Test func eachEventCountsAsWhatBecameOfIt() async throws {
        try await Base.with { base in
            let counts = CountingFactory()
            let writer = EventWriter(pool: base.pool, logger: Logger(label: "test"), metricsFactory: counts)
            _ = try await writer.whileRunning { try await writer.store(submission(base)) }
            #expect(counts[StoreMetrics.Name.events] == 2)
            #expect(counts[StoreMetrics.Name.duplicates] == 1)
            #expect(counts[StoreMetrics.Name.deadLetters] == 2)
            #expect(counts[StoreMetrics.Name.commitEvents] == 4)
            #expect(counts[StoreMetrics.Name.commitDuration] == 1)
            #expect(counts["\(StoreMetrics.Name.failures) unavailable"] == 0)
        }
    }

    @Test func aFailureCountsNoEvent() async throws {
        try await Base.with { base in
            let counts = CountingFactory()
            let pool = PostgresPool(address: try PostgresAddress("host=127.0.0.1 port=1"), connectAttempts: 1)
            let writer = EventWriter(pool: pool, logger: Logger(label: "test"), metricsFactory: counts)
            await #expect(throws: EventWriterError.self) {
                try await writer.whileRunning { try await writer.store(submission(base)) }
            }
            #expect(counts["\(StoreMetrics.Name.failures) unavailable"] == 1)
            #expect(counts[StoreMetrics.Name.events] == 0)
        }
    }
}
