import Time
import Synchronization

/// The last use of a key, until it is written to the database.
final class KeyUse: Sendable {
    /// Microseconds since 1970, UTC; 0 if there is nothing to write.
    private let lastUse = Atomic<Int64>(0)

    /// Notes a use. It is a single atomic store, because every request calls it.
    func mark(at time: Timestamp) {
        lastUse.store(time.microseconds, ordering: .relaxed)
    }

    /// The last use since the last call; nil if there was none.
    func take() -> Int64? {
        let time = lastUse.exchange(0, ordering: .relaxed)
        return time == 0 ? nil : time
    }

    /// Keeps a use that could not be written for the next call of ``take()``, unless the key was used again meanwhile.
    func putBack(_ time: Int64) {
        _ = lastUse.compareExchange(expected: 0, desired: time, ordering: .relaxed)
    }
}
