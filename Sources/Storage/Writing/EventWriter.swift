package import CoreMetrics
package import Events
package import Time
package import Logging
package import Postgres
import Synchronization

/// Stores events, each once, by group commit: several requests in a transaction.
///
/// `run()` must be running for `store` to return. One writer a process is enough.
package final class EventWriter: Sendable {
    /// What may wait. Beyond it, `store` throws `EventWriterError.overloaded` at once.
    package struct Limits: Sendable {
        /// Events waiting for a commit.
        package var waitingEvents = 50_000
        /// Events in one transaction. A submission is never split; a larger one goes alone.
        package var groupedEvents = 10_000
        /// Transactions at a time, each on a connection of its own: while one waits for the disk, another is made ready.
        /// With more than one, submissions that wait at the same time may be committed in another order.
        package var transactions = 1
        /// Events that must wait for a transaction beside another. Fewer wait for its end: a transaction costs the database
        /// about a millisecond, and the disk another, however little is in it.
        package var eventsBeside = 100

        package init() {}
    }

    /// The events of one request, decided at the door, and its rejections, which are kept in the same transaction.
    package struct Submission: Equatable, Sendable {
        package var appNumber: Int32
        package var keyPrefix: String
        package var receivedAt: Timestamp
        package var events: [Event]
        package var rejections: [Rejection]
        /// The ids of the dead letters, so that the same line of the same file makes no second one. Where there are none, the
        /// submission decides them. The spool does not keep them.
        package var rejectionIDs: [EventID] = []
        /// Of an import: recorded in the same transaction. The spool does not keep it either.
        package var checkpoint: ImportCheckpoint?

        package init(
            appNumber: Int32,
            keyPrefix: String,
            receivedAt: Timestamp,
            events: [Event],
            rejections: [Rejection] = []
        ) {
            self.appNumber = appNumber
            self.keyPrefix = keyPrefix
            self.receivedAt = receivedAt
            self.events = events
            self.rejections = rejections
        }
    }

    /// What became of a submission: all of it is committed.
    package struct Receipt: Equatable, Sendable {
        /// Events that were stored before, in this submission or another.
        package var duplicates = 0
        /// Events that were dropped, because their person or their app has been erased since they were received.
        package var erased = 0
        /// Positions in `events` of those that PostgreSQL itself refused. They are kept as dead letters.
        package var refused: [Int] = []
    }

    /// How often a group is tried when it loses against another writer.
    private static let attempts = 5

    private let pool: PostgresPool
    private let logger: Logger
    private let metrics: StoreMetrics
    private let queue: CommitQueue<[Submission], [Receipt]>
    private let months = Mutex<Set<Int>>([])
    private let transactions: Int

    /// - Parameter metricsFactory: where ``StoreMetrics`` are counted; default, the process's.
    package init(
        pool: PostgresPool,
        limits: Limits = Limits(),
        logger: Logger,
        metricsFactory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.pool = pool
        self.logger = logger
        metrics = StoreMetrics(factory: metricsFactory)
        transactions = max(1, limits.transactions)
        queue = CommitQueue(
            waitingLimit: limits.waitingEvents,
            groupLimit: limits.groupedEvents,
            besideLimit: limits.eventsBeside
        )
    }

    /// Stores a submission. Returns after its commit.
    package func store(_ submission: Submission) async throws(EventWriterError) -> Receipt {
        try await store(contentsOf: [submission])[0]
    }

    /// Stores submissions in their order, in one transaction. Returns after its commit.
    package func store(contentsOf submissions: [Submission]) async throws(EventWriterError) -> [Receipt] {
        let result = await withCheckedContinuation { continuation in
            store(contentsOf: submissions) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// - Parameter end: told after the commit, from anywhere.
    package func store(
        contentsOf submissions: [Submission],
        end: @escaping @Sendable (Result<[Receipt], EventWriterError>) -> Void
    ) {
        queue.submit(submissions, weight: submissions.reduce(0) { $0 + $1.events.count }) { result in
            end(
                result.mapError { error in
                    switch error {
                    case let error as EventWriterError: error
                    case CommitQueue<[Submission], [Receipt]>.Refusal.full: .overloaded
                    default: .closed
                    }
                }
            )
        }
    }

    /// Commits group after group until ``close()``, and then what still waits.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<transactions {
                group.addTask { await self.queue.run { await self.commit($0) } }
            }
        }
    }

    /// Takes no more submissions; `run()` returns when those that wait are committed.
    package func close() {
        queue.close()
    }

    /// Runs while `body` does, and commits what waits then; for programs that have no other use for a service.
    package func whileRunning<R>(_ body: () async throws -> R) async throws -> R {
        async let running: Void = run()
        do {
            let result = try await body()
            close()
            await running
            return result
        } catch {
            close()
            await running
            throw error
        }
    }

    private func commit(_ submissions: [[Submission]]) async -> [Result<[Receipt], any Error>] {
        let startedAt = ContinuousClock.now
        do {
            let group = submissions.flatMap(\.self)
            var receipts = try await store(EventGroup(group))[...]
            metrics.committed(group, receipts, after: .now - startedAt)
            return submissions.map { part in
                defer { receipts = receipts.dropFirst(part.count) }
                return .success(Array(receipts.prefix(part.count)))
            }
        } catch let error as PostgresError where error.isUnavailable {
            metrics.failed(.unavailable)
            logger.warning("events could not be stored", metadata: ["error": "\(error)"])
            return submissions.map { _ in .failure(EventWriterError.unavailable(error)) }
        } catch {
            metrics.failed(.failed)
            logger.error("events could not be stored", metadata: ["error": "\(error)"])
            return submissions.map { _ in .failure(EventWriterError.failed("\(error)")) }
        }
    }

    private func store(_ group: EventGroup) async throws -> [Receipt] {
        var attempt = 1
        while true {
            do {
                try await makePartitions(of: group)
                let isLastTry = attempt == Self.attempts
                return try await pool.withConnection { try group.store(on: $0, isLastTry: isLastTry) }
            } catch let error as PostgresError where attempt < Self.attempts && error.isWorthAnotherTry {
                // Lost against another writer; or a partition that we made has been dropped by retention.
                attempt += 1
                months.withLock { $0.removeAll() }
            }
        }
    }

    private func makePartitions(of group: EventGroup) async throws {
        let missing = group.months.subtracting(months.withLock { $0 })
        guard !missing.isEmpty else { return }
        try await pool.withConnection { connection in
            for month in missing.sorted() {
                try connection.execute(
                    "select ensure_event_partition(make_date($1, $2, 1))",
                    [.int(Int64(month / 12)), .int(Int64(month % 12 + 1))]
                )
            }
        }
        months.withLock { $0.formUnion(missing) }
    }
}

extension PostgresError {
    /// A deadlock or serialization failure; or no partition for a row.
    fileprivate var isWorthAnotherTry: Bool { isRetryable || lacksPartition }
}
