import Synchronization

/// The lanes of a writer, one for each server that has stored something.
final class WriterLanes: Sendable {
    private struct State {
        var lanes: [StoringServer: WriterLane] = [:]
        var isClosed = false
    }

    /// Each lane when it begins. Whoever reads this runs the lane's queue.
    let begun: AsyncStream<WriterLane>
    private let begin: AsyncStream<WriterLane>.Continuation
    private let limits: EventWriter.Limits
    private let state = Mutex(State())

    init(limits: EventWriter.Limits) {
        self.limits = limits
        (begun, begin) = AsyncStream.makeStream()
    }

    /// Whether any server is known to respond.
    var anyResponds: Bool { state.withLock { $0.lanes.values.contains { $0.responds } } }

    var allRespond: Bool { state.withLock { $0.lanes.values.allSatisfy { $0.responds } } }

    var count: Int { state.withLock { $0.lanes.count } }

    /// - Returns: the lane of a server; nil if there is none and ``close()`` has been called.
    func lane(of server: StoringServer) -> WriterLane? {
        state.withLock { state in
            if let lane = state.lanes[server] { return lane }
            if state.isClosed { return nil }
            let lane = WriterLane(server, limits: limits)
            state.lanes[server] = lane
            begin.yield(lane)
            return lane
        }
    }

    /// The lanes take no more submissions, and no lane begins.
    func close() {
        begin.finish()
        let lanes = state.withLock { state in
            state.isClosed = true
            return state.lanes.values
        }
        for lane in lanes { lane.queue.close() }
    }
}
