import Events
import Synchronization

/// The queue of one server's events.
///
/// While a worker of a cluster does not respond, its events are refused at once, so that senders need not wait. Now and
/// then one submission is tried all the same. The only server of a database is never refused here.
final class WriterLane: Sendable {
    typealias Queue = CommitQueue<[Submission], [WriteReceipt]>

    let server: StoringServer
    let queue: Queue
    private let pause: Duration
    /// When the next submission may try; nil: the server responds, as far as is known.
    private let nextTry = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter pause: the time from a failure to the next try, and between tries.
    init(_ server: StoringServer, limits: WriterLimits) {
        self.server = server
        queue = Queue(
            waitingLimit: limits.waitingEvents,
            groupLimit: limits.groupedEvents,
            concurrentCommitThreshold: limits.concurrentCommitThreshold
        )
        pause = limits.workerPause
    }

    var responds: Bool { nextTry.withLock { $0 == nil } }

    /// Whether the next submission would be refused.
    var refuses: Bool { nextTry.withLock { $0.map { $0 > .now } ?? false } }

    /// Submits entries together, or refuses them.
    func submit(_ entries: some Collection<Queue.Entry>) {
        let (isOpen, mayTry) = nextTry.withLock { nextTry -> (Bool, Bool) in
            guard let time = nextTry else { return (true, true) }
            guard time <= .now else { return (false, false) }
            nextTry = .now.advanced(by: pause)
            return (false, true)
        }
        if isOpen { return queue.submit(entries) }
        if mayTry, let first = entries.first {
            queue.submit(first.item, weight: first.weight) { result in
                // The queue is full of what waits for the worker.
                if case .failure(Queue.Refusal.full) = result { Self.refuse(first) } else { first.end(result) }
            }
        }
        for entry in entries.dropFirst(mayTry ? 1 : 0) { Self.refuse(entry) }
    }

    private static func refuse(_ entry: Queue.Entry) {
        entry.end(.failure(EventWriterError.partlyUnavailable(nil)))
    }

    /// - Returns: whether it is news that the server does not respond.
    func failed() -> Bool {
        nextTry.withLock { nextTry in
            defer { nextTry = .now.advanced(by: pause) }
            return nextTry == nil
        }
    }

    /// - Returns: whether it is news that the server responds.
    func succeeded() -> Bool {
        nextTry.withLock { nextTry in
            defer { nextTry = nil }
            return nextTry != nil
        }
    }
}
