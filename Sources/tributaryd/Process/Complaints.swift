import Ingest
import Logging
import Postgres
import Synchronization

/// Logs why a service fails, for someone who must act: once, until it works again or fails for another reason.
final class Complaints: Sendable {
    private let message: Logger.Message
    private let logger: Logger
    /// The last reasons, by what failed.
    private let reasons = Mutex<[String: String]>([:])

    init(_ message: Logger.Message, _ logger: Logger) {
        self.message = message
        self.logger = logger
    }

    /// - Parameters:
    ///   - reason: nil: it works.
    ///   - metadata: what the service does apart, such as an app.
    func record(_ reason: String?, _ metadata: Logger.Metadata = [:]) {
        guard !Task.isCancelled else { return }
        let old = reasons.withLock { reasons in
            defer { reasons["\(metadata)"] = reason }
            return reasons["\(metadata)"]
        }
        guard let reason, reason != old else { return }
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
