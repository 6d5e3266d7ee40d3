import Answering
import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import Timelines

/// Refreshes the figures for BI tools (docs/bi.md) in the background.
///
/// If several daemons use the database, one does this: the one whose session holds an advisory lock. When it ends,
/// another takes over. It works on one app at a time, with one connection. After work it rests four times as long, so
/// that it uses at most a fifth of a processor. While many events arrive it rests 19 times as long, and uses at most a
/// twentieth.
struct FiguresService: Service {
    /// The time of rest for each unit of working time.
    private static let restFactor = 4
    /// The same, while more than ``busyRate`` events a second arrive.
    private static let busyRestFactor = 19
    private static let busyRate = 5_000.0
    /// Daily figures are refreshed in every round. The others cost more, and are refreshed once in this many intervals.
    private static let slowFactor = 10

    /// Its only connection holds the lock.
    let pool: PostgresPool
    let workers: ClusterWorkers
    /// The time between two change scans. Zero: never refresh.
    let interval: Duration
    let schema: DatabaseSchema
    let metrics: FiguresMetrics
    let logger: Logger

    func run() async throws {
        guard interval > .zero else {
            // If a service ended before the others, the group would stop them too.
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            var pace = Pace(logger)
            while !Task.isCancelled {
                let start = ContinuousClock.now
                var hasMore = false
                if schema.isMigrated {
                    hasMore = await round(&pace)
                }
                let rest = rest(after: ContinuousClock.now - start)
                try? await Task.sleep(for: hasMore ? max(rest, .milliseconds(200)) : max(rest, interval))
            }
        }
    }

    /// Rests longer if many events arrived during the round.
    private func rest(after work: Duration) -> Duration {
        let pending = metrics.statuses.reduce(0) { $0 + $1.pendingEvents }
        return work * (Double(pending) > Self.busyRate * (work / .seconds(1)) ? Self.busyRestFactor : Self.restFactor)
    }

    /// The state that is kept from one round to the next.
    struct Pace {
        /// Logs figures that a refresh leaves out.
        let losses: RareLog
        /// When all figures of an app were last up to date.
        var completed: [String: ContinuousClock.Instant] = [:]
        let complaints: Complaints

        init(_ logger: Logger) {
            losses = RareLog("figures are left out", counting: "refreshes", logger: logger)
            complaints = Complaints("figures cannot be refreshed; views for BI tools stay as they are", logger)
        }
    }

    /// - Returns: whether there is more work to do now.
    func round(_ pace: inout Pace) async -> Bool {
        do {
            let isLeader = try await pool.withConnection { try $0.keepsAdvisoryLock("tributary figures of all apps") }
            metrics.isLeader = isLeader
            var hasMore = false
            var all = pool
            var areAllThere = true
            for (app, server) in try await ClusterWorkers.apps(on: pool) where !Task.isCancelled {
                if server != .only { all = workers.pool }
                if await !workers.answers(server, for: app.number) {
                    areAllThere = false
                    pace.complaints.record(ClusterWorkers.isAway, ["app": "\(app.profile.id)"])
                } else if isLeader, await refresh(app, of: server, &pace) {
                    hasMore = true
                }
            }
            // This asks every worker.
            if areAllThere { metrics.statuses = try await all.withConnection { try FigureStatus.all(on: $0) } }
            pace.complaints.record(nil)
            return hasMore
        } catch {
            metrics.isLeader = false
            pace.complaints.record(Complaints.reason(of: error))
            return false
        }
    }

    private func refresh(_ app: App, of server: StoringServer, _ pace: inout Pace) async -> Bool {
        let id = app.profile.id
        let start = ContinuousClock.now
        let isSlowDue = pace.completed[id].map { start - $0 >= interval * Self.slowFactor } ?? true
        do {
            let pool = server == .only ? pool : workers.pool
            let (outcome, leftOut) = try await refresh(app, alsoSlow: isSlowDue, on: pool)
            if let figures = leftOut.map(\.description).min() {
                pace.losses.record(PeriodFigures.reasonToLeaveOut, kind: id, ["app": "\(id)", "such_as": "\(figures)"])
            }
            pace.complaints.record(nil, ["app": "\(id)"])
            if isSlowDue, outcome == .complete { pace.completed[id] = start }
            metrics.refreshed(outcome.didAnything, after: ContinuousClock.now - start)
            if outcome.didAnything { Allocator.returnFreed() }
            return isSlowDue && outcome == .moreToDo
        } catch {
            guard !Task.isCancelled else { return false }
            metrics.failed()
            workers.failed(server, by: error)
            pace.complaints.record(Complaints.reason(of: error), ["app": "\(id)"])
            return false
        }
    }

    private enum Outcome {
        /// Another session works on the app.
        case busy
        case unchanged
        case complete
        case moreToDo

        var didAnything: Bool { self == .complete || self == .moreToDo }
    }

    /// Scans for changes, refreshes all stale days and, if due, a batch of the other figures.
    ///
    /// - Returns: also the figures that are left out.
    private func refresh(
        _ app: App,
        alsoSlow: Bool,
        on pool: PostgresPool
    ) async throws -> (Outcome, leftOut: Set<PeriodFigures>) {
        /// - Returns: nil if another session works on the app.
        func alone<R: Sendable>(
            _ refresher: FigureRefresher,
            _ body: @Sendable (isolated PostgresConnection) throws -> R
        ) async throws -> R? {
            try await pool.withConnection { try refresher.whileAlone(waiting: false, on: $0, body) }
        }
        let refresher = try FigureRefresher(app: app)
        let packer = TimelinePacker(app: app, pool: pool)
        guard let isNews = try await alone(refresher, { try refresher.scanChanges(on: $0) }) else { return (.busy, []) }
        // After the scan, because many events may arrive during it.
        try await packer.shortenDelta()
        let leftOut = try await alone(refresher) { connection in
            var leftOut: Set<PeriodFigures> = []
            while let step = try refresher.refreshNext(.days, on: connection) { leftOut.formUnion(step.leftOut) }
            return leftOut
        }
        let done = (isNews ? Outcome.complete : .unchanged, leftOut ?? [])
        guard alsoSlow else { return done }
        try await packer.shortenDelta()
        return try await alone(refresher) { connection in
            guard let step = try refresher.refreshNext(.all, on: connection) else { return done }
            return (step.remaining > 0 ? .moreToDo : .complete, done.1.union(step.leftOut))
        } ?? (.busy, done.1)
    }
}
