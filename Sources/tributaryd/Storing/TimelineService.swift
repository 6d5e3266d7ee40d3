import Logging
import Postgres
import Reporting
import ServiceLifecycle
import Storage

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
            for app in try await AppStore(pool: pool).list() {
                let work = try await upkeep.work(on: app)
                guard !work.isNothing else { continue }
                Allocator.returnFreed()
                logger.info(
                    "packed",
                    metadata: [
                        "app": "\(app.profile.id)", "events": "\(work.packedEvents)",
                        "merged": "\(work.mergedSegments)", "changes": "\(work.appliedChanges)",
                    ]
                )
            }
        } catch let error as PostgresError where error.kind == .cancelled || error.kind == .closed {
            // The daemon stops.
        } catch {
            // Reports stay exact without: they read more from the table of events.
            logger.warning("packing failed; trying again", metadata: ["error": "\(error)"])
        }
    }
}
