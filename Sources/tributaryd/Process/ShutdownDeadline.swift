import Logging
import Postgres
import ServiceLifecycle

/// Closes the database sessions that hang after the daemon was asked to stop. Those of a database that was away already
/// need not hold up what the others have begun.
///
/// No answered event is lost by that: events are answered when they are committed or in the spool. A request whose
/// commit is cut off goes to the spool.
struct ShutdownDeadline: Service {
    struct Database {
        let pools: [PostgresPool]
        let isPresent: @Sendable () -> Bool
        let logger: Logger
    }

    /// How long a database may take, and one that is away: its server may still answer reports.
    let patience: (present: Duration, away: Duration)
    let databases: [Database]

    /// The group stops this service first, and it returns immediately. The other services end meanwhile, or wait for
    /// the sessions that it closes.
    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // Cancelled: there is no time to wait.
            for database in databases { database.abort() }
            return
        }
        Task.detached {
            try? await Task.sleep(for: patience.away)
            var present: [Database] = []
            for database in databases {
                if database.isPresent() { present.append(database) } else { database.giveUp() }
            }
            try? await Task.sleep(for: patience.present - patience.away)
            for database in present { database.giveUp() }
        }
    }
}

extension ShutdownDeadline.Database {
    fileprivate func giveUp() {
        logger.notice("the database does not respond; its sessions are closed")
        abort()
    }

    fileprivate func abort() {
        for pool in pools { pool.abort() }
    }
}
