import Synchronization

/// Says that nobody waits for a start of the cluster any more, because the program is stopping. A start that has not
/// launched the server yet must not do so then.
final class Abandonment: Sendable {
    private let isAbandoned = Mutex(false)

    func abandon() { isAbandoned.withLock { $0 = true } }

    func check() throws(EmbeddedPostgresError) {
        if isAbandoned.withLock({ $0 }) { throw .abandoned }
    }
}
