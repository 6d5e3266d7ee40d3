import Answering
import Storage
import Testing
@testable import tributaryd

/// A report of an app, which holds its place until ``end()``.
private final class Holder: Sendable {
    let task: Task<Void, any Error>
    private let beginnings: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    init(_ places: ReportPlaces, app: Int32) {
        let (beginnings, beginning) = AsyncStream<Void>.makeStream()
        let (endings, ending) = AsyncStream<Void>.makeStream()
        (self.beginnings, self.ending) = (beginnings, ending)
        task = Task {
            try await places.withPlace(of: app, on: .only, waits: false) {
                beginning.yield()
                for await _ in endings { break }
            }
        }
    }

    /// Waits until the report has its place.
    func hasPlace() async { for await _ in beginnings { break } }

    func end() { ending.finish() }
}

@Suite("Places for reports") struct ReportPlacesTests {
    /// Two reports of a worker that hangs.
    @Test func leaveRoomForThoseOfOtherWorkers() async throws {
        let places = ReportPlaces(count: 4)
        try await places.withPlace(of: 1, on: .worker(1), waits: false) {
            try await places.withPlace(of: 2, on: .worker(1), waits: false) {
                await #expect(throws: ReportPlaces.Full.self) {
                    try await places.withPlace(of: 3, on: .worker(1), waits: false) {}
                }
                try await places.withPlace(of: 4, on: .worker(2), waits: false) {}
                try await places.withPlace(of: 5, on: .only, waits: false) {}
            }
        }
        try await places.withPlace(of: 1, on: .worker(1), waits: false) {}
    }

    /// The first app gets two of four places, the next two one each. A report that waits gets the place that is given
    /// back next, of its own app or of another.
    @Test func areSharedByApps() async throws {
        let places = ReportPlaces(count: 4)
        let first = (0..<2).map { _ in Holder(places, app: 1) }
        for holder in first { await holder.hasPlace() }
        let third = Holder(places, app: 1)
        // If the third report of the first app had a place, these would not both have one.
        let others = [Holder(places, app: 2), Holder(places, app: 3)]
        for holder in others { await holder.hasPlace() }
        let second = Holder(places, app: 2)
        others[0].end()
        await second.hasPlace()
        for holder in first { holder.end() }
        await third.hasPlace()
        for holder in [third, others[1], second] { holder.end() }
        for holder in first + others + [second, third] { try await holder.task.value }
        try await places.withPlace(of: 1, on: .only, waits: false) {}
    }

    @Test func areNotTakenByReportsThatNobodyWaitsFor() async throws {
        let places = ReportPlaces(count: 1)
        let holder = Holder(places, app: 1)
        await holder.hasPlace()
        let given = Holder(places, app: 1)
        given.task.cancel()
        await #expect(throws: CancellationError.self) { try await given.task.value }
        holder.end()
        try await holder.task.value
        try await places.withPlace(of: 1, on: .only, waits: false) {}
    }

    @Test func ofAWorkerAreGivenToThoseWhoWait() async throws {
        let places = ReportPlaces(count: 2)
        let waiting = try await places.withPlace(of: 1, on: .worker(1), waits: false) {
            (0..<3).map { _ in Task { try await places.withPlace(of: 1, on: .worker(1), waits: true) {} } }
        }
        for task in waiting { try await task.value }
        try await places.withPlace(of: 1, on: .worker(1), waits: false) {}
    }

    @Test func ofAWorkerAreNotTakenByReportsThatNobodyWaitsFor() async throws {
        let places = ReportPlaces(count: 2)
        try await places.withPlace(of: 1, on: .worker(1), waits: false) {
            let task = Task { try await places.withPlace(of: 1, on: .worker(1), waits: true) {} }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        try await places.withPlace(of: 1, on: .worker(1), waits: false) {}
    }
}
