import Foundation
import Synchronization

/// Cancels a start of the cluster that is no longer needed, because the program is stopping. Then a start that has not
/// launched the server yet must not do so.
final class StartCancellation: Sendable {
    private let isCancelled = Mutex(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    func check() throws(EmbeddedPostgresError) {
        if isCancelled.withLock({ $0 }) { throw .abandoned }
    }

    /// Asks every five milliseconds until there is an answer, or the start is cancelled.
    ///
    /// - Parameter timeout: the error if there is none in time.
    func wait<R>(
        atMost limit: Duration,
        orThrow timeout: @autoclosure () -> EmbeddedPostgresError,
        for answer: () throws(EmbeddedPostgresError) -> R?
    ) throws(EmbeddedPostgresError) -> R {
        let deadline = ContinuousClock.now + limit
        while true {
            if let answer = try answer() { return answer }
            guard ContinuousClock.now < deadline else { throw timeout() }
            try check()
            usleep(5_000)
        }
    }
}
