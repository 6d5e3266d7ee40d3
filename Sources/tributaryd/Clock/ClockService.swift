import Postgres
import ServiceLifecycle
import Storage

/// Compares the wall clock with the database's once a minute, and more often while it is not trusted.
struct ClockService: Service {
    private static let pause: Duration = .seconds(5)
    /// Checks from one comparison to the next.
    private static let checksPerComparison = 12

    let clock: TrustedClock
    /// Of the databases. The first that answers counts.
    let pools: [PostgresPool]

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var rest = 0
            while !Task.isCancelled {
                clock.examine()
                if rest > 0, clock.fault == nil {
                    rest -= 1
                } else {
                    // If the database is unavailable, its last time counts on.
                    var isCompared: Void?
                    for pool in pools where isCompared == nil {
                        isCompared = try? await clock.compare { try await DatabaseClock.lead(over: $0, on: pool) }
                    }
                    rest = isCompared == nil ? 0 : Self.checksPerComparison - 1
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}
