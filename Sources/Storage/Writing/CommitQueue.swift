import Synchronization

/// Group commit: what is submitted while commits run forms the next one. There is no timer and no unbounded queue.
///
/// `run()` must be running for what is submitted to end. It may run several times at once: then a large group is made ready
/// while another is on its way to the disk. Which of two groups is committed first is then open.
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
        /// Groups that are being committed.
        var committing = 0
        /// Each `run()` that has nothing to do.
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    private let waitingLimit: Int
    private let groupLimit: Int
    private let besideLimit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - waitingLimit: the weight of what may wait. An item heavier than that is taken when nothing else waits.
    ///   - groupLimit: the weight of one group. An item is never split; a heavier one goes alone.
    ///   - besideLimit: the weight from which on a group is committed beside another; less waits until none is.
    init(waitingLimit: Int, groupLimit: Int, besideLimit: Int = 0) {
        self.waitingLimit = waitingLimit
        self.groupLimit = groupLimit
        self.besideLimit = besideLimit
    }

    /// - Parameter end: told after the commit of the item's group what it came to, or at once a `Refusal`.
    func submit(_ item: Item, weight: Int, end: @escaping @Sendable (Result<Receipt, any Error>) -> Void) {
        let waiting = Waiting(item: item, weight: weight, end: end)
        let (refusal, idle) = state.withLock { state -> (Refusal?, CheckedContinuation<Void, Never>?) in
            if state.isClosed { return (.closed, nil) }
            if state.weight > 0, state.weight + weight > waitingLimit { return (.full, nil) }
            state.waiting.append(waiting)
            state.weight += weight
            return (nil, isDue(state) ? state.idle.popLast() : nil)
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
            let next = state.withLock { state in
                state.committing -= 1
                return isDue(state) ? state.idle.popLast() : nil
            }
            // The next group need not wait until all of this one have been told.
            next?.resume()
            for (waiting, result) in zip(group, results) {
                waiting.end(result)
            }
        }
    }

    /// Whether what waits is to be committed now.
    private func isDue(_ state: borrowing State) -> Bool {
        guard !state.waiting.isEmpty else { return false }
        return state.committing == 0 || state.weight >= besideLimit || state.isClosed
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
            let (group, next, isEnd) = state.withLock { state in
                let group = isDue(state) ? takeGroup(&state) : []
                let isEnd = state.isClosed && group.isEmpty
                return (group, isDue(state) ? state.idle.popLast() : nil, isEnd)
            }
            next?.resume()
            if isEnd { return nil }
            if !group.isEmpty { return group }
            await withCheckedContinuation { continuation in
                let isNeeded = state.withLock { state in
                    guard !isDue(state), !state.isClosed else { return false }
                    state.idle.append(continuation)
                    return true
                }
                if !isNeeded { continuation.resume() }
            }
        }
    }

    private func takeGroup(_ state: inout State) -> [Waiting] {
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
        state.committing += 1
        return group
    }
}
