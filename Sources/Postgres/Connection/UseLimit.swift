import Synchronization

/// Breaks a session off when one use of it does not end in time. It never touches the next use.
final class UseLimit: Sendable {
    private struct State {
        var timer: Task<Void, Never>?
        var isOver = false
        var hasBroken = false
    }

    /// How long the server may take to answer a request to cancel, until the session is broken off.
    static let cancellationPatience: Duration = .seconds(2)

    private let breaker: SessionBreaker
    private let state = Mutex(State())

    init(_ breaker: SessionBreaker) {
        self.breaker = breaker
    }

    /// Breaks the session off after `limit`; an earlier call no longer counts.
    func end(within limit: Duration) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.timer?.cancel()
            state.timer = Task { [self] in
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                breakOff()
            }
        }
    }

    func breakOff() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.hasBroken = true
            breaker.breakOff()
        }
    }

    /// The use is over.
    ///
    /// - Returns: whether the session was broken off.
    @discardableResult
    func finish() -> Bool {
        state.withLock { state in
            state.isOver = true
            state.timer?.cancel()
            state.timer = nil
            return state.hasBroken
        }
    }
}
