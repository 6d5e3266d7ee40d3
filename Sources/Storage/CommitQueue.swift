import Synchronization

/// Group commit: what is submitted while commits run forms the next one. There is no timer and no unbounded queue.
///
/// `run()` must be running for what is submitted to end. It may run several times at once: then one group is gathered, and its
/// rows are made ready, while another is on its way to the disk. Which of two groups is committed first is then open.
final class CommitQueue<Item: Sendable, Receipt: Sendable>: Sendable {
    /// Why an item was not even tried.
    enum Refusal: Error {
        /// Too much is waiting already.
        case full
        case closed
    }

    private struct Waiting {
        var item: Item
        var weight: Int
        var end: @Sendable (Result<Receipt, any Error>) -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var weight = 0
        var isClosed = false
        /// Each `run()` that has nothing to do.
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    private let waitingLimit: Int
    private let groupLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - waitingLimit: the weight of what may wait. An item heavier than that is taken when nothing else waits.
    ///   - groupLimit: the weight of one group. An item is never split; a heavier one goes alone.
    init(waitingLimit: Int, groupLimit: Int) {
        self.waitingLimit = waitingLimit
        self.groupLimit = groupLimit
    }

    /// - Parameter end: told after the commit of the item's group what it came to, or at once a `Refusal`.
    func submit(_ item: Item, weight: Int, end: @escaping @Sendable (Result<Receipt, any Error>) -> Void) {
        let waiting = Waiting(item: item, weight: weight, end: end)
        let (refusal, idle) = state.withLock { state -> (Refusal?, CheckedContinuation<Void, Never>?) in
            if state.isClosed { return (.closed, nil) }
            if state.weight > 0, state.weight + weight > waitingLimit { return (.full, nil) }
            state.waiting.append(waiting)
            state.weight += weight
            return (nil, state.idle.popLast())
        }
        idle?.resume()
        if let refusal { end(.failure(refusal)) }
    }

    /// The same, awaited.
    func submit(_ item: Item, weight: Int) async throws -> Receipt {
        let result = await withCheckedContinuation { continuation in
            submit(item, weight: weight) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Commits group after group until ``close()``, and then what still waits.
    ///
    /// - Parameter commit: gives one result for each item.
    func run(commit: ([Item]) async -> [Result<Receipt, any Error>]) async {
        while let group = await nextGroup() {
            let results = await commit(group.map(\.item))
            for (waiting, result) in zip(group, results) {
                waiting.end(result)
            }
        }
    }

    /// Takes no more items; `run()` returns when those that wait are committed.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for continuation in idle { continuation.resume() }
    }

    /// Nil when the queue is closed and empty.
    private func nextGroup() async -> [Waiting]? {
        while true {
            let group: [Waiting]? = state.withLock { state in
                guard !state.waiting.isEmpty else { return state.isClosed ? nil : [] }
                var count = 0
                var weight = 0
                for waiting in state.waiting {
                    weight += waiting.weight
                    if count > 0, weight > groupLimit { break }
                    count += 1
                }
                let group = Array(state.waiting.prefix(count))
                state.waiting.removeFirst(count)
                state.weight -= group.reduce(0) { $0 + $1.weight }
                return group
            }
            guard let group else { return nil }
            if !group.isEmpty { return group }
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard state.waiting.isEmpty, !state.isClosed else { return false }
                    state.idle.append(continuation)
                    return true
                }
                if !isNeeded { continuation.resume() }
            }
        }
    }
}
