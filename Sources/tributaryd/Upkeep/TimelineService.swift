import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Settings
import Storage
import Timelines

/// Packs events into timelines in the background. If several daemons use the database, one at a time does this; when it
/// ends, another takes over.
struct TimelineService: Service {
    private static let pause: Duration = .seconds(5)

    /// Its only connection holds the lock for packing.
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
                // Pack the other apps nevertheless. After an error the session may be a new one, without the lock.
                guard try await upkeep.takeTurn() else { return }
            }
        } catch {
            complain(error)
        }
    }

    /// - Returns: false if it failed.
    private func work(_ upkeep: TimelineUpkeep, on app: App) async -> Bool {
        do {
            let work = try await upkeep.work(on: app)
            guard !work.isNothing else { return true }
            Allocator.returnFreed()
            logger.info(
                "events packed",
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

    /// Logs why packing failed. Reports stay exact: they read more from the table of events.
    private func complain(_ error: any Error, of app: App? = nil) {
        // The daemon is stopping.
        if let error = error as? PostgresError, error.kind == .cancelled || error.kind == .closed { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if let app { metadata["app"] = "\(app.profile.id)" }
        logger.warning("packing failed; trying again", metadata: metadata)
    }
}
