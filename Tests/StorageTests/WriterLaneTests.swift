import Events
import Postgres
import Synchronization
import Testing
import Time

@testable import Storage

@Suite("The lanes of the event writer")
struct WriterLaneTests {
    private typealias Entry = WriterLane.Queue.Entry

    /// What became of submissions, in order.
    private final class Ends: Sendable {
        private let all = Mutex<[String]>([])
        var list: [String] { all.withLock { $0 } }

        func entry(_ name: String) -> Entry {
            let submission = Submission(
                appNumber: 1,
                keyPrefix: name,
                receivedAt: Timestamp(microseconds: 0),
                events: []
            )
            return Entry(item: [submission], weight: 1) { result in
                let text =
                    switch result {
                    case .success: "stored"
                    case .failure(EventWriterError.partlyUnavailable): "refused"
                    case .failure(let error): "\(error)"
                    }
                self.all.withLock { $0.append("\(name) \(text)") }
            }
        }
    }

    private func lane(pause: Duration) -> WriterLane {
        var limits = WriterLimits()
        limits.workerPause = pause
        return WriterLane(.worker(1), limits: limits)
    }

    private func drain(_ lane: WriterLane) async {
        lane.queue.close()
        await lane.queue.run { group in group.map { _ in .success([]) } }
    }

    @Test func refusesAtOnceAfterAFailure() async {
        let (lane, ends) = (lane(pause: .seconds(3_600)), Ends())
        lane.submit([ends.entry("a")])
        #expect(lane.failed())
        #expect(!lane.failed())
        #expect(lane.refuses && !lane.responds)
        lane.submit([ends.entry("b"), ends.entry("c")])
        #expect(ends.list == ["b refused", "c refused"])
        await drain(lane)
        #expect(ends.list.last == "a stored")
    }

    @Test func letsOneTryAfterThePause() async {
        let (lane, ends) = (lane(pause: .zero), Ends())
        _ = lane.failed()
        #expect(!lane.refuses && !lane.responds)
        lane.submit([ends.entry("a"), ends.entry("b")])
        #expect(ends.list == ["b refused"])
        #expect(lane.succeeded())
        #expect(!lane.succeeded())
        lane.submit([ends.entry("c"), ends.entry("d")])
        await drain(lane)
        #expect(ends.list == ["b refused", "a stored", "c stored", "d stored"])
    }

    /// The queue is full of what waits for the worker.
    @Test func refusesATryThatDoesNotFit() {
        var limits = WriterLimits()
        limits.waitingEvents = 1
        limits.workerPause = .zero
        let (lane, ends) = (WriterLane(.worker(1), limits: limits), Ends())
        lane.submit([ends.entry("a")])
        lane.submit([ends.entry("b")])
        _ = lane.failed()
        lane.submit([ends.entry("c")])
        #expect(ends.list == ["b full", "c refused"])
    }

    /// Nobody would run it.
    @Test func doesNotBeginWhenTheWriterIsCancelled() async {
        let lanes = WriterLanes(limits: WriterLimits())
        let reading = Task {
            for await _ in lanes.begun {}
        }
        reading.cancel()
        await reading.value
        #expect(lanes.lane(of: .worker(1)) == nil)
    }

    @Test(arguments: ["53100", "25006", "57P01"]) func tellsAWorkersErrorFromTheCoordinators(sqlState: String) {
        var error = PostgresError(.server, "could not extend file", sqlState: sqlState)
        #expect(error.isUnavailable && !error.isOfAWorker)
        error.isRelayed = true
        #expect(error.isOfAWorker)
    }

    @Test func refusesWhatComesAfterItsEnd() async {
        let lanes = WriterLanes(limits: WriterLimits())
        let lane = lanes.lane(of: .worker(1))
        #expect(lanes.lane(of: .worker(1)) === lane)
        #expect(lanes.anyResponds)
        _ = lane?.failed()
        #expect(!lanes.anyResponds)
        lanes.close()
        #expect(lanes.lane(of: .worker(2)) == nil)
        var begun: [WriterLane] = []
        for await lane in lanes.begun { begun.append(lane) }
        #expect(begun.map(\.server) == [.worker(1)])
    }

    @Test(arguments: [[], [1], [0], [0, 1]])
    func joinsReceiptsInTheirOrder(failing: [Int]) throws {
        struct Failure: Error, Equatable { var part: Int }
        let ends = Mutex<[Result<[WriteReceipt], any Error>]>([])
        let joined = JoinedReceipts(count: 3, parts: 2) { result in ends.withLock { $0.append(result) } }
        let parts = [[2, 0], [1]]
        for (part, positions) in parts.enumerated() {
            #expect(ends.withLock { $0.isEmpty })
            let receipts = positions.map { WriteReceipt(duplicates: $0) }
            joined.add(failing.contains(part) ? .failure(Failure(part: part)) : .success(receipts), at: positions)
        }
        let results = ends.withLock { $0 }
        #expect(results.count == 1)
        if let first = failing.first {
            #expect(throws: Failure(part: first)) { try results[0].get() }
        } else {
            #expect(try results[0].get().map(\.duplicates) == [0, 1, 2])
        }
    }
}
