import Synchronization
import Testing

@testable import Storage

@Suite("The queue of commits")
struct CommitQueueTests {
    private typealias Queue = CommitQueue<Int, Int>

    /// Commits that end when the test ends them.
    private final class Commits: Sendable {
        private struct State {
            var groups: [[Int]] = []
            var open: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())
        private let begun: AsyncStream<[Int]>
        private let begin: AsyncStream<[Int]>.Continuation

        init() {
            (begun, begin) = AsyncStream.makeStream()
        }

        /// The groups whose commits have begun, in order.
        var groups: AsyncStream<[Int]>.Iterator { begun.makeAsyncIterator() }

        func commit(_ group: [Int]) async -> [Result<Int, any Error>] {
            await withCheckedContinuation { continuation in
                state.withLock { $0.open.append(continuation) }
                begin.yield(group)
            }
            return group.map { .success($0) }
        }

        func endFirst() {
            state.withLock { $0.open.removeFirst() }.resume()
        }
    }

    private func submit(_ items: [Int], to queue: Queue, weight: Int = 1) {
        for item in items { queue.submit(item, weight: weight) { _ in } }
    }

    @Test func gathersWhatComesWhileACommitRuns() async {
        let queue = Queue(waitingLimit: 100, groupLimit: 100)
        let commits = Commits()
        var groups = commits.groups
        async let running: Void = queue.run { await commits.commit($0) }
        submit([1], to: queue)
        #expect(await groups.next() == [1])
        submit([2, 3], to: queue)
        commits.endFirst()
        #expect(await groups.next() == [2, 3])
        commits.endFirst()
        queue.close()
        await running
    }

    @Test func commitsOnlyLargeGroupsBesideAnother() async {
        let queue = Queue(waitingLimit: 100, groupLimit: 100, concurrentCommitThreshold: 3)
        let commits = Commits()
        var groups = commits.groups
        async let runs: Void = runTwice(queue, commits)
        submit([1], to: queue)
        #expect(await groups.next() == [1])
        submit([2, 3], to: queue)
        // If a `run` were idle and the group due, the group would have been taken by now, or together with the fourth
        // item.
        submit([4], to: queue)
        #expect(await groups.next() == [2, 3, 4])
        submit([5], to: queue)
        commits.endFirst()
        commits.endFirst()
        #expect(await groups.next() == [5])
        commits.endFirst()
        queue.close()
        await runs
    }

    @Test func commitsWhatIsLeftBesideAnother() async {
        let queue = Queue(waitingLimit: 100, groupLimit: 2, concurrentCommitThreshold: 2)
        let commits = Commits()
        var groups = commits.groups
        submit([1, 2, 3, 4], to: queue)
        async let runs: Void = runTwice(queue, commits)
        let taken = [await groups.next(), await groups.next()]
        #expect(taken.contains([1, 2]) && taken.contains([3, 4]))
        commits.endFirst()
        commits.endFirst()
        queue.close()
        await runs
    }

    @Test func commitsWhatWaitsWhenItIsClosed() async {
        let queue = Queue(waitingLimit: 100, groupLimit: 100, concurrentCommitThreshold: 10)
        let commits = Commits()
        var groups = commits.groups
        async let runs: Void = runTwice(queue, commits)
        submit([1], to: queue)
        #expect(await groups.next() == [1])
        submit([2], to: queue)
        queue.close()
        #expect(await groups.next() == [2])
        commits.endFirst()
        commits.endFirst()
        await runs
    }

    /// Also those that wait when it is closed. Whoever gets them ends them.
    @Test func handsOverWholeGroups() async {
        let queue = Queue(waitingLimit: 100, groupLimit: 100)
        let results = Mutex<[Int]>([])
        queue.submit(
            (1...3).map { item in
                Queue.Entry(item: item, weight: 1) { result in
                    results.withLock { $0.append((try? result.get()) ?? 0) }
                }
            }
        )
        queue.close()
        let groups = Mutex<[[Int]]>([])
        await queue.run(handingOver: { entries in
            groups.withLock { $0.append(entries.map(\.item)) }
            for entry in entries.reversed() { entry.end(.success(entry.item * 10)) }
        })
        #expect(groups.withLock { $0 } == [[1, 2, 3]])
        #expect(results.withLock { $0 } == [30, 20, 10])
    }

    private func runTwice(_ queue: Queue, _ commits: Commits) async {
        async let first: Void = queue.run { await commits.commit($0) }
        async let second: Void = queue.run { await commits.commit($0) }
        _ = await (first, second)
    }

    @Test func refusesWhatDoesNotFit() {
        let queue = Queue(waitingLimit: 2, groupLimit: 2)
        let refusals = Mutex<[String]>([])
        for item in 0..<3 {
            queue.submit(item, weight: 1) { result in
                if case .failure(let error) = result { refusals.withLock { $0.append("\(error)") } }
            }
        }
        queue.close()
        queue.submit(3, weight: 1) { result in
            if case .failure(let error) = result { refusals.withLock { $0.append("\(error)") } }
        }
        #expect(refusals.withLock { $0 } == ["full", "closed"])
    }
}
