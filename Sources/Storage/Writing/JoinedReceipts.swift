import Synchronization

/// The receipts of submissions that were submitted together and are stored by several servers.
final class JoinedReceipts: Sendable {
    typealias Outcome = Result<[WriteReceipt], any Error>

    private struct State {
        var receipts: [WriteReceipt]
        var missing: Int
        var error: (any Error)?
    }

    private let state: Mutex<State>
    private let end: @Sendable (Outcome) -> Void

    /// - Parameters:
    ///   - count: the number of receipts.
    ///   - parts: the number of calls of ``add(_:at:)`` to come.
    ///   - end: called with the last of them; with an error if one part has failed.
    init(count: Int, parts: Int, end: @escaping @Sendable (Outcome) -> Void) {
        state = Mutex(State(receipts: Array(repeating: .init(), count: count), missing: parts))
        self.end = end
    }

    /// - Parameter positions: those of the part's submissions.
    func add(_ outcome: Outcome, at positions: [Int]) {
        let joined = state.withLock { state -> Outcome? in
            state.missing -= 1
            switch outcome {
            case .success(let receipts):
                for (position, receipt) in zip(positions, receipts) { state.receipts[position] = receipt }
            case .failure(let error):
                state.error = state.error ?? error
            }
            guard state.missing == 0 else { return nil }
            return state.error.map { .failure($0) } ?? .success(state.receipts)
        }
        if let joined { end(joined) }
    }
}
