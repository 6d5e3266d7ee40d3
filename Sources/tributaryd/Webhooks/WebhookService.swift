import Delivery
import Logging
import Postgres
import ServiceLifecycle
import Settings
import Storage
import Synchronization
import Time
import Webhooks

/// Tells webhooks to whom installs and conversions are credited (docs/webhooks.md), in the background.
///
/// If several daemons use the database, one does this: the one whose session holds an advisory lock. It looks for news
/// of one webhook after the other, and sends beside that, in one task for each webhook.
struct WebhookService: Service {
    /// The time between two looks for news.
    private static let interval: Duration = .seconds(1)
    /// The same if there is no webhook.
    private static let idleInterval: Duration = .seconds(5)
    private static let lock = "tributary webhooks"
    /// How many connections senders may have on a cluster, and one more.
    private static let senders = 16

    /// One connection: its session holds the lock. On a cluster it asks no worker, because a session that waits for a
    /// worker that hangs keeps its locks as long as that hangs, also if it is ended.
    let finding: PostgresPool
    /// The workers of a cluster.
    let workers: ClusterWorkers
    let sending: PostgresPool
    let client: DeliveryClient
    let allowsPrivate: Bool
    let schema: DatabaseSchema
    let metrics: WebhookMetrics
    let logger: Logger

    /// What the tasks share.
    final class Shared: Sendable {
        struct Active {
            var webhook: Webhook
            var app: App
            var metadata: Logger.Metadata { ["webhook": "\(webhook.id)"] }
        }
        struct State {
            /// The webhooks to send for; none if another daemon does it.
            var active: [Active] = []
            /// Those that a task is sending for.
            var busy: Set<String> = []
        }
        let state = Mutex(State())
        let findingComplaints: Complaints
        let sendingComplaints: Complaints
        let silence: Complaints

        init(_ logger: Logger) {
            findingComplaints = Complaints("webhook cannot be told what is new; trying again", logger)
            sendingComplaints = Complaints("webhook's words cannot be sent; trying again", logger)
            silence = Complaints("webhooks and schedules send nothing", logger)
        }
    }

