import Synchronization

/// Whether the client of a connection still waits for answers.
///
/// It has gone when the connection is closed, or when it has closed its own side: to the server, a browser that leaves
/// a page looks like a sender that only has no more to send.
package final class ClientPresence: Sendable {
    private struct State {
        var isGone = false
        /// What cancels the operations that run for the client.
        var running: [UInt64: @Sendable () -> Void] = [:]
        var lastNumber: UInt64 = 0
        var cancelledCount = 0
    }

    private let state: Mutex<State>

    package init(isGone: Bool = false) {
        state = Mutex(State(isGone: isGone))
    }

    var isGone: Bool { state.withLock { $0.isGone } }
    /// How many operations were cancelled because the client had gone.
    var cancelledCount: Int { state.withLock { $0.cancelledCount } }

    /// Notes that the client has gone, and cancels what runs for it.
    package func leave() {
        let running = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.isGone else { return [] }
            state.isGone = true
            state.cancelledCount += state.running.count
            return Array(state.running.values)
        }
        for cancel in running { cancel() }
    }

    /// Runs an operation that changes nothing in a task of its own, which is cancelled when the client goes.
    ///
    /// - Throws: what the operation throws; `CancellationError` if the client has gone before.
    package func reading<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task {
            try Task.checkCancellation()
            return try await operation()
        }
        let number = begin(task)
        defer { state.withLock { $0.running[number] = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func begin<Value>(_ task: Task<Value, any Error>) -> UInt64 {
        let (number, isGone) = state.withLock { state in
            state.lastNumber += 1
            if state.isGone {
                state.cancelledCount += 1
            } else {
                state.running[state.lastNumber] = { task.cancel() }
            }
            return (state.lastNumber, state.isGone)
        }
        if isGone { task.cancel() }
        return number
    }
}
