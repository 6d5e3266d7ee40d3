import Foundation
import Synchronization

@testable import TributaryClient

/// Gives the answers of a script, then stores everything. It records the batches.
final class ScriptedTransport: EventTransport {
    private struct State {
        var answers: [Delivery]
        var sent: [[UUID]] = []
    }

    private let state: Mutex<State>

    init(_ answers: [Delivery] = []) {
        state = Mutex(State(answers: answers))
    }

    /// The ids of every batch.
    var sent: [[UUID]] { state.withLock { $0.sent } }

    func send(_ batch: [EncodedEvent], at time: Date) async -> Delivery {
        state.withLock { state in
            state.sent.append(batch.map(\.id))
            return state.answers.isEmpty ? .stored([]) : state.answers.removeFirst()
        }
    }
}
