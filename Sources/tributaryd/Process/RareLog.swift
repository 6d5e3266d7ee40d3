import Logging
import Synchronization

/// Logs something that may happen very often, at most once a minute and with the number of times.
final class RareLog: Sendable {
    private static let pause: Duration = .seconds(60)

    private let message: Logger.Message
    /// What the number counts: a key of the log line.
    private let unit: String
    private let logger: Logger
    private let state = Mutex<(next: ContinuousClock.Instant, count: Int)>((.now, 0))

    init(_ message: Logger.Message, counting unit: String, logger: Logger) {
        self.message = message
        self.unit = unit
        self.logger = logger
    }

    func record(_ reason: @autoclosure () -> String) {
        let count = state.withLock { state -> Int? in
            state.count += 1
            guard state.next <= .now else { return nil }
            defer { state = (.now.advanced(by: Self.pause), 0) }
            return state.count
        }
        guard let count else { return }
        logger.error(message, metadata: ["reason": "\(reason())", "\(unit)": "\(count)"])
    }
}
