import Synchronization

/// Ends a session if one use of it does not end in time. It never affects the next use.
///
/// | state | input | next state |
/// |---|---|---|
/// | running | ``end(within:)`` | running, with a timer that replaces any earlier one |
/// | running | the timer, or ``breakOff()`` | broken: the session is ended |
/// | running, broken | ``finish()`` | over: later timers and calls do nothing |
final class UseLimit: Sendable {
    private struct State {
        var timer: Task<Void, Never>?
        var isOver = false
        var hasBroken = false
    }

    /// How long the server may take to answer a cancel request before the session is ended.
    static let cancellationPatience: Duration = .seconds(2)

    private let breaker: SessionBreaker
    private let state = Mutex(State())

    init(_ breaker: SessionBreaker) {
        self.breaker = breaker
    }

    /// Ends the session after `limit`. Replaces the limit of an earlier call.
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

    /// Notes that the use is over.
    ///
    /// - Returns: whether the session was ended by the limit.
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
