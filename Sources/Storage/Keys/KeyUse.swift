import Time
import Synchronization

/// When a key was last used, until that is written to the database.
final class KeyUse: Sendable {
    /// Microseconds since 1970, UTC; 0 where there is nothing to write.
    private let lastUse = Atomic<Int64>(0)

    /// One store: this is on the way of every request.
    func mark(at time: Timestamp) {
        lastUse.store(time.microseconds, ordering: .relaxed)
    }

    /// The last use since the last call.
    func take() -> Int64? {
        let time = lastUse.exchange(0, ordering: .relaxed)
        return time == 0 ? nil : time
    }

    /// What could not be written waits for the next time, unless there is a later use.
    func putBack(_ time: Int64) {
        _ = lastUse.compareExchange(expected: 0, desired: time, ordering: .relaxed)
    }
}
