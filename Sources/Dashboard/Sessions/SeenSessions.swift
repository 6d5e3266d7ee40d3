import Storage
import Synchronization
import Time

/// The sessions that this daemon has seen, and whose they are. While the database is away no session can be checked:
/// then these still get the frame of the dashboard, and the view Live, which needs no database. No report is made for
/// them.
final class SeenSessions: Sendable {
    private struct Entry {
        var caller: Caller
        /// A session lives no longer than this after it was first seen.
        var end: Timestamp
    }

    /// How many are kept. Beyond, the one that ends first goes.
    private static let limit = 1_000

    private let entries = Mutex<[String: Entry]>([:])

    func remember(_ id: String, _ caller: Caller, now: Timestamp) {
        entries.withLock { entries in
            if let end = entries[id]?.end {
                entries[id] = Entry(caller: caller, end: end)
                return
            }
            if entries.count >= Self.limit, let first = entries.min(by: { $0.value.end < $1.value.end }) {
                entries[first.key] = nil
            }
            entries[id] = Entry(caller: caller, end: now.advanced(by: SessionStore.lifetime))
        }
    }

    func forget(_ id: String) { entries.withLock { $0[id] = nil } }

    /// Nil for a session that was not seen, or that has certainly ended.
    func caller(of id: String, now: Timestamp) -> Caller? {
        entries.withLock { entries in entries[id].flatMap { now < $0.end ? $0.caller : nil } }
    }
}
