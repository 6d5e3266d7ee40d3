import Logging
import Postgres
import ServiceLifecycle

/// Breaks off what hangs in the database when the daemon has been asked to end.
///
/// Nothing that was answered is lost by it: events are answered after their commit or after their append to the spool,
/// and a request that waits for a commit that is broken off goes to the spool.
struct ShutdownDeadline: Service {
    let patience: Duration
    let pools: [PostgresPool]
    let logger: Logger

    /// It is told first of all services and leaves at once; the others end meanwhile, or wait for what it breaks off.
    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // Cancelled: there is even less time.
            for pool in pools { pool.abort() }
            return
        }
        Task.detached {
            try? await Task.sleep(for: patience)
            logger.notice("the database does not let go; its sessions are given up")
            for pool in pools { pool.abort() }
        }
    }
}