    func run() async throws {
        let shared = Shared(logger)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await find(shared) }
                let sender = WebhookSender(pool: sending, client: client, allowsPrivate: allowsPrivate)
                while !Task.isCancelled {
                    for active in take(shared) {
                        group.addTask {
                            await send(active, sender, shared)
                            _ = shared.state.withLock { $0.busy.remove(active.webhook.id) }
                        }
                    }
                    try? await Task.sleep(for: .milliseconds(500))
                }
            }
        }
    }

    // MARK: Finding

    private func find(_ shared: Shared) async {
        while !Task.isCancelled {
            var hasMore = false
            let start = ContinuousClock.now
            if schema.isMigrated {
                do {
                    hasMore = try await round(shared)
                    shared.findingComplaints.record(nil)
                } catch {
                    shared.state.withLock { $0.active = [] }
                    shared.findingComplaints.record(Complaints.reason(of: error))
                }
            }
            let isIdle = shared.state.withLock { $0.active.isEmpty }
            // At most half of a processor; four fifths while there is more to do.
            let work = ContinuousClock.now - start
            try? await Task.sleep(for: hasMore ? work / 4 : max(isIdle ? Self.idleInterval : Self.interval, work))
        }
    }

    /// - Returns: whether there is more to do now.
    func round(_ shared: Shared) async throws -> Bool {
        let gate = try await finding.withConnection { try OutgoingGate.pass(on: $0) }
        shared.silence.record(gate.reason)
        metrics.keep(gate)
        guard gate == .open, try await finding.withConnection({ try $0.keepsAdvisoryLock(Self.lock) }) else {
            shared.state.withLock { $0.active = [] }
            metrics.keep(WebhookBacklog(), of: [], since: .now)
            return false
        }
        let webhooks = try await WebhookStore(pool: finding).list()
        var active: [Shared.Active] = []
        if !webhooks.isEmpty {
            let apps = try await AppStore(pool: finding).list()
            for webhook in webhooks where webhook.pauseReason == nil {
                if let app = apps.first(where: { $0.profile.id == webhook.appID }) {
                    active.append(Shared.Active(webhook: webhook, app: app))
                }
            }
        }
        let all = active
        let servers = try await finding.withConnection { [numbers = Set(all.map(\.app.number)).sorted()] in
            try StoringServer.current(of: numbers, on: $0)
        }
        var reached: [Shared.Active] = []
        for active in all where !Task.isCancelled {
            guard let server = servers[active.app.number] else { continue }
            if await workers.answers(server, for: active.app.number) {
                reached.append(active)
            } else {
                shared.findingComplaints.record(ClusterWorkers.isAway, active.metadata)
            }
        }
        // A task that sends may wait for a worker that has just begun to hang.
        if servers.values.contains(where: { $0 != .only }) { sending.grow(to: min(all.count, Self.senders) + 1) }
        let present = reached
        shared.state.withLock { $0.active = present }
        // From here on they lag.
        metrics.keep(nil, of: Set(all.map(\.webhook.id)), since: .now)
        let isCounting = metrics.isBacklogOld
        var backlog = WebhookBacklog()
        var hasMore = false
        for active in present where !Task.isCancelled {
            let server = servers[active.app.number] ?? .only
            // It may have failed in this round.
            guard workers.mayAnswer(server) else { continue }
            do {
                let pool = server == .only ? finding : workers.pool
                let (pass, waiting) = try await pool.withConnection { connection in
                    let pass = try WebhookFinder().pass(active.webhook, of: active.app, now: .now, on: connection)
                    let waiting =
                        isCounting ? try WebhookBacklog(of: active.webhook, app: active.app, on: connection) : nil
                    return (pass, waiting)
                }
                if let waiting { backlog += waiting }
                metrics.passed(active.webhook.id, pass)
                if pass.hasMore { hasMore = true }
                if pass.words > 0 { Allocator.returnFreed() }
                shared.findingComplaints.record(nil, active.metadata)
            } catch {
                let isAway = (error as? PostgresError).map { $0.isUnavailable || $0.kind == .closed } ?? false
                let isOfAWorker = isAway && server != .only
                shared.findingComplaints.record(
                    isOfAWorker ? ClusterWorkers.isAway : Complaints.reason(of: error),
                    active.metadata
                )
                if isOfAWorker { workers.failed(server) } else if isAway { throw error }
                // After an error the session may be a new one, without the lock; or the coordinator is away.
                guard try await finding.withConnection({ try $0.keepsAdvisoryLock(Self.lock) }) else { return false }
            }
        }
        metrics.keep(isCounting ? backlog : nil, of: Set(all.map(\.webhook.id)), since: .now)
        return hasMore
    }

    // MARK: Sending

    /// The webhooks that nobody sends for yet.
    private func take(_ shared: Shared) -> [Shared.Active] {
        shared.state.withLock { state in
            let free = state.active.filter { !state.busy.contains($0.webhook.id) }
            state.busy.formUnion(free.map(\.webhook.id))
            return free
        }
    }

    /// Sends what is due.
    func send(_ active: Shared.Active, _ sender: WebhookSender, _ shared: Shared) async {
        do {
            while !Task.isCancelled,
                shared.state.withLock({ $0.active.contains { $0.webhook.id == active.webhook.id } }),
                let tally = try await sender.send(active.webhook.id, of: active.app)
            {
                metrics.sent(tally)
                if tally.givenUp > 0 {
                    logger.warning(
                        "words of a webhook were given up; 'tributary webhook deliveries --failed' lists them",
                        metadata: ["webhook": "\(active.webhook.id)", "words": "\(tally.givenUp)"]
                    )
                }
                guard tally.isUnwanted else { continue }
                try await Actor.$current.withValue(Actor.daemon) {
                    try await WebhookStore(pool: sending).pause(active.webhook.id, because: "the receiver answered 410")
                }
                shared.state.withLock { $0.active.removeAll { $0.webhook.id == active.webhook.id } }
                logger.warning(
                    "a webhook was paused: its receiver answered 410; 'tributary webhook resume' goes on",
                    metadata: active.metadata
                )
            }
            shared.sendingComplaints.record(nil, active.metadata)
        } catch {
            shared.sendingComplaints.record(Complaints.reason(of: error), active.metadata)
        }
    }
}
