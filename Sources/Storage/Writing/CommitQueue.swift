import Synchronization

/// Group commit: the items that are submitted while a commit runs form the next group. There is no timer, and the queue
/// is bounded.
///
/// Items end only while `run(commit:)` is running. It may run several times in parallel: then one group is prepared
/// while another is on its way to the disk, and either of the two may be committed first. With `run(handingOver:)`,
/// the closure ends them.
final class CommitQueue<Item: Sendable, Receipt: Sendable>: Sendable {
    /// Why the queue did not take an item.
    enum Refusal: Error {
        /// Too much is waiting already.
        case full
        /// ``close()`` has been called.
        case closed
    }

    /// An item, and what to call at its end.
    struct Entry: Sendable {
        var item: Item
        var weight: Int
        /// Called once, on any thread.
        var end: @Sendable (Result<Receipt, any Error>) -> Void
    }

    private struct State {
        var waiting: [Entry] = []
        var weight = 0
        var isClosed = false
        /// Groups that are being committed.
        var committing = 0
        /// One for each `run(commit:)` that waits for a group.
        var idle: [CheckedContinuation<Void, Never>] = []
    }

    private let waitingLimit: Int
    private let groupLimit: Int
    private let concurrentCommitThreshold: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - waitingLimit: the weight that may wait. A heavier item is taken only if nothing else waits.
    ///   - groupLimit: the weight of one group. An item is never split; a heavier item is a group of its own.
    ///   - concurrentCommitThreshold: the waiting weight that starts a commit while another one runs. Less waits until
    ///     no commit runs.
    init(waitingLimit: Int, groupLimit: Int, concurrentCommitThreshold: Int = 0) {
        self.waitingLimit = waitingLimit
        self.groupLimit = groupLimit
        self.concurrentCommitThreshold = concurrentCommitThreshold
    }

    /// - Parameter end: called with the result after the commit of the item's group; or immediately with a ``Refusal``.
    func submit(_ item: Item, weight: Int, end: @escaping @Sendable (Result<Receipt, any Error>) -> Void) {
        submit(CollectionOfOne(Entry(item: item, weight: weight, end: end)))
    }

    /// Submits entries together: as many as fit go into one group.
    func submit(_ entries: some Collection<Entry>) {
        let (refusals, idle) = state.withLock { state -> ([(Entry, Refusal)], CheckedContinuation<Void, Never>?) in
            var refusals: [(Entry, Refusal)] = []
            for entry in entries {
                if state.isClosed {
                    refusals.append((entry, .closed))
                } else if state.weight > 0, state.weight + entry.weight > waitingLimit {
                    refusals.append((entry, .full))
                } else {
                    state.waiting.append(entry)
                    state.weight += entry.weight
                }
            }
            return (refusals, isDue(state) ? state.idle.popLast() : nil)
        }
        idle?.resume()
        for (entry, refusal) in refusals { entry.end(.failure(refusal)) }
    }

    /// The same as an async call: returns after the commit of the item's group.
    ///
    /// - Throws: ``Refusal``, and the commit's error.
    func submit(_ item: Item, weight: Int) async throws -> Receipt {
        let result = await withCheckedContinuation { continuation in
            submit(item, weight: weight) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Commits group after group until ``close()`` is called, and then the items that still wait.
    ///
    /// - Parameter commit: returns one result for each item, in their order.
    func run(commit: ([Item]) async -> [Result<Receipt, any Error>]) async {
        while let group = await nextGroup() {
            let results = await commit(group.map(\.item))
            // The next commit starts before the items of this group hear of theirs.
            endGroup()
            for (entry, result) in zip(group, results) { entry.end(result) }
        }
    }

    /// Gives group after group away until ``close()`` is called, and then the items that still wait.
    ///
    /// - Parameter take: ends each item, maybe later.
    func run(handingOver take: ([Entry]) async -> Void) async {
        while let group = await nextGroup() {
            await take(group)
            endGroup()
        }
    }

    private func endGroup() {
        let next = state.withLock { state in
            state.committing -= 1
            return isDue(state) ? state.idle.popLast() : nil
        }
        next?.resume()
    }

    /// Whether a commit of the waiting items is to start now.
    private func isDue(_ state: borrowing State) -> Bool {
        guard !state.waiting.isEmpty else { return false }
        return state.committing == 0 || state.weight >= concurrentCommitThreshold || state.isClosed
    }

    /// Takes no more items. `run(commit:)` returns when the waiting items are committed.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for continuation in idle { continuation.resume() }
    }

    /// Waits for the next group; nil when the queue is closed and empty.
    private func nextGroup() async -> [Entry]? {
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

    private func takeGroup(_ state: inout State) -> [Entry] {
        var count = 0
        var weight = 0
        for entry in state.waiting {
            weight += entry.weight
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
