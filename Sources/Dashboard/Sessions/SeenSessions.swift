import Storage
import Synchronization
import Time

/// The sessions that this daemon has seen, and their apps. While the database is away no session can be checked: then
/// these still get the frame of the dashboard, and the view Live, which needs no database. No report is made for them.
final class SeenSessions: Sendable {
    private struct Entry {
        var app: App
        /// A session lives no longer than this after it was first seen.
        var end: Timestamp
    }

    /// How many are kept. Beyond, the one that ends first goes.
    private static let limit = 1_000

    private let entries = Mutex<[String: Entry]>([:])

    func remember(_ id: String, app: App, now: Timestamp) {
        entries.withLock { entries in
            if let end = entries[id]?.end {
                entries[id] = Entry(app: app, end: end)
                return
            }
            if entries.count >= Self.limit, let first = entries.min(by: { $0.value.end < $1.value.end }) {
                entries[first.key] = nil
            }
            entries[id] = Entry(app: app, end: now.advanced(by: SessionStore.lifetime))
        }
    }

    func forget(_ id: String) { entries.withLock { $0[id] = nil } }

    /// Nil for a session that was not seen, or that has certainly ended.
    func app(of id: String, now: Timestamp) -> App? {
        entries.withLock { entries in entries[id].flatMap { now < $0.end ? $0.app : nil } }
    }
}
