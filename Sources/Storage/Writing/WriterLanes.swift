import Synchronization

/// The lanes of a writer, one for each server. They are made when they are needed.
final class WriterLanes: Sendable {
    /// Each lane when it begins. Whoever reads this runs the lane's queue.
    let begun: AsyncStream<WriterLane>
    private let begin: AsyncStream<WriterLane>.Continuation
    private let limits: WriterLimits
    private let lanes = Mutex<[StoringServer: WriterLane]>([:])

    init(limits: WriterLimits) {
        self.limits = limits
        (begun, begin) = AsyncStream.makeStream()
    }

    /// Whether any server is known to respond.
    var anyResponds: Bool { lanes.withLock { $0.values.contains { $0.responds } } }

    var count: Int { lanes.withLock { $0.count } }

    /// - Returns: the lane of a server; nil if there is none and none begins any more.
    func lane(of server: StoringServer) -> WriterLane? {
        lanes.withLock { lanes in
            if let lane = lanes[server] { return lane }
            let lane = WriterLane(server, limits: limits)
            // Nobody would run it. The stream also ends if the task that reads it is cancelled.
            if case .terminated = begin.yield(lane) { return nil }
            lanes[server] = lane
            return lane
        }
    }

    /// The lanes take no more submissions, and no lane begins.
    func close() {
        begin.finish()
        for lane in lanes.withLock({ $0.values }) { lane.queue.close() }
    }
}
