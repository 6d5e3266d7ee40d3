import Testing

@testable import Ingest

@Suite("Deadlines")
struct DeadlineTests {
    private struct Late: Error {}

    @Test func returnsWhatComesInTime() async throws {
        let deadline = Deadline(.seconds(60))
        for number in 0..<100 {
            #expect(try await deadline.run(expired: Late()) { () async throws(Late) in number } == number)
        }
    }

    @Test func passesOnWhatIsThrown() async {
        let deadline = Deadline(.seconds(60))
        await #expect(throws: SinkError.overloaded(retryAfter: .seconds(3))) {
            try await deadline.run(expired: SinkError.timedOut) { () throws(SinkError) in
                throw .overloaded(retryAfter: .seconds(3))
            }
        }
    }

    @Test func givesUpAndLetsTheOperationEnd() async {
        let deadline = Deadline(.milliseconds(20))
        let (ended, end) = AsyncStream<Void>.makeStream()
        let (gate, open) = AsyncStream<Void>.makeStream()
        await #expect(throws: SinkError.timedOut) {
            try await deadline.run(expired: SinkError.timedOut) { () async throws(SinkError) in
                for await _ in gate { break }
                end.finish()
                return 1
            }
        }
        open.finish()
        for await _ in ended {}
    }

    @Test func keepsManyApart() async throws {
        let deadline = Deadline(.seconds(60))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                group.addTask { try await deadline.run(expired: Late()) { () async throws(Late) in number } == number }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func endsWhatIsStillWaitedForOnce() {
        let deadline = Deadline(.seconds(60))
        let number = deadline.begin { Issue.record("given up") }
        #expect(deadline.end(number))
        #expect(!deadline.end(number))
    }
}
