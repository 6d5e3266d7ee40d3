import Ingest
import Synchronization

/// What has become of one click so far: PostgreSQL and the spool may both have been asked to store it.
///
/// The visitor is sent on once, and the click ends once: stored by whichever answers first, or lost when both have
/// failed.
final class ClickCourse: Sendable {
    private struct State {
        var isCommitting = true
        /// Whether the spool was asked.
        var isSpooled = false
        var isSpooling = false
        var isWaiting = true
        var isOpen = true
    }

    private let state = Mutex(State())
    private let sendOn: @Sendable () -> Void
    private let end: @Sendable (StoreReceipt?) -> Void

    /// - Parameters:
    ///   - sendOn: lets the visitor go on.
    ///   - end: gets what stored the click; nil if it is lost. Maybe later than `sendOn`.
    init(sendOn: @escaping @Sendable () -> Void, end: @escaping @Sendable (StoreReceipt?) -> Void) {
        self.sendOn = sendOn
        self.end = end
    }

    func committed(_ receipt: StoreReceipt) {
        update {
            $0.isCommitting = false
        } with: { _ in
            receipt
        }
    }

    func spooled(_ receipt: StoreReceipt) {
        update {
            $0.isSpooling = false
        } with: { _ in
            receipt
        }
    }

    /// Has the visitor go on, who has waited long enough.
    ///
    /// - Parameter note: called just before, unless the visitor was sent on already.
    func endWait(_ note: () -> Void = {}) {
        let isNews = state.withLock { state in
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        guard isNews else { return }
        note()
        sendOn()
    }

    /// - Returns: whether the caller is to give the click to the spool now: it is not stored, and the spool does not
    ///   have it yet.
    func turnsToSpool() -> Bool {
        state.withLock { state in
            guard state.isOpen, !state.isSpooled else { return false }
            (state.isSpooled, state.isSpooling) = (true, true)
            return true
        }
    }

    /// - Parameter note: called if the click is lost, before it ends.
    func failedToCommit(_ note: () -> Void) {
        update {
            $0.isCommitting = false
        } with: {
            $0.isSpooling ? .none : .some(nil)
        } before: {
            note()
        }
    }

    /// The visitor goes on, after a wait for PostgreSQL.
    ///
    /// - Parameter note: called if the click is lost, before it ends.
    func failedToSpool(_ note: () -> Void) {
        update {
            $0.isSpooling = false
        } with: {
            $0.isCommitting ? .none : .some(nil)
        } before: {
            note()
        }
        endWait()
    }

    /// - Parameters:
    ///   - result: what the click ends with; nil if something else may store it yet.
    ///   - note: called if this ends the click, before anybody hears of it.
    private func update(
        _ change: (inout State) -> Void,
        with result: (State) -> StoreReceipt??,
        before note: () -> Void = {}
    ) {
        let ending = state.withLock { state -> (receipt: StoreReceipt?, sendsOn: Bool)? in
            change(&state)
            guard state.isOpen, let receipt = result(state) else { return nil }
            defer { (state.isOpen, state.isWaiting) = (false, false) }
            return (receipt, state.isWaiting)
        }
        guard let ending else { return }
        note()
        end(ending.receipt)
        if ending.sendsOn { sendOn() }
    }
}
