import Events
import Ingest
import Synchronization

/// Keeps batches in memory and gives the answer that the test sets.
final class RecordingSink: EventSink {
    enum Behaviour: Sendable {
        case answer(StoreReceipt)
        case fail(SinkError)
        /// Never answers.
        case hang
    }

    private struct State {
        var behaviour: Behaviour
        var batches: [Submission] = []
        var ids: Set<EventID> = []
        var hanging: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    /// - Parameter behaviour: default: answers as the database, and counts events that it has seen before as
    ///   duplicates.
    init(_ behaviour: Behaviour? = nil) {
        state = Mutex(State(behaviour: behaviour ?? .answer(StoreReceipt(duplicates: -1, stored: .database))))
    }

    var batches: [Submission] {
        state.withLock { $0.batches }
    }

    var events: [Event] {
        batches.flatMap(\.events)
    }

    /// Ends the batches that hang.
    func release() {
        let hanging = state.withLock { state in
            defer { state.hanging = [] }
            return state.hanging
        }
        for end in hanging { end() }
    }

    func behave(_ behaviour: Behaviour) {
        state.withLock { $0.behaviour = behaviour }
    }

    func store(_ batch: Submission, end: @escaping @Sendable (Result<StoreReceipt, SinkError>) -> Void) {
        let behaviour = state.withLock { state in
            state.batches.append(batch)
            return state.behaviour
        }
        switch behaviour {
        case .fail(let error):
            end(.failure(error))
        case .hang:
            state.withLock { $0.hanging.append { end(.success(StoreReceipt(duplicates: 0, stored: .database))) } }
        case .answer(var receipt):
            let known = state.withLock { state in
                batch.events.count { !state.ids.insert($0.id).inserted }
            }
            if receipt.duplicates < 0 { receipt.duplicates = known }
            end(.success(receipt))
        }
    }
}
