package import CoreMetrics
package import Events
import Time
package import Logging
package import Postgres
import Synchronization

/// Stores events, each once, by group commit: one transaction commits several requests.
///
/// On a Citus cluster, the events of each worker have a lane of their own: its queue, its transactions and their
/// connections. So a worker that fails or hangs delays only its own apps.
///
/// ``store(_:)`` returns only while ``run()`` is running. One writer for a process is enough.
package final class EventWriter: Sendable {
    /// How often a group is tried if it loses against another writer or lacks a partition.
    private static let attempts = 5

    private let pool: PostgresPool
    private let logger: Logger
    private let metrics: StoreMetrics
    private let limits: WriterLimits
    private let workers = AppWorkers()
    /// Submissions whose server is not known yet, or that belong to several.
    private let unassigned: WriterLane.Queue
    private let lanes: WriterLanes
    private let months: EventMonths
    private let moving = Mutex(MovingApps())

    /// - Parameter metricsFactory: where ``StoreMetrics`` are counted. Default: the process's factory.
    package init(
        pool: PostgresPool,
        limits: WriterLimits = WriterLimits(),
        logger: Logger,
        metricsFactory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.pool = pool
        self.logger = logger
        metrics = StoreMetrics(factory: metricsFactory)
        var limits = limits
        limits.transactions = max(1, limits.transactions)
        self.limits = limits
        unassigned = WriterLane.Queue(waitingLimit: limits.waitingEvents, groupLimit: limits.waitingEvents)
        lanes = WriterLanes(limits: limits)
        months = EventMonths(pool: pool)
    }

    /// Stores a submission. Returns after its commit.
    package func store(_ submission: Submission) async throws(EventWriterError) -> WriteReceipt {
        try await store(contentsOf: [submission])[0]
    }

    /// Stores submissions in their order, in one transaction; on a cluster in one for each worker. Returns after the
    /// commit. If one worker fails, those of others may be stored.
    package func store(contentsOf submissions: [Submission]) async throws(EventWriterError) -> [WriteReceipt] {
        let result = await withCheckedContinuation { continuation in
            store(contentsOf: submissions) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Stores submissions in their order, in one transaction; on a cluster in one for each worker.
    ///
    /// - Parameter end: called after the commit, on any thread.
    package func store(
        contentsOf submissions: [Submission],
        end: @escaping @Sendable (Result<[WriteReceipt], EventWriterError>) -> Void
    ) {
        guard !submissions.isEmpty else { return end(.success([])) }
        if moving.withLock({ $0.holds(submissions) }) { return end(.failure(.partlyUnavailable(MovingApps.refusal))) }
        let entry = WriterLane.Queue.Entry(item: submissions, weight: Self.weight(of: submissions)) { result in
            end(
                result.mapError { error in
                    switch error {
                    case let error as EventWriterError: error
                    case WriterLane.Queue.Refusal.full: .overloaded
                    default: .closed
                    }
                }
            )
        }
        if let server = workers.server(of: submissions) {
            submit(CollectionOfOne(entry), to: server)
        } else {
            unassigned.submit(CollectionOfOne(entry))
        }
    }

    private static func weight(of submissions: some Sequence<Submission>) -> Int {
        submissions.reduce(0) { $0 + $1.events.count }
    }

    private func submit(_ entries: some Collection<WriterLane.Queue.Entry>, to server: StoringServer) {
        if let lane = lanes.lane(of: server) {
            lane.submit(entries)
        } else {
            for entry in entries { entry.end(.failure(EventWriterError.closed)) }
        }
    }

    /// Finds the servers of submissions, and divides those that belong to several.
    private func assign(_ entries: [WriterLane.Queue.Entry]) async {
        do {
            try await workers.find(Set(entries.lazy.flatMap(\.item).map(\.appNumber)), on: pool)
        } catch {
            let failure = failure(error)
            for entry in entries { entry.end(.failure(failure)) }
            return
        }
        var assigned: [StoringServer: [WriterLane.Queue.Entry]] = [:]
        for entry in entries {
            let parts = Dictionary(grouping: entry.item.indices) { workers.server(of: entry.item[$0].appNumber) }
            let servers = parts.keys.compactMap(\.self)
            // All or none, so that the others store the same again only when a worker that is away is tried.
            if servers.count < parts.count || servers.contains(where: { lanes.lane(of: $0)?.refuses ?? false }) {
                entry.end(.failure(EventWriterError.partlyUnavailable(nil)))
                continue
            }
            let receipts = JoinedReceipts(count: entry.item.count, parts: parts.count, end: entry.end)
            for server in servers {
                let positions = parts[server] ?? []
                let part = positions.map { entry.item[$0] }
                assigned[server, default: []].append(
                    .init(item: part, weight: Self.weight(of: part)) { receipts.add($0, at: positions) }
                )
            }
        }
        for (server, entries) in assigned { submit(entries, to: server) }
    }

    /// Tells the writer that nobody waits any longer for the commit of a submission. If a worker of a cluster stores
    /// it, further events of its apps are refused for a while.
    ///
    /// - Returns: whether another worker responds, as far as is known.
    package func recordTimeout(of submission: Submission) -> Bool {
        guard let server = workers.server(of: submission.appNumber), let lane = lanes.lane(of: server) else {
            return false
        }
        return recordFailure(of: lane, "a commit takes too long") && lanes.anyResponds
    }

    /// Whether events of an app are refused now, because its worker did not respond.
    package func refuses(app: Int32) -> Bool {
        guard let server = workers.server(of: app) else { return false }
        return lanes.lane(of: server)?.refuses ?? false
    }

    /// Commits group after group until ``close()`` is called, and then the submissions that still wait.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.unassigned.run(handingOver: self.assign)
                self.lanes.close()
            }
            for await lane in lanes.begun {
                if lane.server != .only { pool.grow(to: limits.transactions * lanes.count + 1) }
                for _ in 0..<limits.transactions {
                    group.addTask { await lane.queue.run { await self.commit($0, in: lane) } }
                }
            }
            // The loop ends early if this task is cancelled.
            lanes.close()
        }
    }

    /// Soon takes no more submissions. ``run()`` returns when the waiting ones are committed.
    package func close() {
        unassigned.close()
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

    /// Commits a group in one transaction.
    private func commit(
        _ submissions: [[Submission]],
        in lane: WriterLane
    ) async -> [Result<[WriteReceipt], any Error>] {
        let startedAt = ContinuousClock.now
        do {
            let group = submissions.flatMap(\.self)
            var receipts = try await store(EventGroup(group), in: lane)[...]
            metrics.committed(group, receipts, after: .now - startedAt)
            noteSuccess(of: lane)
            if lane.server != .only { await workers.findMoved(on: pool) }
            return submissions.map { part in
                defer { receipts = receipts.dropFirst(part.count) }
                return .success(Array(receipts.prefix(part.count)))
            }
        } catch let error as EventWriterError {
            // Some of the months cannot be made now. The events of others can be stored.
            let refusal = failure(error)
            let ready = submissions.map { months.have(EventGroup($0).months) }
            var results = submissions.map { _ in Result<[WriteReceipt], any Error>.failure(refusal) }
            if ready.contains(false), ready.contains(true) {
                let places = submissions.indices.filter { ready[$0] }
                for (place, result) in zip(places, await commit(places.map { submissions[$0] }, in: lane)) {
                    results[place] = result
                }
            }
            return results
        } catch let error as PostgresError where error.isOfMovingApp {
            let barred = (try? await pool.withConnection { try AppDeparture.barred(on: $0) }) ?? []
            let kept = moving.withLock { known in
                known.learn(barred)
                return submissions.map(known.holds)
            }
            var results = submissions.map { _ in
                Result<[WriteReceipt], any Error>.failure(EventWriterError.partlyUnavailable(error))
            }
            // The events of others can be stored.
            guard kept.contains(true) else { return results }
            let places = submissions.indices.filter { !kept[$0] }
            if !places.isEmpty {
                for (place, result) in zip(places, await commit(places.map { submissions[$0] }, in: lane)) {
                    results[place] = result
                }
            }
            return results
        } catch {
            let failure = await failure(error, in: lane, of: submissions.flatMap(\.self))
            return submissions.map { _ in .failure(failure) }
        }
    }

    private func failure(
        _ error: any Error,
        in lane: WriterLane,
        of submissions: [Submission]
    ) async -> EventWriterError {
        guard case .worker(let worker) = lane.server, let error = error as? PostgresError,
            error.isOfAWorker || error.isUnavailable || error.isStatementTimeout
        else { return failure(error) }
        // A session that has waited for a worker in vain ends as if the coordinator were gone.
        let isOfWorker = error.isOfAWorker || error.isStatementTimeout || !lane.responds
        await workers.findAgain(appsOf: worker, on: pool)
        guard isOfWorker else { return failure(error) }
        record(.unavailable, error)
        // They may have been moved to another worker.
        recordFailure(of: workers.server(of: submissions).flatMap { lanes.lane(of: $0) } ?? lane, "\(error)")
        return .partlyUnavailable(error)
    }

    private func failure(_ error: any Error) -> EventWriterError {
        if let error = error as? EventWriterError {
            record(.unavailable, error)
            return error
        }
        if let error = error as? PostgresError, error.isUnavailable {
            record(.unavailable, error)
            return .unavailable(error)
        }
        record(.failed, error)
        return .failed("\(error)")
    }

    private func record(_ failure: StoreMetrics.Failure, _ error: any Error) {
        metrics.failed(failure)
        logger.log(
            level: failure == .unavailable ? .warning : .error,
            "events could not be stored",
            metadata: ["error": "\(error)"]
        )
    }

    /// - Returns: false if the lane is that of the only server.
    @discardableResult
    private func recordFailure(of lane: WriterLane, _ reason: String) -> Bool {
        guard case .worker(let worker) = lane.server else { return false }
        if lane.failed() {
            logger.error(
                "a worker does not respond; events of its apps are kept back until it does",
                metadata: ["worker": "\(workers.address(of: worker))", "reason": "\(reason)"]
            )
        }
        return true
    }

    private func noteSuccess(of lane: WriterLane) {
        guard case .worker(let worker) = lane.server, lane.succeeded() else { return }
        logger.notice("the worker responds again", metadata: ["worker": "\(workers.address(of: worker))"])
    }

    private func store(_ group: EventGroup, in lane: WriterLane) async throws -> [WriteReceipt] {
        var group = group
        var attempt = 1
        while true {
            let tried = group
            do {
                try await months.make(tried.months, onCluster: lane.server != .only)
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
                months.forget()
            }
        }
    }
}

extension PostgresError {
    /// A deadlock or serialization failure; or no partition for a row.
    fileprivate var isWorthAnotherTry: Bool { isRetryable || lacksPartition }
}

/// Apps that move to another database (`app_departure`), as far as the writer has found out: so that it need not try a
/// transaction for each of their events, and other events with it.
private struct MovingApps {
    private static let lifetime: Duration = .seconds(5)
    /// The text of `refuse_moving_app`, without the app.
    static let refusal = PostgresError(.server, "the app moves to another database, or has moved there")

    private var apps: Set<Int32> = []
    private var until = ContinuousClock.now

    mutating func learn(_ apps: Set<Int32>) {
        self.apps = apps
        until = .now.advanced(by: Self.lifetime)
    }

    func holds(_ submissions: [Submission]) -> Bool {
        !apps.isEmpty && submissions.contains { apps.contains($0.appNumber) } && .now < until
    }
}
