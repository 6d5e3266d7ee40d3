import Dispatch
import Postgres
import Synchronization

/// Lets the connections of a scan work one after the other, and tells how long each one worked: what a scan would take
/// if every connection had processors of its own, measured on a machine without them. For `Benchmarks/ReportShares`.
///
/// Every connection has a clock, which runs while it has its turn. The next turn goes to the connection whose clock is
/// the furthest behind. So parts and buckets are divided as if all worked at once.
package final class ScanTurns: Sendable {
    /// How long one connection worked.
    package struct Share: Sendable {
        /// On parts of the plan.
        package var planning = Duration.zero
        /// On buckets.
        package var folding = Duration.zero
    }

    private enum Standing {
        case working(since: ContinuousClock.Instant)
        case ready
        /// Has read its parts of the plan.
        case planned
        case finished
    }

    private struct Worker {
        let turn = DispatchSemaphore(value: 0)
        var standing = Standing.ready
        var clock = Duration.zero
        var share = Share()
    }

    private struct State {
        var workers: [Worker] = []
        var numbers: [ObjectIdentifier: Int] = [:]
        /// When all have read their parts.
        var plannedAt = Duration.zero
    }

    private let connections: Int
    private let state = Mutex(State())

    /// - Parameter connections: how many will work. None begins before all are there.
    package init(connections: Int) {
        self.connections = connections
    }

    package var shares: [Share] { state.withLock { $0.workers.map(\.share) } }

    /// Ends a connection's turn, and waits for its next one.
    func next(_ connection: PostgresConnection) { step(connection, to: .ready)?.wait() }

    /// Ends the turn of a connection that has read its parts of the plan, and waits for its next one after all have.
    func plan(_ connection: PostgresConnection) { step(connection, to: .planned)?.wait() }

    /// Ends the last turn of a connection.
    func finish(_ connection: PostgresConnection) { _ = step(connection, to: .finished) }

    private func step(_ connection: PostgresConnection, to standing: Standing) -> DispatchSemaphore? {
        let now = ContinuousClock.now
        return state.withLock { state in
            let id = ObjectIdentifier(connection)
            if state.numbers[id] == nil {
                state.numbers[id] = state.workers.count
                state.workers.append(Worker())
            }
            guard let number = state.numbers[id] else { return nil }
            if case .working(let start) = state.workers[number].standing {
                state.workers[number].clock += now - start
            }
            let clock = state.workers[number].clock
            state.workers[number].standing = standing
            switch standing {
            case .planned: state.workers[number].share.planning = clock
            case .finished: state.workers[number].share.folding = clock - state.plannedAt
            case .working, .ready: break
            }
            giveTurn(&state)
            return state.workers[number].turn
        }
    }

    private func giveTurn(_ state: inout State) {
        guard state.workers.count == connections else { return }
        let places = state.workers.indices
        let hasWorker = places.contains { if case .working = state.workers[$0].standing { true } else { false } }
        guard !hasWorker else { return }
        var ready = places.filter { if case .ready = state.workers[$0].standing { true } else { false } }
        if ready.isEmpty {
            ready = places.filter { if case .planned = state.workers[$0].standing { true } else { false } }
            state.plannedAt = ready.map { state.workers[$0].clock }.max() ?? .zero
            for place in ready {
                state.workers[place].clock = state.plannedAt
                state.workers[place].standing = .ready
            }
        }
        guard let next = ready.min(by: { state.workers[$0].clock < state.workers[$1].clock }) else { return }
        state.workers[next].standing = .working(since: .now)
        state.workers[next].turn.signal()
    }
}
