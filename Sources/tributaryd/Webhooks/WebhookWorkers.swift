import Postgres
import Storage
import Synchronization

/// The workers of a Citus cluster, as the service of webhooks asks them. One that does not answer is left alone for a
/// while, so that it stops only the webhooks of its own apps.
final class WebhookWorkers: Sendable {
    /// How long a worker may take to say that it is there: Citus itself gives up after 5 s (docs/scaling.md).
    private static let patience: Duration = .seconds(6)
    /// How long one that did not say so is left alone.
    private static let pause: Duration = .seconds(15)

    /// One connection, for what is asked of workers.
    let pool: PostgresPool
    private let nextTry = Mutex<[StoringServer: ContinuousClock.Instant]>([:])

    init(pool: PostgresPool) { self.pool = pool }

    func mayAnswer(_ server: StoringServer) -> Bool {
        nextTry.withLock { ($0[server] ?? .now) <= .now }
    }

    func failed(_ server: StoringServer) {
        nextTry.withLock { $0[server] = .now.advanced(by: Self.pause) }
    }

    /// Asks the server of an app for a row of it. The only server of a database is not asked.
    func answers(_ server: StoringServer, for app: Int32) async -> Bool {
        if server == .only { return true }
        guard mayAnswer(server) else { return false }
        do {
            _ = try await pool.withConnection(limit: Self.patience) {
                try $0.query("select from webhook_event where app_number = $1 limit 1", [.int(Int64(app))])
            }
            return true
        } catch {
            failed(server)
            return false
        }
    }
}
