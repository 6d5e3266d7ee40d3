import Synchronization

/// Cancels a start of the cluster that is no longer needed, because the program is stopping. Then a start that has not
/// launched the server yet must not do so.
final class StartCancellation: Sendable {
    private let isCancelled = Mutex(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    func check() throws(EmbeddedPostgresError) {
        if isCancelled.withLock({ $0 }) { throw .abandoned }
    }
}
