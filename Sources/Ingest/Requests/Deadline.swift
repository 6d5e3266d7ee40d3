import Synchronization

/// Runs operations and gives up waiting for those that take longer than `limit`.
///
/// An operation is not cancelled then: what it holds, it gives back when it ends. A batch that has been handed over is
/// stored or not, whoever still listens.
///
/// A timer for each request would cost more than all else that a request does here. So one sweep looks after all that
/// wait, and an operation is given up at most a twentieth of the limit too late.
package final class Deadline<Value: Sendable, Failure: Error>: Sendable {
    private struct Waiting {
        var expiry: ContinuousClock.Instant
        var end: @Sendable (Result<Value, Failure>) -> Void
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var lastNumber: UInt64 = 0
        var isSwept = false
    }

    private let limit: Duration
    private let expired: Failure
    private let state = Mutex(State())

    /// - Parameter expired: thrown to those that wait no longer.
    package init(_ limit: Duration, expired: Failure) {
        self.limit = limit
        self.expired = expired
    }

    /// - Throws: what the operation throws, or what stands for a deadline that has passed.
    package func run(_ operation: @escaping @Sendable () async throws(Failure) -> Value) async throws(Failure) -> Value
    {
        let result = await withCheckedContinuation { continuation in
            start { end in
                // Begins on the thread at hand, and not on another.
                Task.immediate {
                    do throws(Failure) {
                        end(.success(try await operation()))
                    } catch {
                        end(.failure(error))
                    }
                }
            } end: {
                continuation.resume(returning: $0)
            }
        }
        return try result.get()
    }

    /// The same for an operation that needs no task of its own.
    ///
    /// - Parameters:
    ///   - operation: is begun here, and gives what it came to, from anywhere, to its argument.
    ///   - end: told once, from anywhere: what the operation came to, or that the deadline has passed.
    package func start(
        _ operation: (_ end: @escaping @Sendable (Result<Value, Failure>) -> Void) -> Void,
        end: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) {
        let waiting = Waiting(expiry: .now.advanced(by: limit), end: end)
        let (number, startsSweep) = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = waiting
            defer { state.isSwept = true }
            return (state.lastNumber, !state.isSwept)
        }
        if startsSweep { Task { await sweep() } }
        operation { self.end(number, with: $0) }
    }

    /// Whoever comes first ends it; the other finds it gone.
    private func end(_ number: UInt64, with result: Result<Value, Failure>) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: number) }
        waiting?.end(result)
    }

    /// Until nothing waits.
    private func sweep() async {
        while true {
            // It is cancelled by no one.
            try? await Task.sleep(for: limit / 20)
            let now = ContinuousClock.now
            let late = state.withLock { state -> [UInt64]? in
                state.isSwept = !state.waiting.isEmpty
                return state.isSwept ? state.waiting.filter { $0.value.expiry <= now }.map(\.key) : nil
            }
            guard let late else { return }
            for number in late { end(number, with: .failure(expired)) }
        }
    }
}
