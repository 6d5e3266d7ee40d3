import Logging
import Postgres
import ServiceLifecycle

/// Closes the database sessions that hang after the daemon was asked to stop.
///
/// No answered event is lost by that: events are answered when they are committed or in the spool. A request whose
/// commit is cut off goes to the spool.
struct ShutdownDeadline: Service {
    let patience: Duration
    let pools: [PostgresPool]
    let logger: Logger

    /// The group stops this service first, and it returns immediately. The other services end meanwhile, or wait for
    /// the sessions that it closes.
    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // Cancelled: there is no time to wait.
            for pool in pools { pool.abort() }
            return
        }
        Task.detached {
            try? await Task.sleep(for: patience)
            logger.notice("the database does not respond; its sessions are closed")
            for pool in pools { pool.abort() }
        }
    }
}
