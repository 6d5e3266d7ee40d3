import Ingest
import Logging
import Postgres
import ServiceLifecycle
import Settings
import Storage
import Time

/// Removes data that is older than its retention period, by default every hour. If several daemons use the database,
/// one at a time does this.
struct RetentionService: Service {
    /// The time from the start to the first removal, in which a wrong setting can be corrected.
    private static let firstPause: Duration = .seconds(300)
    /// The time between two looks whether the database is there.
    private static let lookPause: Duration = .milliseconds(500)

    let settings: RetentionSettings
    let store: RetentionStore
    let schema: DatabaseSchema
    /// By a clock that is a year ahead, everything would be old.
    let clock: TrustedClock
    let logger: Logger

    func run() async throws {
        guard settings.isAutomatic else {
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            var pause = min(settings.interval, Self.firstPause)
            let complaints = Complaints("old data cannot be removed", logger)
            complaints.record(await announce(pause))
            while (try? await Task.sleep(for: pause)) != nil {
                complaints.record(await removeOnce())
                pause = settings.interval
            }
        }
    }

    /// Says what will be removed, or that nothing can be. Waits for the database.
    ///
    /// - Returns: why nothing can be removed; nil if it can.
    private func announce(_ pause: Duration) async -> String? {
        while !Task.isCancelled {
            if schema.isMigrated, let isPermitted = try? await store.isPermitted() {
                guard isPermitted else { return Self.lacksRight }
                logger.notice(
                    "old data will be removed",
                    metadata: [
                        "events": "after \(settings.events.days) days",
                        "rejected_events": settings.rejectedEvents.map { "after \($0.days) days" } ?? "never",
                        "first": "in \(pause)",
                    ]
                )
                return nil
            }
            try? await Task.sleep(for: Self.lookPause)
        }
        return nil
    }

    private static let lacksRight = """
        only the owner of the tables may remove old data: run 'tributary prune' as the owner, and set \
        retention.automatic to off here
        """

    /// - Returns: why it failed; nil if it did not, or if the database is unavailable.
    private func removeOnce() async -> String? {
        guard schema.isMigrated else { return nil }
        do {
            guard try await store.isPermitted() else { return Self.lacksRight }
            clock.examine()
            let now = try clock.now()
            let receipt = try await store.run(
                RetentionPolicy(
                    events: settings.events,
                    rejectedEvents: settings.rejectedEvents
                ),
                app: nil,
                isThorough: false,
                now: now
            )
            if let receipt {
                var metadata: Logger.Metadata = ["receipt": "\(receipt.id)"]
                for (name, count) in receipt.counts.values where count > 0 { metadata[name] = "\(count)" }
                logger.notice("old data removed", metadata: metadata)
            }
            return nil
        } catch {
            switch error {
            case RetentionError.isRunning: return nil
            case let error as PostgresError where error.isPermissionDenied: return "\(error); \(Self.lacksRight)"
            default: return Complaints.reason(of: error)
            }
        }
    }
}

extension Duration {
    fileprivate var days: Int64 { components.seconds / 86_400 }
}
