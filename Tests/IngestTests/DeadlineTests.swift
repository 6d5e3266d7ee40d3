import Testing

@testable import Ingest

@Suite("Deadlines")
struct DeadlineTests {
    private struct Late: Error {}

    @Test func returnsWhatComesInTime() async throws {
        let deadline = Deadline<Int, Late>(.seconds(60), expired: Late())
        for number in 0..<100 {
            #expect(try await deadline.run { number } == number)
        }
    }

    @Test func passesOnWhatIsThrown() async {
        let deadline = Deadline<Int, SinkError>(.seconds(60), expired: .timedOut)
        await #expect(throws: SinkError.overloaded(retryAfter: .seconds(3))) {
            try await deadline.run { () throws(SinkError) in throw .overloaded(retryAfter: .seconds(3)) }
        }
    }

    @Test func givesUpAndLetsTheOperationEnd() async {
        let deadline = Deadline<Int, SinkError>(.milliseconds(20), expired: .timedOut)
        let (ended, end) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        await #expect(throws: SinkError.timedOut) {
            try await deadline.run {
                for await _ in gate { break }
                end.finish()
                return 1
            }
        }
        open.finish()
        for await _ in ended {}
    }

    @Test func keepsManyApart() async throws {
        let deadline = Deadline<Int, Late>(.seconds(60), expired: Late())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { try await deadline.run { number } == number }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
