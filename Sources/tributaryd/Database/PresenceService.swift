import Postgres
import ServiceLifecycle

/// Notices that the database is away while no event arrives, so that `/readyz` and the metrics tell before the first
/// event goes to the spool. The courier notices that it is back.
struct PresenceService: Service {
    /// With the time that a server may take, less than ten seconds.
    private static let pause: Duration = .seconds(3)
    private static let patience: Duration = .seconds(3)

    /// The connections that store events: the database counts as away if they do not work.
    let pool: PostgresPool
    let sink: SpoolingSink
    let pause: Duration

    init(pool: PostgresPool, sink: SpoolingSink, pause: Duration = Self.pause) {
        self.pool = pool
        self.sink = sink
        self.pause = pause
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: pause)) != nil {
                // Events that are stored say the same, at no cost.
                guard sink.isDatabasePresent, !sink.hasStoredSinceAsked() else { continue }
                do {
                    try await DatabaseSchema.checkWritable(pool, within: Self.patience)
                } catch let error as PostgresError where error.isUnavailable && !Task.isCancelled {
                    sink.markAway(because: error)
                } catch {
                    // The program is stopping, or the next event tells.
                }
            }
        }
    }
}
