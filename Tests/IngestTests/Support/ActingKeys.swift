import Synchronization

/// The keys that have changed something, by their first characters.
final class ActingKeys: Sendable {
    private let keys = Mutex<[String?]>([])

    var all: [String?] { keys.withLock(\.self) }

    /// Notes whose key acts now.
    func note() { keys.withLock { $0.append(KnownKeys.acting) } }
}
