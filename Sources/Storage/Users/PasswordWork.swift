import Dispatch
import Synchronization

/// Computes hashes of passwords on threads of its own: two at once in a process, which bounds their memory. Others wait
/// in order.
final class PasswordWork: Sendable {
    static let shared = PasswordWork()

    /// How many may run and wait. They are done in some ten seconds.
    static let limit = 64

    private struct State {
        var count = 0
        /// How many have begun since the start of the program.
        var total = 0
    }

    private let queues = (0..<2).map { DispatchQueue(label: "passwords-\($0)") }
    private let state = Mutex(State())

    var total: Int { state.withLock(\.total) }

    /// - Throws: `UserStoreError.busy` if too many wait.
    func run<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async throws(UserStoreError) -> Result {
        let number: Int? = state.withLock { state in
            guard state.count < Self.limit else { return nil }
            state.count += 1
            state.total += 1
            return state.total % queues.count
        }
        guard let number else { throw .busy }
        defer { state.withLock { $0.count -= 1 } }
        let queue = queues[number]
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
