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
    let workers: ClusterWorkers
    let schema: DatabaseSchema
    let logger: Logger

    func run() async throws {
        let upkeep = TimelineUpkeep(pool: pool)
        // Reports stay exact meanwhile: they read more from the table of events.
        let complaints = Complaints("packing failed; trying again", logger)
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                if !Task.isCancelled, schema.isMigrated { await round(upkeep, complaints) }
            }
        }
    }

    /// - Returns: the apps whose events were looked at without an error.
    @discardableResult
    func round(_ upkeep: TimelineUpkeep, _ complaints: Complaints) async -> [App] {
        var done: [App] = []
        do {
            guard try await upkeep.takeTurn() else { return [] }
            for (app, server) in try await ClusterWorkers.apps(on: pool) where !Task.isCancelled {
                guard await workers.answers(server, for: app.number) else {
                    complaints.record(ClusterWorkers.isAway, ["app": "\(app.profile.id)"])
                    continue
                }
                if await work(upkeep, on: app, of: server, complaints) {
                    done.append(app)
                    continue
                }
                // Pack the other apps nevertheless. After an error the session may be a new one, without the lock.
                guard try await upkeep.takeTurn() else { return done }
            }
            complaints.record(nil)
        } catch {
            complaints.record(Complaints.reason(of: error))
        }
        return done
    }

    /// - Returns: false if it failed.
    private func work(
        _ upkeep: TimelineUpkeep,
        on app: App,
        of server: StoringServer,
        _ complaints: Complaints
    ) async -> Bool {
        let metadata: Logger.Metadata = ["app": "\(app.profile.id)"]
        do {
            let work = try await upkeep.work(on: app, by: server == .only ? nil : workers.pool)
            complaints.record(nil, metadata)
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
            workers.failed(server, by: error)
            complaints.record(Complaints.reason(of: error), metadata)
            return false
        }
    }
}
