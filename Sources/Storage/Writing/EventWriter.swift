package import CoreMetrics
package import Events
import Time
package import Logging
package import Postgres
import Synchronization

/// Stores events, each once, by group commit: one transaction commits several requests.
///
/// ``store(_:)`` returns only while ``run()`` is running. One writer for a process is enough.
package final class EventWriter: Sendable {
    /// How much may wait, and how much goes into a transaction. If too much waits, `store` throws
    /// ``EventWriterError/overloaded`` immediately.
    package struct Limits: Sendable {
        /// Events that wait for a commit.
        package var waitingEvents = 50_000
        /// Events in one transaction. A submission is never split; a larger one gets a transaction of its own.
        package var groupedEvents = 10_000
        /// Transactions at the same time, each on a connection of its own: while one waits for the disk, another is
        /// prepared. With more than one, submissions that wait together may be committed in another order.
        package var transactions = 1
        /// The waiting events that start a transaction while another one runs. Fewer wait for its end: a transaction
        /// costs the database about a millisecond and the disk another one, however few events it holds.
        package var eventsBeside = 100

        package init() {}
    }

    /// What became of a submission whose transaction is committed.
    package struct Receipt: Equatable, Sendable {
        /// Events that were stored before, in this submission or another.
        package var duplicates = 0
        /// Events that were dropped because their person or app has been erased since they were received.
        package var erased = 0
        /// Positions in `events` of the events that PostgreSQL itself refused. They are kept as dead letters.
        package var refused: [Int] = []
    }

    /// How often a group is tried if it loses against another writer or lacks a partition.
    private static let attempts = 5

    private let pool: PostgresPool
    private let logger: Logger
    private let metrics: StoreMetrics
    private let queue: CommitQueue<[Submission], [Receipt]>
    private let months = Mutex<Set<Int>>([])
    private let transactions: Int
    private let workers = AppWorkers()

    /// - Parameter metricsFactory: where ``StoreMetrics`` are counted. Default: the process's factory.
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

    /// Stores submissions in their order, in one transaction.
    ///
    /// - Parameter end: called after the commit, on any thread.
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

    /// Commits group after group until ``close()`` is called, and then the submissions that still wait.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for _ in 0..<transactions {
                group.addTask { await self.queue.run { await self.commit($0) } }
            }
        }
    }

    /// Takes no more submissions. ``run()`` returns when the waiting ones are committed.
    package func close() {
        queue.close()
    }

    /// Runs the writer while `body` runs, and then commits the submissions that still wait. For programs without a
    /// service group.
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

    /// Commits a group: in one transaction, or on a Citus cluster in one for each worker, all at the same time.
    private func commit(_ submissions: [[Submission]]) async -> [Result<[Receipt], any Error>] {
        let parts = await workers.parts(of: submissions, on: pool)
        if parts.count == 1 { return await commitPart(submissions) }
        return await withTaskGroup(of: [(Int, Result<[Receipt], any Error>)].self) { group in
            for part in parts {
                group.addTask { Array(zip(part, await self.commitPart(part.map { submissions[$0] }))) }
            }
            var results = submissions.map { _ in Result<[Receipt], any Error>.success([]) }
            for await part in group {
                for (position, result) in part { results[position] = result }
            }
            return results
        }
    }

    private func commitPart(_ submissions: [[Submission]]) async -> [Result<[Receipt], any Error>] {
        let startedAt = ContinuousClock.now
        do {
            let group = submissions.flatMap(\.self)
            var receipts = try await store(EventGroup(group))[...]
            metrics.committed(group, receipts, after: .now - startedAt)
            return submissions.map { part in
                defer { receipts = receipts.dropFirst(part.count) }
                return .success(Array(receipts.prefix(part.count)))
            }
        } catch let error as PostgresError where error.isUnavailable || error.isOfAWorker {
            metrics.failed(.unavailable)
            if error.isOfAWorker { workers.forget() }
            logger.warning("events could not be stored", metadata: ["error": "\(error)"])
            return submissions.map { _ in .failure(EventWriterError.unavailable(error)) }
        } catch {
            metrics.failed(.failed)
            logger.error("events could not be stored", metadata: ["error": "\(error)"])
            return submissions.map { _ in .failure(EventWriterError.failed("\(error)")) }
        }
    }

    private func store(_ group: EventGroup) async throws -> [Receipt] {
        var group = group
        var attempt = 1
        while true {
            let tried = group
            do {
                try await makePartitions(of: tried)
                let isLastTry = attempt == Self.attempts
                return try await pool.withConnection { connection in
                    let receipts = try tried.store(on: connection, isLastTry: isLastTry)
                    workers.learn(from: connection)
                    return receipts
                }
            } catch let outdated as EventInsert.OutdatedRules {
                group = try await pool.withConnection { try tried.readAgain(of: outdated.apps, on: $0) }
            } catch let error as PostgresError where attempt < Self.attempts && error.isWorthAnotherTry {
                // Another writer won, or retention has dropped a partition that we had made.
                attempt += 1
                months.withLock { $0.removeAll() }
            }
        }
    }

    private func makePartitions(of group: EventGroup) async throws {
        let missing = group.months.subtracting(months.withLock { $0 })
        guard !missing.isEmpty else { return }
        try await pool.withConnection { connection in
            for month in missing.sorted() { try Self.makePartition(of: month, on: connection) }
            // No month can be made while a part of a cluster is being moved, so the next one is made long before.
            if connection.isDistributed, let next = missing.max().map({ $0 + 1 }) {
                try? Self.makePartition(of: next, on: connection)
            }
        }
        months.withLock { $0.formUnion(missing) }
    }

    /// - Parameter month: as `Timestamp.month`.
    private static func makePartition(of month: Int, on connection: isolated PostgresConnection) throws {
        try connection.execute(
            "select ensure_event_partition(make_date($1, $2, 1))",
            [.int(Int64(month / 12)), .int(Int64(month % 12 + 1))]
        )
    }
}

extension PostgresError {
    /// A deadlock or serialization failure; or no partition for a row.
    fileprivate var isWorthAnotherTry: Bool { isRetryable || lacksPartition }
}
