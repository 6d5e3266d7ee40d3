import Synchronization

/// Lets tasks wait until a condition holds. Code that may change the condition calls ``notify()``.
final class Signal: Sendable {
    private struct State {
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
        /// Notifications so far, so that none is missed between a check and the wait after it.
        var count: UInt64 = 0
    }

    private let state = Mutex(State())

    func notify() {
        let waiting = state.withLock { state in
            state.count += 1
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the condition holds or the task is cancelled.
    func wait(until condition: @Sendable () -> Bool) async {
        while !Task.isCancelled {
            let seen = state.withLock { $0.count }
            if condition() { return }
            await waitForNotification(after: seen)
        }
    }

    private func waitForNotification(after seen: UInt64) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.count == seen, !Task.isCancelled else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }
}
