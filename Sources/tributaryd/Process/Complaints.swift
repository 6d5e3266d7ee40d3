import Ingest
import Logging
import Postgres
import Synchronization

/// Logs why a service fails, for someone who must act: once, until it works again or fails for another reason, and at
/// most once a minute. It says nothing while the database is away, which others log.
final class Complaints: Sendable {
    private static let pause: Duration = .seconds(60)

    private let message: Logger.Message
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    /// What was logged last, by what failed.
    private let logged = Mutex<[String: (reason: String?, next: ContinuousClock.Instant)]>([:])

    init(
        _ message: Logger.Message,
        _ logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.message = message
        self.logger = logger
        self.now = now
    }

    /// - Parameters:
    ///   - reason: nil: it works.
    ///   - metadata: what the service does apart, such as an app.
    func record(_ reason: String?, _ metadata: Logger.Metadata = [:]) {
        guard !Task.isCancelled else { return }
        let now = now()
        let isNews = logged.withLock { logged in
            let (last, next) = logged["\(metadata)"] ?? (nil, now)
            guard let reason else {
                logged["\(metadata)"] = last == nil && next <= now ? nil : (nil, next)
                return false
            }
            guard reason != last, next <= now else { return false }
            logged["\(metadata)"] = (reason, now.advanced(by: Self.pause))
            return true
        }
        guard isNews, let reason else { return }
        logger.error(message, metadata: metadata.merging(["reason": "\(reason)"]) { $1 })
    }

    /// Why work failed; nil if the database is unavailable, which others log, or if the daemon stops.
    static func reason(of error: any Error) -> String? {
        switch error {
        case _ where Task.isCancelled: nil
        case let fault as ClockFault: fault.reason
        case let error as PostgresError where error.isUnavailable || error.kind == .closed: nil
        default: "\(error)"
        }
    }
}
