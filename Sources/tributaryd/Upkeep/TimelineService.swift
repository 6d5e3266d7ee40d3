import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Storage
import Timelines

/// Packs events into timelines in the background. Of several daemons one does so at a time; when it is gone, the next
/// takes its place.
struct TimelineService: Service {
    private static let pause: Duration = .seconds(5)

    /// Of one connection, which holds the lock.
    let pool: PostgresPool
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        let upkeep = TimelineUpkeep(pool: pool)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                if !Task.isCancelled, schema.isMigrated { await work(upkeep) }
            }
        }
    }

    private func work(_ upkeep: TimelineUpkeep) async {
        do {
            guard try await upkeep.takeTurn() else { return }
            for app in try await AppStore(pool: pool).list() where !Task.isCancelled {
                if await work(upkeep, on: app) { continue }
                // The others are packed nevertheless. The session may be a new one, without the lock.
                guard try await upkeep.takeTurn() else { return }
            }
        } catch {
            complain(error)
        }
    }

    /// - Returns: false where it failed.
    private func work(_ upkeep: TimelineUpkeep, on app: App) async -> Bool {
        do {
            let work = try await upkeep.work(on: app)
            guard !work.isNothing else { return true }
            Allocator.returnFreed()
            logger.info(
                "packed",
                metadata: [
                    "app": "\(app.profile.id)", "events": "\(work.packedEvents)",
                    "merged": "\(work.mergedSegments)", "changes": "\(work.appliedChanges)",
                ]
            )
            return true
        } catch {
            complain(error, of: app)
            return false
        }
    }

    /// Reports stay exact without: they read more from the table of events.
    private func complain(_ error: any Error, of app: App? = nil) {
        // The daemon stops.
        if let error = error as? PostgresError, error.kind == .cancelled || error.kind == .closed { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if let app { metadata["app"] = "\(app.profile.id)" }
        logger.warning("packing failed; trying again", metadata: metadata)
    }
}
