import Synchronization

/// Stops waiting for operations that take longer than `limit`.
///
/// The operation itself is not cancelled; it releases its resources when it ends. So a batch that was handed over may
/// be stored after its request was answered.
///
/// A timer for each request would cost more than everything else in the request. So one task checks all waiting
/// operations, and gives an operation up at most a twentieth of the limit too late.
package final class Deadline: Sendable {
    private struct Waiting {
        var expiry: ContinuousClock.Instant
        var giveUp: @Sendable () -> Void
    }

    private struct State {
        var waiting: [UInt64: Waiting] = [:]
        var lastNumber: UInt64 = 0
        var isSwept = false
    }

    private let limit: Duration
    private let state = Mutex(State())

    package init(_ limit: Duration) {
        self.limit = limit
    }

    /// Begins an operation.
    ///
    /// - Parameter giveUp: called if the operation takes too long: on any thread, at most once, not after ``end(_:)``.
    /// - Returns: the operation's number.
    package func begin(giveUp: @escaping @Sendable () -> Void) -> UInt64 {
        let waiting = Waiting(expiry: .now.advanced(by: limit), giveUp: giveUp)
        let (number, startsSweep) = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = waiting
            defer { state.isSwept = true }
            return (state.lastNumber, !state.isSwept)
        }
        if startsSweep { Task { await sweep() } }
        return number
    }

    /// Ends an operation.
    ///
    /// - Returns: false if the operation was given up before.
    package func end(_ number: UInt64) -> Bool {
        state.withLock { $0.waiting.removeValue(forKey: number) } != nil
    }

    /// Runs an operation.
    ///
    /// - Parameter expired: thrown if the operation takes too long.
    /// - Throws: what the operation throws, or `expired`.
    package func run<Value: Sendable, Failure: Error>(
        expired: Failure,
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let number = begin { continuation.resume(returning: .failure(expired)) }
            // Starts on the current thread.
            Task.immediate {
                let result: Result<Value, Failure>
                do throws(Failure) {
                    result = .success(try await operation())
                } catch {
                    result = .failure(error)
                }
                if end(number) { continuation.resume(returning: result) }
            }
        }
        return try result.get()
    }

    /// Gives up late operations, until no operation waits.
    private func sweep() async {
        while true {
            // Nothing cancels this task.
            try? await Task.sleep(for: limit / 20)
            let now = ContinuousClock.now
            let late = state.withLock { state -> [@Sendable () -> Void]? in
                state.isSwept = !state.waiting.isEmpty
                guard state.isSwept else { return nil }
                let late = state.waiting.filter { $0.value.expiry <= now }
                for number in late.keys { state.waiting[number] = nil }
                return late.values.map(\.giveUp)
            }
            guard let late else { return }
            for giveUp in late { giveUp() }
        }
    }
}
