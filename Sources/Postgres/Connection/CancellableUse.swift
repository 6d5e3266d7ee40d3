import Dispatch
import Synchronization

/// One task's use of a connection, which can be cancelled.
///
/// The server ignores a cancel request that arrives between two statements. So the request is repeated until the use is
/// over, and ``isCancelled`` keeps the next statement from starting. The use does not end before its last request has,
/// so that no request hits the next user of the connection.
///
/// | state | input | next state |
/// |---|---|---|
/// | running | ``cancel()`` | cancelled: requests are sent |
/// | running, cancelled | ``finish()`` | over |
final class CancellableUse: Sendable {
    private enum State {
        case running
        case cancelled
        case over
    }

    private let key: CancelKey
    private let state = Mutex(State.running)
    private let useIsOver = DispatchSemaphore(value: 0)
    private let requestsAreOver = DispatchSemaphore(value: 0)

    init(_ key: CancelKey) {
        self.key = key
    }

    var isCancelled: Bool { state.withLock { $0 == .cancelled } }

    /// May be called on any thread. Returns immediately.
    func cancel() {
        let isFirst = state.withLock { state in
            guard state == .running else { return false }
            state = .cancelled
            return true
        }
        guard isFirst else { return }
        DispatchQueue.global().async { [self] in
            repeat {
                key.requestCancellation()
            } while useIsOver.wait(timeout: .now() + .milliseconds(50)) == .timedOut
            requestsAreOver.signal()
        }
    }

    /// Ends the use.
    ///
    /// - Returns: false if a cancel request may still be on its way. Then the connection must not be used again.
    func finish() -> Bool {
        let wasCancelled = state.withLock { state in
            defer { state = .over }
            return state == .cancelled
        }
        guard wasCancelled else { return true }
        useIsOver.signal()
        return requestsAreOver.wait(timeout: .now() + .seconds(1)) == .success
    }
}
