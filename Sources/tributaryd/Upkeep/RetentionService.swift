import Logging
import Postgres
import ServiceLifecycle
import Settings
import Storage
import Time

/// Removes what has become too old, every hour or so. Of several daemons on a database one at a time does it.
struct RetentionService: Service {
    /// After the start: time to mend a setting that would remove too much.
    private static let firstPause: Duration = .seconds(300)

    let settings: RetentionSettings
    let store: RetentionStore
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        guard settings.isAutomatic else {
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            logger.notice(
                "what is too old is removed",
                metadata: [
                    "events": "after \(settings.events.days) days",
                    "rejected_events": settings.rejectedEvents.map { "after \($0.days) days" } ?? "never",
                    "first": "in \(min(settings.interval, Self.firstPause))",
                ]
            )
            var pause = min(settings.interval, Self.firstPause)
            var lastComplaint: String?
            while (try? await Task.sleep(for: pause)) != nil {
                let complaint = await removeOnce()
                // Someone must act, and is told once.
                if let complaint, complaint != lastComplaint {
                    logger.error("what is too old cannot be removed", metadata: ["reason": "\(complaint)"])
                }
                lastComplaint = complaint
                pause = settings.interval
            }
        }
    }

    /// - Returns: what stands in the way, where it is not that the database is away.
    private func removeOnce() async -> String? {
        guard schema.isMigrated else { return nil }
        do {
            let receipt = try await store.run(
                RetentionPolicy(
                    events: settings.events,
                    rejectedEvents: settings.rejectedEvents
                ),
                app: nil,
                isThorough: false,
                now: .now
            )
            if let receipt {
                var metadata: Logger.Metadata = ["receipt": "\(receipt.id)"]
                for (name, count) in receipt.counts.values where count > 0 { metadata[name] = "\(count)" }
                logger.notice("what was too old has been removed", metadata: metadata)
            }
            return nil
        } catch {
            switch error {
            case _ where Task.isCancelled: return nil
            case RetentionError.isRunning: return nil
            case let error as PostgresError where error.isUnavailable || error.kind == .closed: return nil
            case let error as PostgresError where error.isPermissionDenied:
                return "\(error); it takes the owner of the tables: let 'tributary prune' run as that one, and set "
                    + "retention.automatic to off here"
            default: return "\(error)"
            }
        }
    }
}

extension Duration {
    fileprivate var days: Int64 { components.seconds / 86_400 }
}
