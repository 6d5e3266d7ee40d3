package import Logging
import Synchronization

/// Logs something that may happen very often, at most once a minute for each kind, and with the number of times.
package final class RareLog: Sendable {
    private static let pause: Duration = .seconds(60)

    private let message: Logger.Message
    /// What the number counts: a key of the log line.
    private let unit: String
    private let logger: Logger
    private let kinds = Mutex<[String: (next: ContinuousClock.Instant, count: Int)]>([:])

    package init(_ message: Logger.Message, counting unit: String, logger: Logger) {
        self.message = message
        self.unit = unit
        self.logger = logger
    }

    /// - Parameter kind: one of few.
    package func record(_ reason: @autoclosure () -> String, kind: String = "", _ metadata: Logger.Metadata = [:]) {
        let count = kinds.withLock { kinds -> Int? in
            let now = ContinuousClock.now
            let (next, count) = kinds[kind] ?? (now, 0)
            let isDue = next <= now
            kinds[kind] = isDue ? (now.advanced(by: Self.pause), 0) : (next, count + 1)
            return isDue ? count + 1 : nil
        }
        guard let count else { return }
        let facts: Logger.Metadata = ["reason": "\(reason())", "\(unit)": "\(count)"]
        logger.error(message, metadata: metadata.merging(facts) { $1 })
    }
}
