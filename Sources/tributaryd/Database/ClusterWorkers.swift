import Postgres
import Storage
import Synchronization

/// The workers of a Citus cluster, as a service of the daemon asks them for one app after the other. One that does not
/// answer is left alone for a while, so that it stops only its own apps.
final class ClusterWorkers: Sendable {
    /// What a service says of an app that it leaves out.
    static let isAway = "the app's worker does not respond"
    /// How long a worker may take to say that it is there: Citus itself gives up after 5 s (docs/scaling.md).
    private static let patience: Duration = .seconds(6)
    /// How long one that did not say so is left alone.
    private static let pause: Duration = .seconds(15)

    /// One connection, for what is asked of workers.
    let pool: PostgresPool
    private let nextTry = Mutex<[StoringServer: ContinuousClock.Instant]>([:])

    init(pool: PostgresPool) { self.pool = pool }

    /// All apps, by id, with their servers. Asks no worker.
    static func apps(on pool: PostgresPool) async throws -> [(app: App, server: StoringServer)] {
        let apps = try await AppStore(pool: pool).list()
        let servers = try await pool.withConnection { [numbers = apps.map(\.number)] in
            try StoringServer.current(of: numbers, on: $0)
        }
        return apps.compactMap { app in servers[app.number].map { (app, $0) } }
    }

    func mayAnswer(_ server: StoringServer) -> Bool {
        nextTry.withLock { ($0[server] ?? .now) <= .now }
    }

    func failed(_ server: StoringServer) {
        nextTry.withLock { $0[server] = .now.advanced(by: Self.pause) }
    }

    /// Leaves a worker alone for a while if an error shows that it is away.
    func failed(_ server: StoringServer, by error: any Error) {
        guard server != .only, let error = error as? PostgresError, error.isUnavailable || error.kind == .closed else {
            return
        }
        failed(server)
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
